#include "axes/demands.hpp"

#include <map>
#include <tuple>

#include <fmt/format.h>

#include "dims/dim_key.hpp"
#include "rules/shape/obligation_words.hpp"

namespace trtcheck::axis {
namespace {

bool can_be_one(const DimTable& dims, Dim dim) {
  const Interval range = dims.bounds(dim);
  return range.low <= 1 && range.high >= 1;
}

std::string equal_text(DimTable& dims, const Obligation& obligation) {
  const std::string a = dims.text(obligation.a);
  const std::string b = dims.text(obligation.b);
  const bool a_may = obligation.need == Obligation::Need::one_or_equal && can_be_one(dims, obligation.a);
  const bool b_may = rules::may_be_one(obligation) && can_be_one(dims, obligation.b);
  std::string out = fmt::format("`{}` must equal `{}`", a, b);
  if (a_may && b_may) return out + ", or one of them must be 1";
  if (a_may || b_may) out += fmt::format(", or `{}` must be 1", a_may ? a : b);
  return out;
}

}  // namespace

std::vector<Demand> demands(const Shapes& shapes, std::size_t most) {
  std::vector<Demand> made;
  std::map<std::tuple<Obligation::Need, std::int64_t, std::int64_t>, std::size_t> places;
  for (const Obligation& obligation : shapes.obligations()) {
    if (!shapes.dims().is_exact(obligation.a) || !shapes.dims().is_exact(obligation.b)) continue;
    const std::tuple key(obligation.need, key_of(obligation.a), key_of(obligation.b));
    const auto known = places.find(key);
    if (known != places.end()) {
      ++made[known->second].others;
    } else if (made.size() < most) {
      places.emplace(key, made.size());
      made.push_back({&obligation});
    }
  }
  return made;
}

std::string demand_text(DimTable& dims, const Obligation& obligation) {
  const std::string a = dims.text(obligation.a);
  const std::string b = dims.text(obligation.b);
  switch (obligation.need) {
    case Obligation::Need::equal:
    case Obligation::Need::one_or_equal:
      return equal_text(dims, obligation);
    case Obligation::Need::divides:
      return fmt::format("`{}` must be a multiple of `{}`", a, b);
    case Obligation::Need::at_least:
      return fmt::format("`{}` must be at least `{}`", a, b);
    case Obligation::Need::in_range:
      return fmt::format("`{}` must be 0 or more, and less than `{}`", a, b);
  }
  return {};
}

}  // namespace trtcheck::axis
