#include "shapes/einsum_equation.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace trtcheck::shapes {
namespace {

constexpr std::string_view kEllipsis = "...";

std::optional<Operand> read_operand(std::string_view text) {
  Operand out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    if (text.substr(i).starts_with(kEllipsis) && !out.has_ellipsis) {
      out.has_ellipsis = true;
      i += kEllipsis.size() - 1;
    } else if (label_index(text[i]) >= 0) {
      (out.has_ellipsis ? out.behind : out.before).push_back(text[i]);
    } else {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace

int label_index(char c) noexcept {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  return c >= 'a' && c <= 'z' ? c - 'a' + 26 : -1;
}

std::optional<Equation> read_equation(std::string_view text) {
  Equation out;
  const std::size_t arrow = text.find("->");
  std::string_view left = text.substr(0, arrow);
  while (true) {
    const std::size_t comma = left.find(',');
    auto operand = read_operand(left.substr(0, comma));
    if (!operand) return std::nullopt;
    out.inputs.push_back(std::move(*operand));
    if (comma == std::string_view::npos) break;
    left.remove_prefix(comma + 1);
  }
  if (arrow != std::string_view::npos) {
    out.output = read_operand(text.substr(arrow + 2));
    if (!out.output) return std::nullopt;
  }
  return out;
}

Operand implicit_output(const Equation& equation) {
  std::array<int, 52> count{};
  Operand out;
  for (const Operand& input : equation.inputs) {
    out.has_ellipsis = out.has_ellipsis || input.has_ellipsis;
    for (const char c : input.before + input.behind) ++count[static_cast<std::size_t>(label_index(c))];
  }
  for (std::size_t i = 0; i < count.size(); ++i) {
    if (count[i] == 1) out.behind.push_back(static_cast<char>(i < 26 ? 'A' + i : 'a' + (i - 26)));
  }
  return out;
}

}  // namespace trtcheck::shapes
