#include <fmt/core.h>

#include "rules/ops/kinds.hpp"
#include "rules/ops/rest_on.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "view/dispatch.hpp"

namespace trtcheck::rules::plugin_registration {
namespace {

struct Registered {
  std::optional<TrtVersion> seen;  ///< how far that was read
};

/// Nothing: the node needs no plugin that the application has to register.
std::optional<Registered> needs_registration(const RuleContext& context, NodeId id) {
  const Handler handler = context.view().handler(id);
  if (handler == Handler::importer) {
    const OpSupport& support = context.view().tables(id);
    return support.through_plugin ? std::optional(Registered{support.seen}) : std::nullopt;
  }
  if (handler != Handler::builtin_plugin) return std::nullopt;
  const auto plugin = builtin_plugin(context.operator_of(id).op_type, context.release().exact());
  return plugin->needs_init ? std::optional(Registered{plugin->seen}) : std::nullopt;
}

/// Asked of operators, of which there are few.
bool is_any_registered(const RuleContext& context) {
  const Operators& operators = context.view().operators;
  for (std::size_t i = 0; i < operators.all().size(); ++i) {
    const Handler handler = context.view().handler_of(i);
    if (handler == Handler::builtin_plugin) return true;
    if (handler == Handler::importer &&
        op_support(operators.all()[i].op_type, context.release().exact()).through_plugin)
      return true;
  }
  return false;
}

/// It comes without the library in which the plugin is.
void tell_of_rtx(RuleContext& context, NodeId id) {
  const std::string_view op = context.operator_of(id).op_type;
  context
      .add(id, fmt::format("{} `{}` is imported through a plugin of TensorRT, which TensorRT-RTX does not ship", op,
                           context.label(id)))
      .severity(Severity::warning)
      .certainty(Certainty::likely)
      .fix("register a plugin of that name (IPluginV3), or compute the same with other operators");
}

void check(RuleContext& context) {
  if (!context.has(gates::application_registers_plugins) || !is_any_registered(context)) return;
  FirstOfKind first(context);
  for (NodeId id : context.nodes()) {
    const auto plugin = needs_registration(context, id);
    if (!plugin ||
        first.is_repeat(id, evidence::certainty_of(evidence::read_up_to(plugin->seen), context.release().exact())))
      continue;
    if (context.release().exact().product == Product::rtx) {
      tell_of_rtx(context, id);
      continue;
    }
    FindingBuilder finding = context.add(
        id, fmt::format("{} `{}` is imported through a plugin that TensorRT ships; from 10.0 the application has to "
                        "register those before it parses",
                        context.operator_of(id).op_type, context.label(id)));
    finding.fix("call initLibNvInferPlugins (Python: tensorrt.init_libnvinfer_plugins) before parsing");
    rest_on(context, finding, evidence::read_up_to(plugin->seen));
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt ModelImporter.cpp importModel, 9.3 and 10.0",
                                          "TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1: names in libtensorrt_plugins.so"};
constexpr std::string_view kMessages[] = {"plugin was not found in the plugin registry",
                                          "getPluginCreator could not find plugin: *"};

}  // namespace

extern constinit const Rule rule{
    .code = "OPS105",
    .name = "plugin-registration",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "the model needs the shipped plugins, which the application has to register",
    .docs = R"(## What it checks
Operators that are imported through a plugin of the shipped plugin library: plugins named in the model (`EfficientNMS_TRT`
and others), and ONNX operators that the parser maps to one (RoiAlign, DeformConv, from 11.2 DFT).

## Why TensorRT cares
TensorRT-RTX has plugins of its own (NonZero, MatMulNBits and some more) and does not ship this library: a warning. In TensorRT up to 9.3
the parser registers the plugin library itself. From 10.0 the application has to; otherwise the parser says
that the plugin was not found. `trtexec` does it.

## Example
```onnx
<ir_version: 10, opset_import: ["" : 17, "trt" : 1]>
agraph (float[1,100,4] boxes, float[1,100,80] scores) => (int32[1,1] n) {
  n = trt.EfficientNMS_TRT (boxes, scores)
}
```

## Instead
```onnx
agraph (float[1,100,4] boxes, float[1,100,80] scores) => (float[1,100] n) {
  n = ReduceMax <axes = [2], keepdims = 0> (scores)
}
```

## Fix
Call `initLibNvInferPlugins(&logger, "")` once, in Python `tensorrt.init_libnvinfer_plugins(logger, "")`.

## Evidence
onnx-tensorrt `ModelImporter.cpp`, 9.3 against 10.0; `importerUtils.cpp` for the operators that become plugins; DFT is
from the release notes of 11.2.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::application_registers_plugins},
    .asks = Asks::release,
};

}  // namespace trtcheck::rules::plugin_registration
