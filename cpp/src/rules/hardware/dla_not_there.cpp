#include <fmt/format.h>

#include "rules/rule_context.hpp"
#include "target/dla.hpp"

namespace trtcheck::rules::dla_not_there {
namespace {

void warn(RuleContext& context, Certainty certainty, std::string message, std::string fix) {
  context.add_model(std::move(message)).certainty(certainty).fix(std::move(fix));
}

void check(RuleContext& context) {
  const Target& target = context.target();
  if (!target.dla) return;
  const std::string release = context.release().name();
  switch (dla_presence(target, context.release())) {
    case DlaPresence::present:
      return;
    case DlaPresence::gone:
      return warn(context, Certainty::proven, fmt::format("{} has no DLA: nothing of the model runs there", release),
                  "build with 10.7 or older, with 11.4 (11.4.1 on Jetson AGX Orin), or for the GPU");
    case DlaPresence::drive_os:
      return warn(context, Certainty::likely,
                  fmt::format("{} has no DLA on Jetson: 10.7 was the last 10.x with it", release),
                  "build with 10.7 or older, or for the GPU; with DRIVE OS ask its own documents");
    case DlaPresence::not_named:
      context
          .add_model(fmt::format("whether {} has DLA on Jetson AGX Orin is not known: its notes name "
                                 "Windows on ARM only",
                                 release))
          .severity(Severity::info)
          .certainty(Certainty::possible)
          .fix("build with 11.4.1, which has it with JetPack 7.2.2");
      return;
    case DlaPresence::not_with_rtx:
      return warn(context, Certainty::likely, "TensorRT-RTX is for the GPUs of PCs, it has no DLA",
                  "build for the GPU, or with TensorRT");
    case DlaPresence::not_in_gpu:
      return warn(context, Certainty::likely,
                  fmt::format("compute capability {}.{} has no DLA: Xavier (7.2) and Orin (8.7) have",
                              target.compute_capability->major_version, target.compute_capability->minor_version),
                  "build for the GPU, or name the GPU beside the DLA (`--gpu orin`)");
  }
}

constexpr std::string_view kEvidence[] = {
    "https://docs.nvidia.com/deeplearning/tensorrt/11.4.1/inference-library/work-with-dla.html",
    "https://docs.nvidia.com/deeplearning/tensorrt/11.3.0/inference-library/work-with-dla.html",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/getting-started/release-notes-11/11.5.0.html"};

}  // namespace

extern constinit const Rule rule{
    .code = "HWD404",
    .name = "dla-not-there",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "with --dla: a release or a GPU without DLA",
    .docs = R"(## What it checks
For a target with DLA (`--dla`): whether the release and the GPU of the target have one. TensorRT up to 10.7 does, on Xavier (compute capability 7.2) and Orin (8.7);
from 10.8 to 10.16 DRIVE OS at most, nothing from 11.0 to 11.3, from 11.4 Jetson AGX Orin (11.4.1 with JetPack 7.2.2) and Windows on ARM, whose DLA has limits of its own. Thor
has none. The notes of 11.5 name only Windows on ARM, so that for Orin it is not known: information.

## Why TensorRT cares
Without a DLA a configuration for it ends the build, or everything runs on the GPU. Other findings about DLA are left out then. Orin Nano has the compute capability of Orin and
no DLA, which the number cannot tell.

## Example
```onnx dla=yes target=11.1
agraph (float[1,8,16,16] x) => (float[1,8,16,16] y) {
  y = Tanh(x)
}
```

## Instead
```onnx dla=yes target=10.3
agraph (float[1,8,16,16] x) => (float[1,8,16,16] y) {
  y = Tanh(x)
}
```

## Fix
A release with DLA, or a build for the GPU.

## Evidence
NVIDIA's guide, Working with DLA, of 11.3.0 and 11.4.1, and the release notes of 10.16.1 and 11.5.0.
)",
    .evidence = kEvidence,
    .check = check,
    .gates = {kDlaGates},
};

}  // namespace trtcheck::rules::dla_not_there
