#include <map>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "rules/model/stored_tensors.hpp"
#include "rules/rule_context.hpp"
#include "target/gates.hpp"

namespace trtcheck::rules::external_data_missing {
namespace {

using State = ExternalFile::State;

std::string trouble(const ExternalFile& file) {
  if (file.state == State::missing) return fmt::format("cannot be found ({})", file.detail);
  if (file.state == State::unreadable) return fmt::format("cannot be read ({})", file.detail);
  if (file.state == State::not_regular) return file.detail;
  return "is too short: " + file.detail;
}

bool is_trouble(State state) {
  return state == State::missing || state == State::not_regular || state == State::too_short ||
         state == State::unreadable;
}

void check(RuleContext& context) {
  std::map<std::pair<std::string, State>, std::vector<StoredTensor>> by_file;
  for (const StoredTensor& tensor : context.view().stored()) {
    if (context.model().tensor(tensor.id).data != Tensor::Data::external) continue;
    const ExternalFile file = context.tensors().external(tensor.id);
    if (!is_trouble(file.state)) continue;
    by_file[{file.location, file.state}].push_back(tensor);
  }
  for (const auto& [key, tensors] : by_file) {
    const ExternalFile file = context.tensors().external(tensors.front().id);
    FindingBuilder finding = context.add(
        tensors.front().node, fmt::format("the data of {} is in `{}`, which {}", tensor_name(context, tensors.front()),
                                          file.location, trouble(file)));
    finding.value(context.name(tensors.front().value));
    if (key.second == State::too_short && context.has(gates::external_mapped)) {
      finding.certainty(Certainty::likely)
          .note("the file is mapped and its length not tested up to 11.2: the engine may hold what follows its end");
    }
    if (tensors.size() > 1) finding.note(fmt::format("{} tensors have their data there", tensors.size()));
    finding.fix(fmt::format("put the complete `{}` beside the model", file.location));
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt WeightsContext.cpp parseExternalWeights, 10.10: `Failed to open file`",
    "measured: TensorRT-RTX 1.5.0, 1.6.1, 1.7.1"};
constexpr std::string_view kMessages[] = {"Failed to open file", "Failed to read weights from external file"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL201",
    .name = "external-data-missing",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "a file with weights that is not where the model says",
    .docs = R"(## What it checks
Tensors whose data lies outside of the model file: the file exists beside the model, is an ordinary file, and holds as many
bytes as are asked of it. It is opened for small constants only. Nothing is said of models from memory whose folder is not known,
nor of files at a URL that could not be looked up.

## Why TensorRT cares
The parser reads these files while it imports the initializers: `Failed to open file`, or `Failed to read weights from
external file`. From 10.13 on it maps them and does not test the length: a file that is too short may be taken with whatever
follows its end, or end the process. A missing or empty file is refused in every release.

## Example
```onnx folder=.
agraph (float[N,3] x) => (float[N,2] y)
<float[3,2] w = ["location": "no_such_weights.bin", "offset": "0", "length": "24"]> {
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
Copy the data file beside the model; exporters write it with the model and expect it to move with it.

## Evidence
onnx-tensorrt `WeightsContext.cpp`, `parseExternalWeights` (8.0 to 10.13). Too short a file: TensorRT-RTX 1.5.0 and 1.6.1 build,
1.7.1 refuses (of the branches 11.0, 11.2 and 11.4).
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::external_mapped},
};

}  // namespace trtcheck::rules::external_data_missing
