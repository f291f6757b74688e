// A new file without weights that somebody holds already.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <trtcheck/model.hpp>

#include "bytes/readable.hpp"
#include "edit/pieces.hpp"

namespace trtcheck::edit {

/// What is left out, and what stands there instead.
struct LeftOut {
  std::span<const ByteRange> weights;  ///< of the old file: sorted, and apart from each other
  std::string_view mark;               ///< followed by the number of the range
};

/// All of the new file, but for `raw_data` that is one of the weights.
/// @param model  that the pieces are
/// @pre the pieces hold nothing of other files
[[nodiscard]] std::string content_without(const Model& model, const Pieces& pieces, const Readable& old,
                                          const LeftOut& left_out);

}  // namespace trtcheck::edit
