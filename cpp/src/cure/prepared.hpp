// Repairs of a model that was changed before, because somebody asked for it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <trtcheck/fix.hpp>

#include "bytes/bytes.hpp"
#include "cure/state.hpp"
#include "edit/pieces.hpp"

namespace trtcheck::cure {

/// The changed model.
struct Prepared {
  edit::Pieces pieces;
  std::vector<AppliedCure> applied;  ///< what was done
};
/// Is given the file, and all of it as pieces. @throws Error  it cannot be done
using Prepare = std::function<Prepared(const SourceFile& origin, const edit::Pieces& whole)>;

/// @param base_dir  where external data is
/// @param prepare   empty = nothing is to be changed before
[[nodiscard]] Fixed repaired(File file, std::string base_dir, const FixOptions& options, const Prepare& prepare);
/// Of a model in memory.
[[nodiscard]] Fixed repaired(std::span<const std::byte> bytes, std::string base_dir, const FixOptions& options,
                             const Prepare& prepare);

}  // namespace trtcheck::cure
