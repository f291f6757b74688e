#include <map>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "model/external_files.hpp"
#include "model/tensor_values.hpp"
#include "rules/model/stored_tensors.hpp"
#include "rules/rule_context.hpp"
#include "rules/unread.hpp"
#include "text/plural.hpp"

namespace trtcheck::rules::external_constants_unread {
namespace {

// A model may name a file for each tensor.
constexpr std::size_t kMostFiles = 8;

/// What the user can do about it.
std::string remedy(const ExternalFile& file) {
  if (file.state == ExternalFile::State::unresolved) {
    return "check the model by its path, or say which folder its files are in (`base_dir` in Python)";
  }
  if (file.state == ExternalFile::State::not_fetched || file.state == ExternalFile::State::ok) {
    return "check a copy of the model and its files on this machine";
  }
  return fmt::format("put a complete `{}` that may be read beside the model, and check again", file.location);
}

void check(RuleContext& context) {
  std::map<std::string, std::vector<StoredTensor>> by_reason;
  const std::set<TensorId> unread = all_unread(context);
  if (unread.empty()) return;
  for (const StoredTensor& tensor : context.view().stored()) {
    if (!unread.contains(tensor.id)) continue;
    const auto why = why_unread(context.model(), context.model().tensor(tensor.id), kMostElements);
    if (why) by_reason[*why].push_back(tensor);
  }
  std::size_t files = 0;
  for (const auto& [why, tensors] : by_reason) {
    const StoredTensor& first = tensors.front();
    if (files++ == kMostFiles) {
      context.add(first.node, fmt::format("not known: constants in {} could not be read",
                                          counted(by_reason.size() - kMostFiles, "more file")));
      return;
    }
    FindingBuilder finding = context.add(first.node, "not known: " + why);
    finding.value(context.name(first.value));
    finding.note(tensors.size() == 1
                     ? fmt::format("what depends on the values of {} was not checked", tensor_name(context, first))
                     : fmt::format("what depends on the values of {} and {} more was not checked",
                                   tensor_name(context, first), tensors.size() - 1));
    finding.fix(remedy(context.tensors().external(first.id)));
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt WeightsContext.cpp parseExternalWeights, 10.10: the parser reads these files"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL204",
    .name = "external-constants-unread",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::possible,
    .fix = Applicability::display,
    .summary = "small constants in another file that could not be read",
    .docs = R"(## What it checks
Shapes, axes, scales and other small constants are read also where they are in another file. When such a file is not there,
is too short, lies outside of the folder of the model, or the folder is not known (a model from memory), what depends on these
values is not known. The same goes for a file at a URL that could not be fetched. Each finding that is affected says so in a note.

## Why TensorRT cares
It reads the values and may refuse the model because of them. The model must not pass for checked.

## Example
```onnx
agraph (float[2,6] x) => (float[A,B] y)
<int64[2] shape = ["location": "shape.bin", "offset": "0", "length": "16"]> {
  y = Reshape (x, shape)
}
```

## Instead
```onnx
agraph (float[2,6] x) => (float[3,4] y)
<int64[2] shape = {3, 4}> {
  y = Reshape (x, shape)
}
```

## Fix
Check the model by its path, with its files beside it; for a model from memory give the folder (`base_dir`).

## Evidence
onnx-tensorrt `WeightsContext.cpp`, `parseExternalWeights` (8.0 to 10.13): the parser reads all external data.
)",
    .evidence = kEvidence,
    .check = check,
};

}  // namespace trtcheck::rules::external_constants_unread
