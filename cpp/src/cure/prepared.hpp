// Repairs of a model that was changed before, because somebody asked for it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <trtcheck/fix.hpp>

#include "bytes/bytes.hpp"
#include "bytes/readable.hpp"
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
/// Of a model in memory, which must outlive the result.
[[nodiscard]] Fixed repaired(Readable memory, std::string base_dir, const FixOptions& options, const Prepare& prepare);

}  // namespace trtcheck::cure
