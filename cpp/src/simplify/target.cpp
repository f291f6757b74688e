#include "simplify/target.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text/plural.hpp"

namespace trtcheck::simplifying {
namespace {

using Sizes = std::vector<std::int64_t>;

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
  [[nodiscard]] Sizes numbers(std::size_t begin, std::size_t length) const {
    Sizes made;
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
      const Sizes numbers = entries.numbers(begin, length);
      made.back().numbers.insert(made.back().numbers.end(), numbers.begin(), numbers.end());
    }
    begin += length;
  }
  return computed(made) < computed(*parts) ? made : std::vector<Part>{};
}

}  // namespace

std::optional<std::vector<std::int64_t>> reshape_target(Known& known, ValueId data, ValueId made) {
  if (!known.has_shape(data) || !known.has_shape(made)) return std::nullopt;
  const std::span<const Dim> from = known.shapes()[data].dims;
  const std::span<const Dim> to = known.shapes()[made].dims;
  Sizes numbers;
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

std::vector<Written> written_target(Known& known, const Node& node, ValueId data, bool shortens) {
  constexpr std::int64_t kByInput = 5;
  const ValueId target = node.input(1);
  if (known.opset(node) < kByInput || !target || known.contents(target) != nullptr) return {};
  const std::string dropped = node.attribute("allowzero") != nullptr ? "allowzero" : "";
  if (const std::optional<Sizes> numbers = reshape_target(known, data, node.output(0))) {
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

}  // namespace trtcheck::simplifying
