#include "simplify/same.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "cure/numbers.hpp"

namespace trtcheck::simplifying {
namespace {

using Numbers = std::vector<std::int64_t>;

bool is_all(const std::optional<Numbers>& numbers, std::int64_t number) {
  return numbers && std::ranges::all_of(*numbers, [&](std::int64_t one) { return one == number; });
}

std::int64_t integer(const Node& node, std::string_view name, std::int64_t otherwise) {
  const Attribute* attribute = node.attribute(name);
  return attribute != nullptr && attribute->type == AttributeType::int_ ? attribute->i() : otherwise;
}

/// Of a tensor all of whose elements are one number.
std::optional<double> only_number(Known& known, ValueId value) {
  const Constant* constant = known.contents(value);
  const auto numbers = constant == nullptr ? std::nullopt : cure::real_numbers(*constant);
  if (!numbers || numbers->empty()) return std::nullopt;
  const double first = numbers->front();
  const bool is_one = std::ranges::all_of(
      *numbers, [&](double other) { return other == first && std::signbit(other) == std::signbit(first); });
  return is_one ? std::optional(first) : std::nullopt;
}

bool is_whole(Known& known, ValueId value) {
  const ValueShape& shape = known.shapes()[value];
  if (!known.has_type(value)) return false;
  switch (shape.type) {
    case DataType::float32:
    case DataType::float64:
    case DataType::float16:
    case DataType::bfloat16:
      return false;
    default:
      return true;
  }
}

/// Dropout that drops nothing; its mask is read by nobody.
ValueId of_dropout(Known& known, const Node& node) {
  constexpr std::int64_t kAlwaysInference = 7;
  constexpr std::int64_t kModeIsInput = 12;
  const std::int64_t opset = known.opset(node);
  if (opset < kAlwaysInference && integer(node, "is_test", 0) == 0) return {};
  if (opset >= kModeIsInput && node.input(2)) {
    const bool is_off = is_all(known.ints(node.input(2)), 0);
    const bool drops_nothing = only_number(known, node.input(1)) == 0.0;
    if (!is_off && !drops_nothing) return {};
  }
  return node.input(0);
}

/// x * 1, x / 1, x - 0, x + -0, and the like for whole numbers.
ValueId of_arithmetic(Known& known, const Node& node) {
  const auto is_neutral = [&](ValueId value) {
    const std::optional<double> number = only_number(known, value);
    if (!number) return false;
    if (node.op_type == "Mul" || node.op_type == "Div") return *number == 1;
    if (*number != 0) return false;
    // -0 + 0 is 0, which is another number than -0; -0 - 0 is not.
    return is_whole(known, value) || std::signbit(*number) == (node.op_type == "Add");
  };
  const bool may_swap = node.op_type == "Mul" || node.op_type == "Add";
  if (is_neutral(node.input(1))) return node.input(0);
  if (may_swap && is_neutral(node.input(0))) return node.input(1);
  return {};
}

ValueId of_where(Known& known, const Node& node) {
  const auto condition = known.ints(node.input(0));
  if (is_all(condition, 1)) return node.input(1);
  return is_all(condition, 0) ? node.input(2) : ValueId{};
}

/// All of each axis, forwards.
ValueId of_slice(Known& known, const Node& node) {
  constexpr std::int64_t kByInputs = 10;
  if (known.opset(node) < kByInputs) return {};
  const auto starts = known.ints(node.input(1));
  const bool is_forwards = !node.input(4) || is_all(known.ints(node.input(4)), 1);
  return is_all(starts, 0) && is_forwards ? node.input(0) : ValueId{};
}

/// The elements stay in order: what has the same dims is the same.
bool moves_nothing(Known& known, const Node& node) {
  if (node.op_type == "Transpose") {
    const Attribute* perm = node.attribute("perm");
    if (perm == nullptr || perm->type != AttributeType::ints) return false;
    return std::ranges::is_sorted(perm->ints());
  }
  if (node.op_type == "Expand" || keeps_order(node)) return true;
  if (node.op_type == "Tile") return is_all(known.ints(node.input(1)), 1);
  if (node.op_type == "Pad") return node.input(1) && is_all(known.ints(node.input(1)), 0);
  return false;
}

ValueId candidate(Known& known, const Node& node) {
  const std::string_view op = node.op_type;
  if (op == "Dropout") return of_dropout(known, node);
  if (op == "Add" || op == "Sub" || op == "Mul" || op == "Div") return of_arithmetic(known, node);
  if (op == "Where") return of_where(known, node);
  if (op == "Slice") return of_slice(known, node);
  if (op == "Cast" || op == "CastLike" || moves_nothing(known, node)) return node.input(0);
  const bool is_of_one = op == "Concat" || op == "Sum" || op == "Max" || op == "Min" || op == "Mean" || op == "Split";
  if (is_of_one && std::ranges::count_if(node.inputs, [](ValueId id) { return static_cast<bool>(id); }) >= 1) {
    const bool is_alone = op == "Split" ? node.outputs.size() == 1 : node.inputs.size() == 1;
    return is_alone ? node.input(0) : ValueId{};
  }
  return {};
}

}  // namespace

bool keeps_order(const Node& node) {
  constexpr std::array<std::string_view, 4> kOps{"Flatten", "Reshape", "Squeeze", "Unsqueeze"};
  return node.domain().empty() && std::ranges::find(kOps, node.op_type) != kOps.end();
}

ValueId same_input(Known& known, NodeId id) {
  const Node& node = known.model().node(id);
  if (!node.domain().empty() || node.call() || !node.output(0)) return {};
  for (std::size_t i = 1; i < node.outputs.size(); ++i) {
    if (known.is_read(node.outputs[i])) return {};
  }
  // Sequences and optionals, too.
  if (node.op_type == "Identity") return node.input(0);
  const ValueId input = candidate(known, node);
  return input && known.are_alike(node.output(0), input) ? input : ValueId{};
}

bool is_lossless(DataType from, DataType to) noexcept {
  using enum DataType;
  struct Wider {
    DataType from;
    std::array<DataType, 6> to;
  };
  constexpr Wider kWider[] = {
      {boolean, {uint8, int8, int32, int64, float32, float16}},
      {uint8, {int16, int32, int64, float32, float16, float64}},
      {int8, {int16, int32, int64, float32, float16, float64}},
      {uint16, {int32, int64, uint32, uint64, float32, float64}},
      {int16, {int32, int64, int64, int64, float32, float64}},
      {int32, {int64, int64, int64, int64, int64, float64}},
      {uint32, {int64, uint64, uint64, uint64, uint64, float64}},
      {float16, {float32, float32, float32, float32, float32, float64}},
      {bfloat16, {float32, float32, float32, float32, float32, float64}},
      {float32, {float64, float64, float64, float64, float64, float64}},
  };
  const auto* const found = std::ranges::find(kWider, from, &Wider::from);
  return found != std::end(kWider) && std::ranges::find(found->to, to) != found->to.end();
}

}  // namespace trtcheck::simplifying
