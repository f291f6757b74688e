#include <fmt/core.h>

#include "rules/ops/rest_on.hpp"
#include "rules/rule_context.hpp"
#include "view/dispatch.hpp"

namespace trtcheck::rules::plugin_version {
namespace {

/// The parser reads a string attribute, default "1" (an integer reads as the empty string).
std::string_view wanted_version(const Node& node) {
  const Attribute* attribute = node.attribute("plugin_version");
  return attribute == nullptr ? "1" : attribute->s();
}

void check(RuleContext& context) {
  if (!context.view().has(Handler::builtin_plugin)) return;
  const TrtVersion release = context.release().exact();
  for (NodeId id : context.nodes()) {
    if (context.view().handler(id) != Handler::builtin_plugin) continue;
    const Node& node = context.model().node(id);
    const std::string_view wanted = wanted_version(node);
    if (builtin_plugin(node.op_type, wanted, release)) continue;
    const auto newest = builtin_plugin(node.op_type, release);
    const std::string asked =
        wanted.empty() ? "an attribute plugin_version that is no string" : fmt::format("version `{}`", wanted);
    FindingBuilder finding =
        context.add(id, fmt::format("{} `{}` asks for {}, {} ships the plugin up to version `{}`", node.op_type,
                                    context.label(id), asked, context.release().name(), newest->version));
    finding.fix(fmt::format("set the attribute plugin_version to the string \"{}\"", newest->version));
    rest_on(context, finding, evidence::read_up_to(newest->seen));
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt onnxOpImporters.cpp FallbackPluginImporter, 10.10",
                                          "NVIDIA/TensorRT plugin folder, release branches 8.0 to 11.1"};
constexpr std::string_view kMessages[] = {"Plugin not found, are the plugin name, version, and namespace correct?",
                                          "getPluginCreator could not find plugin: * version: *"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS104",
    .name = "plugin-version",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a plugin that ships, but not in the version that the node asks for",
    .docs = R"(## What it checks
A node that becomes a plugin is looked up by name *and* version: the string attribute `plugin_version`, `"1"` when it is
left out.

## Why TensorRT cares
The registry is asked for exactly that version; another version of the same plugin is not taken, and the parser reports
`Plugin not found`. An integer instead of a string reads as the empty version.

## Example
```onnx target=9.3
<ir_version: 10, opset_import: ["" : 17, "trt" : 1]>
agraph (float[N,4] x) => (float[N,4] y) {
  y = trt.MultiscaleDeformableAttnPlugin_TRT <plugin_version = "9"> (x)
}
```

## Instead
```onnx target=9.3
<ir_version: 10, opset_import: ["" : 17, "trt" : 1]>
agraph (float[N,4] x) => (float[N,4] y) {
  y = trt.MultiscaleDeformableAttnPlugin_TRT <plugin_version = "1"> (x)
}
```

## Fix
Ask for a version that ships with the target release.

## Evidence
onnx-tensorrt `onnxOpImporters.cpp`, `FallbackPluginImporter`; creators of the release branches of NVIDIA/TensorRT.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .asks = Asks::release,
};

}  // namespace trtcheck::rules::plugin_version
