// A single number where a convolution needs one for each channel: as a bias, and added behind a 1-D convolution.
#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::bias_expanded {
namespace {

/// The element as often as there are channels.
std::optional<edit::TensorValue> repeated(Draft& draft, ValueId value, std::int64_t channels,
                                          std::vector<std::int64_t> dims) {
  const auto constant = draft.contents(value);
  if (!constant || constant->bytes.empty()) return std::nullopt;
  const auto size = static_cast<std::size_t>(bits_of(constant->type)) / 8;
  if (size == 0 || constant->bytes.size() != size) return std::nullopt;
  const std::string_view element(reinterpret_cast<const char*>(constant->bytes.data()), size);
  edit::TensorValue tensor{.type = constant->type, .dims = std::move(dims)};
  for (std::int64_t i = 0; i < channels; ++i) tensor.bytes += element;
  return tensor;
}

/// What is added behind a 1-D convolution.
bool expand_added(Draft& draft, const Finding& finding) {
  const std::size_t side = draft.in(0) == finding.value ? 0 : 1;
  const ValueShape& out = draft.out_shape(0);
  if (!out.has_rank || out.rank() != 3 || !out.dims[1].is_literal()) return draft.refuse("the channels are not known");
  const std::int64_t channels = out.dims[1].value();
  const auto tensor = repeated(draft, draft.node().input(side), channels, {channels, 1});
  if (!tensor) return draft.refuse(fmt::format("`{}` is not one constant number", draft.in(side)));
  draft.title(fmt::format("store `{}` once for each of the {} channels", draft.in(side), channels));
  draft.set_input(side, draft.constant(*tensor, "expanded"));
  return true;
}

std::optional<std::int64_t> channels_of(const Draft& draft) {
  const auto weights = draft.sizes(draft.node().input(1));
  if (!weights || weights->size() < 2) return std::nullopt;
  return draft.node().op_type == "Conv" ? weights->front() : (*weights)[1] * draft.int_attribute("group", 1);
}

bool make(Draft& draft, const Finding& finding) {
  if (finding.rule->code == "WGT109") return expand_added(draft, finding);
  const auto channels = channels_of(draft);
  if (!channels) return false;
  const auto tensor = repeated(draft, draft.node().input(2), *channels, {*channels});
  if (!tensor)
    return draft.refuse(fmt::format("the bias is not one number: nobody knows which {} are meant", *channels));
  // ONNX does not say what a single number is for several channels.
  draft.promises(CureClass::choice);
  draft.title(fmt::format("store the bias `{}` once for each of the {} channels", draft.in(2), *channels));
  draft.set_input(2, draft.constant(*tensor, "bias"));
  return true;
}

constexpr std::string_view kFindings[] = {"WGT105", "WGT109"};

}  // namespace

extern constinit const Cure cure{
    .name = "bias-expanded",
    .kind = CureClass::proven,
    .summary = "a single number added to the result of a convolution is stored once for each channel",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::bias_expanded
