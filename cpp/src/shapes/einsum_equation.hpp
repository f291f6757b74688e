// "bij,bjk->bik": the equation of an Einsum.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trtcheck::shapes {

/// 0 to 51 for A to Z and a to z, -1 for anything else.
[[nodiscard]] int label_index(char c) noexcept;

/// One operand: labels before and behind the ellipsis.
struct Operand {
  std::string before;
  std::string behind;
  bool has_ellipsis = false;
};

struct Equation {
  std::vector<Operand> inputs;
  std::optional<Operand> output;
};

/// Nothing for what is no equation.
[[nodiscard]] std::optional<Equation> read_equation(std::string_view text);
/// Without an arrow: the ellipsis first, then every label that occurs once, sorted.
[[nodiscard]] Operand implicit_output(const Equation& equation);

}  // namespace trtcheck::shapes
