#include "partition/piece_profile.hpp"

#include <string_view>

#include "partition/pieces.hpp"

namespace trtcheck::partitioning {
namespace {

/// What cannot be written: the providers part a list at commas, and a name from its dims at the last colon.
bool can_be_named(std::string_view name) { return name.find(',') == std::string_view::npos; }

}  // namespace

void PieceProfile::add(const Asked& asked, const Sizes& sizes, const std::vector<std::uint32_t>& positions) {
  for (const ValueId id : border_of(asked, positions).inputs) {
    const std::string name(asked.model.value(id).name);
    if (!sizes.is_dynamic(id) || !seen_.insert(name).second) continue;
    const auto min = sizes.dims(id, &ProfileInput::min);
    const auto opt = sizes.dims(id, &ProfileInput::opt);
    const auto max = sizes.dims(id, &ProfileInput::max);
    if (min && opt && max && can_be_named(name)) {
      inputs_.push_back({name, *min, *opt, *max});
    } else {
      unknown_.push_back(name);
    }
  }
}

void PieceProfile::add(const PieceProfile& other) {
  for (const ProfileInput& input : other.inputs_) {
    if (seen_.insert(input.name).second) inputs_.push_back(input);
  }
  for (const std::string& name : other.unknown_) {
    if (seen_.insert(name).second) unknown_.push_back(name);
  }
}

}  // namespace trtcheck::partitioning
