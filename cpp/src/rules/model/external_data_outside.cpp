#include <string>
#include <unordered_set>

#include <fmt/core.h>

#include "rules/model/stored_tensors.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::external_data_outside {
namespace {

/// Steps down minus steps up, at its lowest: below 0 the path leaves the folder.
bool leaves_folder(std::string_view location) {
  int depth = 0;
  while (!location.empty()) {
    const std::size_t end = location.find('/');
    const std::string_view part = location.substr(0, end);
    if (part == "..")
      --depth;
    else if (!part.empty() && part != ".")
      ++depth;
    if (depth < 0) return true;
    location.remove_prefix(end == std::string_view::npos ? location.size() : end + 1);
  }
  return false;
}

void check(RuleContext& context) {
  std::unordered_set<std::string> told;
  for (const StoredTensor& tensor : context.view().stored()) {
    if (context.model().tensor(tensor.id).data != Tensor::Data::external) continue;
    const ExternalFile file = context.tensors().external(tensor.id);
    if (file.state != ExternalFile::State::escapes || !told.insert(file.location).second) continue;
    const bool refused =
        context.has(gates::external_parent_refused) && (file.location.starts_with('/') || leaves_folder(file.location));
    FindingBuilder finding = context.add(
        tensor.node,
        fmt::format("the data of {} is in `{}`, which {}", tensor_name(context, tensor), file.location, file.detail));
    finding.value(context.name(tensor.value)).fix("keep the data file beside the model and name it without a path");
    if (file.location.starts_with('/'))
      finding.note("TensorRT drops the leading slash and looks below the folder of the model");
    if (!refused) {
      finding.severity(Severity::warning)
          .certainty(Certainty::likely)
          .note("TensorRT follows it; be sure that you trust the author of the model");
    }
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt WeightsContext.cpp parseExternalWeights, 10.10: `Relative paths to parent (../) are not allowed`"};
constexpr std::string_view kMessages[] = {"Relative paths to parent (../) are not allowed", "Failed to open file"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL202",
    .name = "external-data-outside",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "weights in a file outside of the model folder",
    .docs = R"(## What it checks
Tensors whose data is in another place than the folder of the model (or the folder that the model is linked from): an
absolute path, a path that leaves it by `..`, a link that leads elsewhere. The file is not looked at.

## Why TensorRT cares
From 8.6 the parser refuses a path that leads to a parent folder, and treats an absolute path as one below the folder of
the model, where nothing is. Links are followed.

## Example
```onnx
agraph (float[N,3] x) => (float[N,2] y)
<float[3,2] w = ["location": "../w.bin", "offset": "0", "length": "24"]> {
  y = MatMul (x, w)
}
```

## Instead
```onnx
agraph (float[N,3] x) => (float[N,2] y)
<float[3,2] w = {1, 2, 3, 4, 5, 6}> {
  y = MatMul (x, w)
}
```

## Fix
Keep the data file beside the model.

## Evidence
onnx-tensorrt `WeightsContext.cpp`, `normalizePath` and `parseExternalWeights` (8.6 to 10.13).
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::external_parent_refused},
};

}  // namespace trtcheck::rules::external_data_outside
