#include "simplify/written.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fold/array.hpp"
#include "text/plural.hpp"

namespace trtcheck::simplifying {
namespace {

using Numbers = std::vector<std::int64_t>;

/// A text attribute, or the default.
std::string_view text(const Node& node, std::string_view name, std::string_view otherwise) {
  const Attribute* attribute = node.attribute(name);
  return attribute != nullptr && attribute->type == AttributeType::string ? attribute->s() : otherwise;
}

std::int64_t opset_of(const Known& known, const Node& node) { return known.model().opset(node.graph).value_or(0); }

bool is_positive(const Known& known, Dim dim) { return known.dims().bounds(dim).low >= 1; }

Dim product(DimTable& table, std::span<const Dim> dims) {
  Dim all = table.literal(1);
  for (const Dim dim : dims) all = table.mul(all, dim);
  return all;
}

/// What a -1 is solved to, so that whoever reads the new model knows what we know.
bool is_solved(Known& known, std::span<const Dim> data, std::span<const Dim> made, std::size_t index) {
  std::vector<Dim> left(data.begin(), data.end());
  std::vector<Dim> others;
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (i == index) continue;
    const auto same = std::ranges::find_if(left, [&](Dim dim) { return dim.same(made[i]); });
    if (same == left.end()) {
      others.push_back(made[i]);
    } else {
      left.erase(same);
    }
  }
  DimTable& table = known.dims();
  return table.equal(table.floor_div(product(table, left), product(table, others)), made[index]) == Truth::yes;
}

/// The inputs of a Concat of vectors that makes the target of a Reshape; nothing: something else makes it.
std::optional<std::vector<Part>> parts_of_target(Known& known, const Node& node, std::size_t count) {
  const Model& model = known.model();
  const Node& concat = model.node(model.value(node.input(1)).producer);
  if (concat.op_type != "Concat" || !concat.domain().empty() || concat.graph != node.graph) return std::nullopt;
  std::vector<Part> parts;
  std::size_t length = 0;
  for (const ValueId input : concat.inputs) {
    const ValueShape& shape = known.shapes()[input];
    if (!known.has_shape(input) || shape.rank() != 1 || !shape.dims[0].is_literal()) return std::nullopt;
    const auto numbers = known.ints(input);
    parts.push_back(numbers ? Part{.value = {}, .numbers = *numbers} : Part{.value = input, .numbers = {}});
    length += static_cast<std::size_t>(shape.dims[0].value());
  }
  return length == count ? std::optional(std::move(parts)) : std::nullopt;
}

/// Which entries of a target have to be known when it is run, and what the others are written as.
class Entries {
 public:
  Entries(Known& known, std::span<const Dim> from, std::span<const Dim> to) : known_(&known), from_(from), to_(to) {}

  [[nodiscard]] bool is_open(std::size_t i) const {
    return !to_[i].is_literal() && (i >= from_.size() || !from_[i].same(to_[i]));
  }
  /// @pre not open, or it is the one that is solved
  [[nodiscard]] std::int64_t number(std::size_t i) const {
    if (is_open(i)) return -1;
    return to_[i].is_literal() ? to_[i].value() : 0;
  }
  [[nodiscard]] std::size_t length_of(const Part& part) const {
    return part.value ? static_cast<std::size_t>(known_->shapes()[part.value].dims[0].value()) : part.numbers.size();
  }
  [[nodiscard]] std::size_t open_in(std::size_t begin, std::size_t length) const {
    std::size_t count = 0;
    for (std::size_t i = begin; i < begin + length; ++i) count += is_open(i) ? 1U : 0U;
    return count;
  }
  [[nodiscard]] bool is_solvable(std::size_t begin, std::size_t length) const {
    for (std::size_t i = begin; i < begin + length; ++i) {
      if (is_open(i)) return is_solved(*known_, from_, to_, i);
    }
    return false;
  }
  [[nodiscard]] Numbers numbers(std::size_t begin, std::size_t length) const {
    Numbers made;
    for (std::size_t i = begin; i < begin + length; ++i) made.push_back(number(i));
    return made;
  }

 private:
  Known* known_;
  std::span<const Dim> from_;
  std::span<const Dim> to_;
};

/// The last computed part that a -1 can stand for; none: a -1 stands somewhere already.
std::optional<std::size_t> solved_part(const Entries& entries, const std::vector<Part>& parts) {
  std::optional<std::size_t> found;
  std::size_t begin = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const std::size_t length = entries.length_of(parts[p]);
    const std::size_t open = entries.open_in(begin, length);
    if (!parts[p].value && open > 0) return std::nullopt;
    if (parts[p].value && open == 1 && entries.is_solvable(begin, length)) found = p;
    begin += length;
  }
  return found;
}

