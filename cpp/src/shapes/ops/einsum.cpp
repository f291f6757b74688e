// Einsum: labels to sizes, sizes to the output.
#include <array>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "shapes/einsum_equation.hpp"
#include "shapes/op_context.hpp"

namespace trtcheck::shapes {

namespace {

class Labels {
 public:
  explicit Labels(OpContext& op) : op_(op) {}

  bool add(char label, Dim size) {
    std::optional<Dim>& known = sizes_[static_cast<std::size_t>(label_index(label))];
    if (!known) {
      known = size;
      return true;
    }
    const std::span<const Dim> both[] = {{&*known, 1}, {&size, 1}};
    const auto joined = op_.broadcast(both);
    if (joined) known = joined->front();
    return joined.has_value();
  }

  Dim size(char label, std::size_t axis) {
    const auto& known = sizes_[static_cast<std::size_t>(label_index(label))];
    return known ? *known : op_.unknown("the rank of an input is not known", static_cast<std::int32_t>(axis));
  }

 private:
  OpContext& op_;
  std::array<std::optional<Dim>, 52> sizes_;
};

/// What ellipses represent: the standard asks for the same number of axes in all operands.
struct Middle {
  DimVector dims{};
  std::optional<std::size_t> rank{};
};

// Nothing on a conflict. `middle` gathers what the ellipses stand for.
bool bind(OpContext& op, Labels& labels, const Operand& operand, std::size_t input, Middle& middle) {
  const auto dims = op.in(input).dims;
  const std::size_t named = operand.before.size() + operand.behind.size();
  if (dims.size() < named || (!operand.has_ellipsis && dims.size() != named)) {
    op.conflict(fmt::format("input {} has {} axes, the equation names {}", input, dims.size(), named),
                op.node().input(input));
    return false;
  }
  for (std::size_t i = 0; i < operand.before.size(); ++i) {
    if (!labels.add(operand.before[i], dims[i])) return false;
  }
  const std::size_t hidden = dims.size() - named;
  if (operand.has_ellipsis && std::exchange(middle.rank, hidden).value_or(hidden) != hidden) {
    op.standard_forbids(
        fmt::format("the ellipsis of input {} represents {} axes, those before it another number", input, hidden),
        op.node().input(input));
  }
  const std::span<const Dim> both[] = {middle.dims, dims.subspan(operand.before.size(), hidden)};
  auto joined = op.broadcast(both);
  if (!joined) return false;
  middle.dims = std::move(*joined);
  for (std::size_t i = 0; i < operand.behind.size(); ++i) {
    if (!labels.add(operand.behind[i], dims[operand.before.size() + hidden + i])) return false;
  }
  return true;
}

}  // namespace

void infer_einsum(OpContext& op) {
  const DataType type = op.type(0);
  const auto equation = read_equation(op.attr_string("equation", ""));
  if (!equation || equation->inputs.size() != op.input_count()) {
    op.conflict(fmt::format("equation `{}` does not fit {} inputs", op.attr_string("equation", ""), op.input_count()));
    return op.set_type(0, type, "the equation does not fit the inputs");
  }
  Labels labels(op);
  Middle middle;
  bool is_middle_known = true;
  for (std::size_t i = 0; i < op.input_count(); ++i) {
    if (!op.has_rank(i)) {
      is_middle_known = is_middle_known && !equation->inputs[i].has_ellipsis;
    } else if (!bind(op, labels, equation->inputs[i], i, middle)) {
      return op.set_type(0, type, "the inputs do not fit the equation");
    }
  }
  const Operand output = equation->output ? *equation->output : implicit_output(*equation);
  if (output.has_ellipsis && !is_middle_known) return op.set_type(0, type, {});
  DimVector out;
  for (const char c : output.before) out.push_back(labels.size(c, out.size()));
  if (output.has_ellipsis) out.insert(out.end(), middle.dims.begin(), middle.dims.end());
  for (const char c : output.behind) out.push_back(labels.size(c, out.size()));
  op.set(0, type, out);
}

}  // namespace trtcheck::shapes
