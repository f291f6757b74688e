#include "simplify/written.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fold/array.hpp"
#include "simplify/target.hpp"

namespace trtcheck::simplifying {
namespace {

using Numbers = std::vector<std::int64_t>;

/// A text attribute, or the default.
std::string_view text(const Node& node, std::string_view name, std::string_view otherwise) {
  const Attribute* attribute = node.attribute(name);
  return attribute != nullptr && attribute->type == AttributeType::string ? attribute->s() : otherwise;
}

std::vector<Written> of_expand(Known& known, const Node& node, ValueId data) {
  const ValueId target = node.input(1);
  const auto sizes = known.sizes(target);
  if (!sizes || known.contents(target) != nullptr || !known.has_shape(data)) return {};
  const std::span<const Dim> dims = known.shapes()[data].dims;
  Numbers numbers;
  for (std::size_t i = 0; i < sizes->size(); ++i) {
    const Dim size = (*sizes)[i];
    const std::size_t from_end = sizes->size() - i;
    const bool stays = from_end <= dims.size() && dims[dims.size() - from_end].same(size);
    if (!size.is_literal() && !stays) return {};
    numbers.push_back(stays ? 1 : size.value());
  }
  return {{.input = 1,
           .constant = vector_of(DataType::int64, numbers),
           .parts = {},
           .title = fmt::format("write [{}] as the target", fmt::join(numbers, ", ")),
           .dropped = {}}};
}

/// A bound of a Slice, forwards along an axis; nothing: it does not follow from the axis alone.
std::optional<std::int64_t> bound(Known& known, Dim value, Dim axis, bool is_end, std::int64_t largest) {
  if (value.is_literal()) return value.value();
  if (is_end && known.dims().less_equal(axis, value) == Truth::yes) return largest;
  const Dim before_end = known.dims().sub(axis, value);
  const bool is_inside = known.dims().bounds(value).low >= 0;
  if (before_end.is_literal() && before_end.value() > 0 && is_inside) return -before_end.value();
  return std::nullopt;
}

std::optional<std::vector<std::size_t>> slice_axes(Known& known, const Node& node, std::size_t count,
                                                   std::size_t rank) {
  std::vector<std::size_t> axes;
  const auto given = node.input(3) ? known.ints(node.input(3)) : std::nullopt;
  if (node.input(3) && (!given || given->size() != count)) return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t axis = given ? (*given)[i] : static_cast<std::int64_t>(i);
    const std::int64_t counted = axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
    if (counted < 0 || counted >= static_cast<std::int64_t>(rank)) return std::nullopt;
    axes.push_back(static_cast<std::size_t>(counted));
  }
  return axes;
}

std::vector<Written> of_slice(Known& known, const Node& node, ValueId data) {
  constexpr std::int64_t kByInputs = 10;
  if (known.opset(node) < kByInputs || !known.has_shape(data)) return {};
  const auto steps = node.input(4) ? known.ints(node.input(4)) : std::optional(Numbers{});
  if (!steps || std::ranges::any_of(*steps, [](std::int64_t step) { return step < 1; })) return {};
  const std::span<const Dim> dims = known.shapes()[data].dims;
  std::vector<Written> made;
  for (const std::size_t input : {std::size_t{1}, std::size_t{2}}) {
    const ValueId bounds = node.input(input);
    const auto sizes = known.sizes(bounds);
    if (!sizes || known.contents(bounds) != nullptr) continue;
    const auto axes = slice_axes(known, node, sizes->size(), dims.size());
    if (!axes) return {};
    const DataType type = known.shapes()[bounds].type;
    const std::int64_t largest =
        type == DataType::int32 ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<std::int64_t>::max();
    Numbers numbers;
    for (std::size_t i = 0; i < sizes->size(); ++i) {
      const auto number = bound(known, (*sizes)[i], dims[(*axes)[i]], input == 2, largest);
      if (!number) break;
      numbers.push_back(*number);
    }
    if (numbers.size() != sizes->size()) continue;
    made.push_back(
        {.input = input,
         .constant = vector_of(type, numbers),
         .title = fmt::format("write [{}] as the {}", fmt::join(numbers, ", "), input == 1 ? "starts" : "ends"),
         .dropped = {}});
  }
  return made;
}

/// How many times as large; nothing: not a whole number of times.
std::optional<std::int64_t> times(Known& known, Dim from, Dim to) {
  constexpr std::int64_t kMost = 16;
  for (std::int64_t factor = 1; factor <= kMost; ++factor) {
    if (known.dims().mul(from, known.dims().literal(factor)).same(to)) return factor;
  }
  return std::nullopt;
}

/// Left out, or empty as before opset 13.
bool is_without_scales(Known& known, const Node& node) {
  const Constant* scales = node.input(2) ? known.contents(node.input(2)) : nullptr;
  return !node.input(2) || (scales != nullptr && scales->bytes.empty());
}

std::vector<Written> of_resize(Known& known, const Node& node, ValueId data) {
  constexpr std::int64_t kSizesAndScales = 11;
  const ValueId target = node.input(3);
  const auto sizes = target ? known.sizes(target) : std::nullopt;
  if (known.opset(node) < kSizesAndScales || !sizes || known.contents(target) != nullptr) return {};
  const bool is_plain = text(node, "keep_aspect_ratio_policy", "stretch") == "stretch" &&
                        text(node, "coordinate_transformation_mode", "half_pixel") != "tf_crop_and_resize" &&
                        node.attribute("axes") == nullptr && is_without_scales(known, node);
  if (!is_plain || !known.has_shape(data)) return {};
  const std::span<const Dim> dims = known.shapes()[data].dims;
  if (dims.size() != sizes->size()) return {};
  std::vector<double> scales;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const auto factor = times(known, dims[i], (*sizes)[i]);
    if (!factor) return {};
    scales.push_back(static_cast<double>(*factor));
  }
  const fold::Array array =
      fold::array_of<double>(DataType::float32, {static_cast<std::int64_t>(scales.size())}, scales);
  return {{.input = 2,
           .constant = fold::packed(array),
           .parts = {},
           .title = fmt::format("write the scales [{}] instead of sizes", fmt::join(scales, ", ")),
           .dropped = {}},
          {.input = 3, .constant = std::nullopt, .parts = {}, .title = {}, .dropped = {}}};
}

}  // namespace

Constant vector_of(DataType type, const std::vector<std::int64_t>& numbers) {
  return fold::packed(fold::array_of<std::int64_t>(type, {static_cast<std::int64_t>(numbers.size())}, numbers));
}

std::vector<Written> written_inputs(Known& known, NodeId id, ValueId data, bool shortens) {
  const Node& node = known.model().node(id);
  if (!node.domain().empty() || node.call() || !data) return {};
  if (node.op_type == "Reshape") return written_target(known, node, data, shortens);
  if (node.op_type == "Expand") return of_expand(known, node, data);
  if (node.op_type == "Slice") return of_slice(known, node, data);
  if (node.op_type == "Resize") return of_resize(known, node, data);
  return {};
}

}  // namespace trtcheck::simplifying
