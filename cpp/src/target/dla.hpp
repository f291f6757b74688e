// Where NVIDIA's Deep Learning Accelerator (DLA) is there at all: by release and GPU.
#pragma once

#include <cstdint>

#include <trtcheck/target.hpp>

#include "target/release_view.hpp"

namespace trtcheck {

enum class DlaPresence : std::uint8_t {
  present,       ///< by what the target says; a GPU without DLA may still be meant where none is named
  drive_os,      ///< 10.8 to 10.16: perhaps with DRIVE OS, else not
  not_named,     ///< from 11.5 on the notes leave out Jetson
  gone,          ///< not in that release
  not_with_rtx,  ///< TensorRT-RTX is for the GPUs of PCs
  not_in_gpu,    ///< the GPU has none
};

/// @pre the target asks for DLA
[[nodiscard]] DlaPresence dla_presence(const Target& target, const ReleaseView& release);
inline constexpr GateSet kDlaGates{gates::tensorrt_rtx, gates::dla_removed, gates::dla_strongly_typed,
                                   gates::dla_jetson_not_named, gates::dla_left_to_drive_os};

/// The target asks for DLA, and it may be there.
[[nodiscard]] bool may_run_on_dla(const Target& target, const ReleaseView& release);

/// The first DLA: no Softmax, no average without its padding.
[[nodiscard]] bool is_xavier(const Target& target) noexcept;

}  // namespace trtcheck
