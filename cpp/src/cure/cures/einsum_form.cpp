// Einsum in a form that the release does not accept: other letters, letters for an ellipsis, two operands at a time.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/writer.hpp"

namespace trtcheck::cure::einsum_form {
namespace {

using Name = Writer::Name;

struct Equation {
  std::vector<std::string> terms;
  std::string result;
};

/// The result of an equation without an arrow: the ellipsis, and the letters that stand once, sorted.
std::string implied(const std::vector<std::string>& terms) {
  std::map<char, int> counts;
  bool has_ellipsis = false;
  for (const std::string& term : terms) {
    for (const char c : term) {
      if (c == '.') has_ellipsis = true;
      if (c != '.') ++counts[c];
    }
  }
  std::string result = has_ellipsis ? "..." : "";
  for (const auto& [letter, count] : counts) {
    if (count == 1) result += letter;
  }
  return result;
}

Equation parsed(std::string text) {
  std::erase(text, ' ');
  Equation equation;
  const std::size_t arrow = text.find("->");
  std::string left = text.substr(0, arrow);
  for (std::size_t at = 0; at != std::string::npos;) {
    const std::size_t comma = left.find(',', at);
    equation.terms.push_back(left.substr(at, comma == std::string::npos ? comma : comma - at));
    at = comma == std::string::npos ? comma : comma + 1;
  }
  equation.result = arrow == std::string::npos ? implied(equation.terms) : text.substr(arrow + 2);
  return equation;
}

/// Small letters in the order in which they come up; an ellipsis becomes letters, too, where the ranks are known.
bool spell(Draft& draft, Equation& equation) {
  std::size_t widest = 0;
  for (std::size_t i = 0; i < equation.terms.size(); ++i) {
    const std::size_t dots = equation.terms[i].find("...");
    if (dots == std::string::npos) continue;
    const std::optional<std::size_t> rank = draft.rank(draft.node().input(i));
    if (!rank || *rank + 3 < equation.terms[i].size()) {
      return draft.refuse(fmt::format("the rank of `{}` is not known", draft.in(i)));
    }
    widest = std::max(widest, *rank + 3 - equation.terms[i].size());
  }
  // Axes of an ellipsis are digits until all get letters; they count from the last.
  const auto unfold = [](std::string& term, std::size_t count) {
    const std::size_t dots = term.find("...");
    if (dots == std::string::npos) return;
    std::string digits;
    for (std::size_t i = count; i > 0; --i) digits += static_cast<char>('0' + static_cast<int>(i - 1));
    term.replace(dots, 3, digits);
  };
  constexpr std::size_t kMostAxes = 8;
  if (widest > kMostAxes) return false;
  for (std::size_t i = 0; i < equation.terms.size(); ++i) {
    const bool has_dots = equation.terms[i].find("...") != std::string::npos;
    if (has_dots) unfold(equation.terms[i], *draft.rank(draft.node().input(i)) + 3 - equation.terms[i].size());
  }
  unfold(equation.result, widest);
  std::string known;
  const auto rename = [&known](std::string& term) {
    for (char& c : term) {
      std::size_t at = known.find(c);
      if (at == std::string::npos) {
        at = known.size();
        known += c;
      }
      c = static_cast<char>('a' + static_cast<int>(at));
    }
  };
  for (std::string& term : equation.terms) rename(term);
  rename(equation.result);
  constexpr std::size_t kLetters = 26;
  return known.size() <= kLetters || draft.refuse("it has more than 26 different letters");
}

std::string text_of(const std::string& a, const std::string& b, const std::string& result) {
  return fmt::format("{},{}->{}", a, b, result);
}

/// Two operands at a time, from the left; letters that are read later stay.
void write_pairs(Writer& w, const Equation& equation) {
  Draft& draft = w.draft();
  Name made = draft.in(0);
  std::string term = equation.terms.front();
  for (std::size_t i = 1; i < equation.terms.size(); ++i) {
    std::string kept;
    std::string later = equation.result;
    for (std::size_t k = i + 1; k < equation.terms.size(); ++k) later += equation.terms[k];
    for (const char c : term + equation.terms[i]) {
      if (later.find(c) != std::string::npos && kept.find(c) == std::string::npos) kept += c;
    }
    const bool is_last = i + 1 == equation.terms.size();
    const std::string result = is_last ? equation.result : kept;
    made = w.op("Einsum", {made, draft.in(i)}, {{"equation", text_of(term, equation.terms[i], result)}});
    term = result;
  }
  draft.becomes(0, made);
  draft.remove();
}

bool make(Draft& draft, const Finding& finding) {
  Equation equation = parsed(draft.text_attribute("equation", ""));
  if (equation.terms.size() != draft.node().inputs.size()) return false;
  if (!spell(draft, equation)) return false;
  Writer w(draft);
  if (finding.fact == "einsum-many-inputs") {
    draft.promises(CureClass::rounding);
    write_pairs(w, equation);
    draft.title("compute `Einsum` two operands at a time");
    return true;
  }
  const std::string text = fmt::format("{}->{}", fmt::join(equation.terms, ","), equation.result);
  if (text == draft.text_attribute("equation", "")) return false;
  draft.set_attribute("equation", text);
  draft.title(fmt::format("write the equation as `{}`", text));
  return true;
}

constexpr std::string_view kOps[] = {"Einsum"};
constexpr std::string_view kFindings[] = {"OPS401:einsum-ellipsis", "OPS401:einsum-letters",
                                          "OPS401:einsum-many-inputs"};

}  // namespace

extern constinit const Cure cure{
    .name = "einsum-form",
    .kind = CureClass::proven,
    .summary = "an equation of Einsum is written in small letters, without an ellipsis, for two operands at a time",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::einsum_form
