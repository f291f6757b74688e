#include <algorithm>
#include <array>

#include <trtcheck/rule.hpp>

#include "rules/list.hpp"

namespace trtcheck {

namespace rules {
// Each stands in a namespace of its own, so that local names of rules may be alike wherever they are compiled together.
#define TRTCHECK_RULE(name) \
  namespace name {          \
  extern const Rule rule;   \
  }
#include "rules/list.inc"
#undef TRTCHECK_RULE

namespace {

constexpr std::array kAll{
#define TRTCHECK_RULE(name) &name::rule,
#include "rules/list.inc"
#undef TRTCHECK_RULE
};

}  // namespace
}  // namespace rules

std::string_view to_string(Severity severity) noexcept {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "";
}

std::string_view to_string(Certainty certainty) noexcept {
  switch (certainty) {
    case Certainty::possible:
      return "possible";
    case Certainty::likely:
      return "likely";
    case Certainty::proven:
      return "proven";
  }
  return "";
}

std::string_view to_string(Applicability applicability) noexcept {
  switch (applicability) {
    case Applicability::none:
      return "none";
    case Applicability::display:
      return "display";
    case Applicability::unsafe:
      return "unsafe";
    case Applicability::safe:
      return "safe";
  }
  return "";
}

std::span<const Rule* const> all_rules() noexcept { return rules::kAll; }

const Rule* find_rule(std::string_view code_or_name) noexcept {
  const auto matches = [&](const Rule* rule) {
    return rules::same_ignoring_case(rule->code, code_or_name) || rule->name == code_or_name;
  };
  const auto it = std::ranges::find_if(rules::kAll, matches);
  return it == rules::kAll.end() ? nullptr : *it;
}

namespace rules {

bool same_ignoring_case(std::string_view a, std::string_view b) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace rules
}  // namespace trtcheck
