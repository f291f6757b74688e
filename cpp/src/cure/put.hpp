// A changed model, written to where it belongs.
#pragma once

#include <functional>
#include <string>

#include <trtcheck/model.hpp>

#include "bytes/bytes.hpp"
#include "cure/state.hpp"
#include "edit/pieces.hpp"

namespace trtcheck::cure {

/// The folder that a path names a file in.
[[nodiscard]] std::string folder_of(const std::string& path);

/// Writes the pieces; external data stays where it is, in another folder its locations are rewritten.
/// @param file   what the pieces are of; nullptr: the model is in memory
/// @param model  that the pieces are
/// @param look   at the written file, before it takes its place; what it throws leaves everything as it was
/// @throws Error  cannot write; the file was written to since it was read; external data would be out of reach
void put(const SourceFile& origin, const File* file, const edit::Pieces& pieces, const Model& model,
         const std::string& output, const Limits& limits, const std::function<void(const Model& written)>& look);

}  // namespace trtcheck::cure
