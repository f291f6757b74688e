#include "target/dla.hpp"

namespace trtcheck {
namespace {

constexpr ComputeCapability kXavier{7, 2};
constexpr ComputeCapability kOrin{8, 7};

}  // namespace

DlaPresence dla_presence(const Target& target, const ReleaseView& release) {
  if (release.has(gates::tensorrt_rtx)) return DlaPresence::not_with_rtx;
  const bool is_removed = release.has(gates::dla_removed);
  const bool is_back = release.has(gates::dla_strongly_typed);
  if (is_removed && !is_back) return DlaPresence::gone;
  const auto gpu = target.compute_capability;
  if (gpu && *gpu != kXavier && *gpu != kOrin) return DlaPresence::not_in_gpu;
  if (release.has(gates::dla_jetson_not_named)) return DlaPresence::not_named;
  if (release.has(gates::dla_left_to_drive_os) && !is_back) return DlaPresence::drive_os;
  return DlaPresence::present;
}

bool may_run_on_dla(const Target& target, const ReleaseView& release) {
  if (!target.dla) return false;
  const DlaPresence presence = dla_presence(target, release);
  return presence == DlaPresence::present || presence == DlaPresence::drive_os || presence == DlaPresence::not_named;
}

bool is_xavier(const Target& target) noexcept { return target.compute_capability == kXavier; }

}  // namespace trtcheck