std::size_t computed(const std::vector<Part>& parts) {
  return static_cast<std::size_t>(
      std::ranges::count_if(parts, [](const Part& p) { return static_cast<bool>(p.value); }));
}

/// Fewer computed parts than before; none: it is as short as can be, or not known well enough.
std::vector<Part> shorter_target(Known& known, const Node& node, ValueId data) {
  const auto sizes = known.sizes(node.input(1));
  if (!sizes || !known.has_shape(data) || !known.has_shape(node.output(0))) return {};
  const std::span<const Dim> to = known.shapes()[node.output(0)].dims;
  const auto is_sure = [&](Dim dim) { return known.dims().is_exact(dim) && is_positive(known, dim); };
  const auto parts = parts_of_target(known, node, to.size());
  if (!parts || sizes->size() != to.size() || !std::ranges::all_of(to, is_sure)) return {};
  const Entries entries(known, known.shapes()[data].dims, to);
  const std::optional<std::size_t> solved = solved_part(entries, *parts);
  std::vector<Part> made;
  std::size_t begin = 0;
  for (std::size_t p = 0; p < parts->size(); ++p) {
    const Part& part = (*parts)[p];
    const std::size_t length = entries.length_of(part);
    const bool is_computed = part.value && entries.open_in(begin, length) > 0 && solved != p;
    if (is_computed) {
      made.push_back(part);
    } else {
      if (made.empty() || made.back().value) made.emplace_back();
      const Numbers numbers = entries.numbers(begin, length);
      made.back().numbers.insert(made.back().numbers.end(), numbers.begin(), numbers.end());
    }
    begin += length;
  }
  return computed(made) < computed(*parts) ? made : std::vector<Part>{};
}

std::vector<Written> of_reshape(Known& known, const Node& node, ValueId data, bool shortens) {
  constexpr std::int64_t kByInput = 5;
  const ValueId target = node.input(1);
  if (opset_of(known, node) < kByInput || !target || known.contents(target) != nullptr) return {};
  const std::string dropped = node.attribute("allowzero") != nullptr ? "allowzero" : "";
  if (const std::optional<Numbers> numbers = reshape_target(known, data, node.output(0))) {
    return {{.input = 1,
             .constant = vector_of(DataType::int64, *numbers),
             .parts = {},
             .title = fmt::format("write [{}] as the target", fmt::join(*numbers, ", ")),
             .dropped = dropped}};
  }
  if (!shortens || known.model().value(target).users.size() != 1) return {};
  std::vector<Part> parts = shorter_target(known, node, data);
  if (parts.empty()) return {};
  const std::size_t count = computed(parts);
  return {{.input = 1,
           .constant = {},
           .parts = std::move(parts),
           .title = fmt::format("write all but {} of the target as numbers", counted(count, "size")),
           .dropped = dropped}};
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
  if (opset_of(known, node) < kByInputs || !known.has_shape(data)) return {};
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
  if (opset_of(known, node) < kSizesAndScales || !sizes || known.contents(target) != nullptr) return {};
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

std::optional<std::vector<std::int64_t>> reshape_target(Known& known, ValueId data, ValueId made) {
  if (!known.has_shape(data) || !known.has_shape(made)) return std::nullopt;
  const std::span<const Dim> from = known.shapes()[data].dims;
  const std::span<const Dim> to = known.shapes()[made].dims;
  Numbers numbers;
  std::optional<std::size_t> solved;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (!known.dims().is_exact(to[i]) || !is_positive(known, to[i])) return std::nullopt;
    if (to[i].is_literal()) {
      numbers.push_back(to[i].value());
    } else if (i < from.size() && from[i].same(to[i])) {
      numbers.push_back(0);
    } else if (solved) {
      return std::nullopt;
    } else {
      solved = i;
      numbers.push_back(-1);
    }
  }
  if (solved && !is_solved(known, from, to, *solved)) return std::nullopt;
  return numbers;
}

std::vector<Written> written_inputs(Known& known, NodeId id, ValueId data, bool shortens) {
  const Node& node = known.model().node(id);
  if (!node.domain().empty() || node.call() || !data) return {};
  if (node.op_type == "Reshape") return of_reshape(known, node, data, shortens);
  if (node.op_type == "Expand") return of_expand(known, node, data);
  if (node.op_type == "Slice") return of_slice(known, node, data);
  if (node.op_type == "Resize") return of_resize(known, node, data);
  return {};
}

}  // namespace trtcheck::simplifying
