#include <algorithm>
#include <iterator>

#include <fmt/core.h>

#include "rules/model/stored_tensors.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules::external_data_malformed {
namespace {

constexpr std::string_view kKeys[] = {"location", "offset", "length", "checksum"};

FindingBuilder report(RuleContext& context, const StoredTensor& tensor, const std::string& what,
                      const std::string& fix) {
  return context.add(tensor.node, fmt::format("the external data of {} {}", tensor_name(context, tensor), what))
      .value(context.name(tensor.value))
      .fix(fix);
}

/// Text, or digits with text behind them. Not so: a sign, or more digits than 64 bits hold.
bool is_read_as_a_number(const Tensor& data) {
  constexpr std::size_t kSafeDigits = 18;
  for (const std::string_view key : {"offset", "length"}) {
    const auto text = external_entry(data, key);
    if (text && (text->starts_with('-') || text->substr(0, text->find_first_not_of("0123456789")).size() > kSafeDigits))
      return false;
  }
  return true;
}

/// Without a length the parser asks for the whole file, and then for as many bytes behind the offset.
bool lacks_length(const Tensor& data) {
  const auto offset = external_entry(data, "offset");
  return !external_entry(data, "length") && offset && offset->find_first_not_of('0') != std::string_view::npos;
}

void check(RuleContext& context) {
  for (const StoredTensor& tensor : context.view().stored()) {
    const Tensor& data = context.model().tensor(tensor.id);
    if (data.data != Tensor::Data::external) continue;
    const ExternalFile file = context.tensors().external(tensor.id);
    const auto stranger = std::ranges::find_if(
        data.external, [](const StringPair& pair) { return std::ranges::find(kKeys, pair.key) == std::end(kKeys); });
    if (file.state == ExternalFile::State::no_location) {
      report(context, tensor, "has no location", "write the name of the file as `location`");
    } else if (file.state == ExternalFile::State::bad_number) {
      FindingBuilder finding =
          report(context, tensor, "has no usable place: " + file.detail, "write offset and length as decimal numbers");
      if (is_read_as_a_number(data)) {
        finding.severity(Severity::warning)
            .certainty(Certainty::likely)
            .note("TensorRT reads the digits in front, or 0: the weights may be others than those that are meant");
      }
    } else if (stranger != data.external.end()) {
      report(context, tensor,
             fmt::format("has the key `{}`, TensorRT knows location, offset, length and checksum", stranger->key),
             fmt::format("remove the key `{}`", stranger->key));
    } else if (lacks_length(data)) {
      report(context, tensor,
             fmt::format("starts at byte {} and states no length, TensorRT then asks for the whole file",
                         *external_entry(data, "offset")),
             "write the length of the tensor in bytes");
    }
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt WeightsContext.cpp convertOnnxWeights, 10.10: `was not expected!`",
    "onnx-tensorrt WeightsContext.cpp parseExternalWeights, 10.10: `Failed to read weights from external file`",
    "measured: TensorRT-RTX 1.5.0, 1.6.1, 1.7.1"};
constexpr std::string_view kMessages[] = {"* was not expected!", "Failed to read weights from external file",
                                          "Unexpected size for the external weights!"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL203",
    .name = "external-data-malformed",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "external data whose description TensorRT cannot read",
    .docs = R"(## What it checks
The entries that say where external data is: `location` is there, `offset` and `length` are numbers, `length` is there
when the tensor is not at the start of the file, and there are no other keys than `checksum`.

## Why TensorRT cares
The parser stops at a key that it does not know. Without `length` it asks for as many bytes as the whole file has, after
the offset, and fails to read them. An offset or length that is no number is read as its leading digits, or as 0, without a
message: a warning. A negative one is refused or ends the process.

## Example
```onnx
agraph (float[N,3] x) => (float[N,2] y)
<float[3,2] w = ["location": "w.bin", "offset": "4096"]> {
  y = MatMul (x, w)
}
```

## Instead
```onnx
agraph (float[N,3] x) => (float[N,2] y)
<float[3,2] w = ["location": "w.bin", "offset": "4096", "length": "24"]> {
  y = MatMul (x, w)
}
```

## Fix
Save the model again with `onnx.save_model(..., save_as_external_data=True)`.

## Evidence
onnx-tensorrt `WeightsContext.cpp`, `convertOnnxWeights` and `parseExternalWeights` (8.0 to 10.13). Numbers were measured with
TensorRT-RTX 1.5.0, 1.6.1 and 1.7.1 (of the branches 11.0 to 11.4).
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
};

}  // namespace trtcheck::rules::external_data_malformed
