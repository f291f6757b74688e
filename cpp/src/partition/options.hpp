// Options of ONNX Runtime's providers, as they read them.
#pragma once

#include <trtcheck/partition.hpp>

#include "partition/advice.hpp"
#include "partition/piece_profile.hpp"

namespace trtcheck::partitioning {

/// What to leave out, the minimal size, and sizes of all dynamic inputs of the pieces that run then.
void add_options(const Asked& asked, const Sizes& sizes, const Advice& advice, const PieceProfile& of_bodies,
                 PartitionReport& report);

}  // namespace trtcheck::partitioning
