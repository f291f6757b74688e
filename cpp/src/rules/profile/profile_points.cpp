#include "rules/profile/profile_points.hpp"

#include "view/profile_sizes.hpp"

namespace trtcheck::rules {

std::vector<ProfilePoint> profile_points(const RuleContext& context) {
  if (context.target().profile.empty()) return {};
  using Kind = ProfilePoint::Kind;
  const auto at = [&](std::vector<std::int64_t> ProfileInput::*point) {
    return profile_sizes(context.model(), context.shapes(), context.target(), point);
  };
  return {{Kind::min, "kMIN", at(&ProfileInput::min)},
          {Kind::opt, "kOPT", at(&ProfileInput::opt)},
          {Kind::max, "kMAX", at(&ProfileInput::max)}};
}

}  // namespace trtcheck::rules
