// Scales along an axis that they do not fit: the only axis of that size, at QuantizeLinear and all that read it.
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/quantizers.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::scale_axis_corrected {
namespace {

/// Nothing: none fits, or several do.
std::optional<std::int64_t> only_axis(const Draft& draft, const Node& node) {
  const auto data = draft.sizes(node.input(0));
  const auto scales = draft.sizes(node.input(1));
  if (!data || !scales || scales->size() != 1) return std::nullopt;
  std::optional<std::int64_t> found;
  for (std::size_t i = 0; i < data->size(); ++i) {
    if ((*data)[i] != scales->front()) continue;
    if (found) return std::nullopt;
    found = static_cast<std::int64_t>(i);
  }
  return found;
}

bool make(Draft& draft, const Finding&) {
  constexpr std::int64_t kHasAxis = 13;
  const auto axis = only_axis(draft, draft.node());
  if (draft.opset() < kHasAxis || draft.node().attribute("axis") == nullptr) return false;
  if (!axis) return draft.refuse("not exactly one axis has the size of the scale");
  draft.set_attribute("axis", *axis);
  draft.title(fmt::format("set `axis` to {}, the only one that the scales fit", *axis));
  if (draft.node().op_type != "QuantizeLinear") return true;
  const auto readers = dequantizers(draft, draft.node().output(0));
  if (!readers) return draft.refuse("the codes are read by other nodes than DequantizeLinear");
  for (const NodeId reader : *readers) {
    if (only_axis(draft, draft.model().node(reader)) != axis) continue;
    draft.add(edit::SetAttribute{edit::place_of(draft.model(), reader), {"axis", *axis}});
  }
  return true;
}

constexpr std::string_view kFindings[] = {"QDQ104"};
constexpr std::string_view kOps[] = {"DequantizeLinear", "QuantizeLinear"};

}  // namespace

// A choice: as it stands the node has no meaning.
extern constinit const Cure cure{
    .name = "scale-axis-corrected",
    .kind = CureClass::choice,
    .summary = "`axis` becomes the only axis that has as many elements as there are scales",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::scale_axis_corrected
