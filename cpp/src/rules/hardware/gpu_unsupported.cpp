#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "target/releases.hpp"

namespace trtcheck::rules::gpu_unsupported {
namespace {

/// GPUs of these compute capabilities, both ends included.
struct Gpus {
  std::string_view name;
  ComputeCapability first;
  ComputeCapability last;
};

struct Dropped {
  Gpus gpus;
  TrtVersion last;  ///< the newest release that runs on them
};

struct Added {
  Gpus gpus;
  TrtVersion first;     ///< the oldest release that runs on them
  Certainty certainty;  ///< possible: concluded from the lists of newer releases
};

// Release notes of 8.5.2 (Kepler, Maxwell) and 10.5 (Volta); support matrix of 10.1 (Pascal).
constexpr Dropped kDropped[] = {{{"Kepler", {3, 0}, {3, 7}}, {8, 5}},
                                {{"Maxwell", {5, 0}, {5, 3}}, {8, 6}},
                                {{"Pascal", {6, 0}, {6, 2}}, {9, 3}},
                                {{"Volta", {7, 0}, {7, 0}}, {10, 4}}};
// Release notes of 10.8 (Blackwell), 10.14 and 11.3 (Rubin); support matrix of 8.5.3, where Ada and Hopper are listed.
constexpr Added kAdded[] = {{{"Ada and Hopper", {8, 9}, {9, 0}}, {8, 5}, Certainty::possible},
                            {{"Blackwell", {10, 0}, {10, 0}}, {10, 8}, Certainty::likely},
                            {{"Blackwell Ultra", {10, 3}, {10, 3}}, {10, 14}, Certainty::possible},
                            {{"Rubin", {10, 7}, {10, 7}}, {11, 3}, Certainty::likely},
                            {{"Blackwell", {12, 0}, {12, 0}}, {10, 8}, Certainty::likely},
                            {{"Blackwell (GB10)", {12, 1}, {12, 1}}, {10, 14}, Certainty::possible}};
/// Boards that some releases come without packages for.
struct Paused {
  Gpus gpus;
  TrtVersion first;
  TrtVersion last;
};
// Migration guide for Jetson, 11.4.1: no JetPack before it, which runs on AGX Orin and Thor with JetPack 7.2.2.
constexpr Paused kPaused[] = {{{"Orin", {8, 7}, {8, 7}}, {11, 0}, {11, 3}},
                              {{"Thor", {11, 0}, {11, 0}}, {11, 0}, {11, 3}}};
constexpr ComputeCapability kTuring{7, 5};

void check_rtx(RuleContext& context, ComputeCapability gpu) {
  if (gpu >= kTuring) return;
  context
      .add_model(fmt::format("TensorRT-RTX runs on GPUs of compute capability 7.5 and up, not on {}.{}",
                             gpu.major_version, gpu.minor_version))
      .fix("use TensorRT itself, in a release that still runs on this GPU");
}

void check(RuleContext& context) {
  if (!context.target().compute_capability) return;
  const ComputeCapability gpu = *context.target().compute_capability;
  const TrtVersion release = context.release().exact();
  if (release.product == Product::rtx) return check_rtx(context, gpu);
  const auto is_one = [&](const auto& row) { return row.gpus.first <= gpu && gpu <= row.gpus.last; };
  const auto* const dropped = std::ranges::find_if(kDropped, is_one);
  if (dropped != std::end(kDropped) && release > dropped->last) {
    context
        .add_model(fmt::format("{} does not run on compute capability {}.{} ({}) any more", full_name(release),
                               gpu.major_version, gpu.minor_version, dropped->gpus.name))
        .fix(fmt::format("stay at {}, or build for a newer GPU", to_string(dropped->last)));
  }
  for (const Paused& row : kPaused) {
    if (!is_one(row) || release < row.first || release > row.last) continue;
    context
        .add_model(fmt::format("{} comes without packages for Jetson ({}.{}, {})", full_name(release),
                               gpu.major_version, gpu.minor_version, row.gpus.name))
        .severity(Severity::warning)
        .fix("use 10.16 or older with JetPack 6, or 11.4.1 with JetPack 7.2.2");
  }
  const auto* const added = std::ranges::find_if(kAdded, is_one);
  if (added != std::end(kAdded) && release < added->first) {
    FindingBuilder finding =
        context.add_model(fmt::format("{} does not know compute capability {}.{} ({}) yet", full_name(release),
                                      gpu.major_version, gpu.minor_version, added->gpus.name));
    finding.fix(fmt::format("use {} or newer", to_string(added->first)));
    if (added->certainty == Certainty::possible) {
      finding.severity(Severity::warning).certainty(Certainty::possible);
    }
  }
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/archives/tensorrt-852/release-notes/tensorrt-8.html",
    "https://docs.nvidia.com/deeplearning/tensorrt/archives/tensorrt-1010/support-matrix/index.html",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/getting-started/release-notes-10/10.5.0.html",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/getting-started/release-notes-10/10.8.0.html",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/getting-started/release-notes-11/11.3.0.html",
    "https://docs.nvidia.com/deeplearning/tensorrt/11.4.1/api/migration/tensorrt-10x-to-11x-jetson.html",
};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD301",
    .name = "gpu-unsupported",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a GPU that the target release does not run on",
    .docs = R"(## What it checks
The compute capability of the target (`--compute-capability`) against the release. Last release: 8.5 on Kepler (3.x), 8.6 on Maxwell
(5.x), 9.3 on Pascal (6.x), 10.4 on Volta (7.0). First release: 10.8 on Blackwell (10.0, 12.0), 11.3 on Rubin (10.7); for 8.9 and 9.0
(8.5), 10.3 and 12.1 (10.14) that is concluded from the lists of newer releases: a warning. 11.0 to 11.3 have no packages for Jetson (Orin 8.7, Thor 11.0): a
warning. TensorRT-RTX: 7.5 and up.

## Why TensorRT cares
The builder has no kernels for a GPU that its release does not know, and ends before it looks at the network.

## Example
```onnx target=10.10 cc=6.1
agraph (float[N,4] x) => (float[N,4] y) {
  y = Relu(x)
}
```

## Instead
```onnx target=8.6 cc=6.1
agraph (float[N,4] x) => (float[N,4] y) {
  y = Relu(x)
}
```

## Fix
Another release, or another GPU.

## Evidence
Release notes of 8.5.2, 10.5, 10.8, 10.14 and 11.3, support matrices of 8.5.3 and 10.1.
)",
    .evidence = kEvidence,
    .check = check,
    .asks = Asks::release,
};

}  // namespace trtcheck::rules::gpu_unsupported
