#include "engine/symbol_names.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include <fmt/core.h>

namespace trtcheck::engine {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_part_of_name(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// `s27`, `u0`: what torch.export calls sizes that nobody named. "" = none begins there.
std::string_view made_up_name(std::string_view text, std::size_t at) {
  if (text[at] != 's' && text[at] != 'u') return {};
  if (at > 0 && (is_part_of_name(text[at - 1]) || text[at - 1] == '.' || text[at - 1] == '/')) return {};
  std::size_t end = at + 1;
  while (end < text.size() && is_digit(text[end])) ++end;
  const bool goes_on = end < text.size() && (is_part_of_name(text[end]) || text[end] == '/');
  return end == at + 1 || goes_on ? std::string_view{} : text.substr(at, end - at);
}

using Axes = std::unordered_map<std::string_view, std::string>;
using ToldNames = std::unordered_set<std::string_view>;

/// What is in backquotes is explained behind them, all else at the end.
void explain(std::string& text, const Axes& axes, ToldNames& told) {
  std::string out, behind_quotes, at_end;
  std::size_t quote = std::string::npos;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') {
      quote = quote == std::string::npos ? i : std::string::npos;
    } else if (const auto found = axes.find(made_up_name(text, i)); found != axes.end()) {
      const auto& [name, axis] = *found;
      if (told.insert(name).second) {
        const bool is_alone = quote + 1 == i && i + name.size() < text.size() && text[i + name.size()] == '`';
        std::string remark = is_alone ? fmt::format(" ({})", axis) : fmt::format(" (`{}`: {})", name, axis);
        (quote == std::string::npos ? at_end : behind_quotes) += std::move(remark);
      }
    }
    out += text[i];
    if (quote == std::string::npos && text[i] == '`') out += std::exchange(behind_quotes, {});
  }
  if (out.size() + behind_quotes.size() + at_end.size() > text.size()) text = out + behind_quotes + at_end;
}

}  // namespace

SymbolNames::SymbolNames(const Model& model, const Shapes& shapes) {
  for (const ValueId input : model.graph().inputs) {
    if (!model.is_network_input(input) || !shapes[input].has_rank) continue;
    const auto dims = shapes[input].dims;
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
      const auto symbols = shapes.dims().symbols(dims[axis]);
      const bool is_name = symbols.size() == 1 && shapes.dims().text(dims[axis]) == symbols[0];
      if (!is_name || made_up_name(symbols[0], 0) != symbols[0]) continue;
      axes_.emplace(symbols[0], fmt::format("axis {} of input `{}`", axis, model.value(input).name));
    }
  }
}

void SymbolNames::explain_in(Finding& finding) const {
  if (axes_.empty()) return;
  ToldNames told;
  explain(finding.message, axes_, told);
  for (Note& note : finding.notes) explain(note.message, axes_, told);
}

std::string SymbolNames::legend(std::string_view text) const {
  std::string out;
  ToldNames told;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto found = axes_.find(made_up_name(text, i));
    if (found == axes_.end() || !told.insert(found->first).second) continue;
    out += fmt::format("{}{} is {}", out.empty() ? "" : ", ", found->first, found->second);
  }
  return out;
}

}  // namespace trtcheck::engine
