#include "rules/profile/profile_points.hpp"

namespace trtcheck::rules {
namespace {

std::vector<DimTable::Binding> bindings(const RuleContext& context, std::vector<std::int64_t> ProfileInput::*sizes_of) {
  std::vector<DimTable::Binding> found;
  const DimTable& dims = context.dims();
  for (const ProfileInput& profile : context.target().profile) {
    const std::vector<std::int64_t>& sizes = profile.*sizes_of;
    for (ValueId input : context.model().graph().inputs) {
      const ValueShape& shape = context.shape(input);
      if (context.name(input) != profile.name || shape.rank() != sizes.size()) continue;
      for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
        const auto symbols = dims.symbols(shape.dims[axis]);
        if (symbols.size() == 1 && dims.text(shape.dims[axis]) == symbols[0])
          found.push_back({symbols[0], sizes[axis]});
      }
    }
  }
  return found;
}

}  // namespace

std::vector<ProfilePoint> profile_points(const RuleContext& context) {
  if (context.target().profile.empty()) return {};
  using Kind = ProfilePoint::Kind;
  return {{Kind::min, "kMIN", bindings(context, &ProfileInput::min)},
          {Kind::opt, "kOPT", bindings(context, &ProfileInput::opt)},
          {Kind::max, "kMAX", bindings(context, &ProfileInput::max)}};
}

}  // namespace trtcheck::rules
