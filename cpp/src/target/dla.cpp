#include "target/dla.hpp"

#include "target/gates.hpp"
#include "target/release_span.hpp"

namespace trtcheck {
namespace {

constexpr ComputeCapability kXavier{7, 2};
constexpr ComputeCapability kOrin{8, 7};

}  // namespace

DlaPresence dla_presence(const Target& target) noexcept {
  if (is_rtx(target.release)) return DlaPresence::not_with_rtx;
  const bool is_removed = gates::dla_removed.open_in(target);
  const bool is_back = gates::dla_strongly_typed.open_in(target);
  if (is_removed && !is_back) return DlaPresence::gone;
  const auto gpu = target.compute_capability;
  if (gpu && *gpu != kXavier && *gpu != kOrin) return DlaPresence::not_in_gpu;
  if (gates::dla_jetson_not_named.open_in(target)) return DlaPresence::not_named;
  if (gates::dla_left_to_drive_os.open_in(target) && !is_back) return DlaPresence::drive_os;
  return DlaPresence::present;
}

bool may_run_on_dla(const Target& target) noexcept {
  if (!target.dla) return false;
  const DlaPresence presence = dla_presence(target);
  return presence == DlaPresence::present || presence == DlaPresence::drive_os || presence == DlaPresence::not_named;
}

bool is_xavier(const Target& target) noexcept { return target.compute_capability == kXavier; }

}  // namespace trtcheck
