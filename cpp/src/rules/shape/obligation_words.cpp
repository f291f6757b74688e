#include "rules/shape/obligation_words.hpp"

#include <fmt/core.h>

namespace trtcheck::rules {

bool is_met(Obligation::Need need, std::int64_t a, std::int64_t b) {
  switch (need) {
    case Obligation::Need::equal:
      return a == b;
    case Obligation::Need::divides:
      return b != 0 && a % b == 0;
    case Obligation::Need::one_or_equal:
      return a == 1 || a == b;
    case Obligation::Need::at_least:
      return a >= b;
    case Obligation::Need::in_range:
      return 0 <= a && a < b;
  }
  return true;
}

bool is_met_by(const Obligation& obligation, std::int64_t a, std::int64_t b) {
  return is_met(obligation.need, a, b) || (b == 1 && obligation.why == "inputs broadcast against each other");
}

std::string wanted(const DimTable& dims, const Obligation& obligation) {
  const std::string a = dims.text(obligation.a);
  const std::string b = dims.text(obligation.b);
  switch (obligation.need) {
    case Obligation::Need::equal:
      return fmt::format("`{}` = `{}`", a, b);
    case Obligation::Need::divides:
      return fmt::format("`{}` to divide `{}`", b, a);
    case Obligation::Need::one_or_equal:
      return fmt::format("`{}` to be 1 or `{}`", a, b);
    case Obligation::Need::at_least:
      return fmt::format("`{}` >= `{}`", a, b);
    case Obligation::Need::in_range:
      return fmt::format("`{}` in 0 .. `{}` - 1", a, b);
  }
  return {};
}

}  // namespace trtcheck::rules
