// Pieces of a file, written to where they belong.
#pragma once

#include <string>

#include "bytes/bytes.hpp"
#include "bytes/readable.hpp"
#include "bytes/staged_file.hpp"
#include "edit/pieces.hpp"

namespace trtcheck::edit {

/// Writes next to the place of `staged`, without putting it there.
/// @param old   what the pieces are of
/// @param file  the same as a file, which the system can copy from; nobody wrote to it since it was opened, or else an
///              Error. nullptr: the old bytes are read
/// @throws Error  cannot read, cannot write
void write(StagedFile& staged, const Pieces& pieces, const Readable& old, const File* file);

/// Where external data is, seen from another folder.
/// @param from  path of the model that states the location
/// @param to    path of the new model
/// @param location  as the model states it; one that leaves the folder of the model stays as it is
/// @throws Error  it is outside of the folder of `to`, where neither ONNX nor TensorRT reads it
[[nodiscard]] std::string moved_location(const std::string& from, const std::string& to, std::string_view location);

/// Whether the folders of two models are one.
[[nodiscard]] bool same_folder(const std::string& a, const std::string& b);

}  // namespace trtcheck::edit
