// Pieces of a file, written to where they belong.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <trtcheck/edit.hpp>
#include <trtcheck/model.hpp>

#include "bytes/bytes.hpp"
#include "bytes/readable.hpp"
#include "bytes/staged_file.hpp"
#include "edit/data.hpp"
#include "edit/pieces.hpp"

namespace trtcheck::edit {

/// What pieces are of.
struct Origin {
  const Readable& old;  ///< the old bytes
  /// The same as a file, which the system can copy from; nobody wrote to it since it was opened, or else an Error.
  /// nullptr: the old bytes are read.
  const File* file = nullptr;
};

/// Writes the model, and the file of its data where there is one, and puts them in place: the model when all is
/// written.
/// @param model   that the pieces are
/// @param look    at the written model, before it takes its place; what it throws leaves everything as it was
/// @throws Error  cannot read, cannot write; external data is missing, too short or out of reach; the data file exists
void put(const Model& model, const Pieces& pieces, const Origin& origin, const std::string& output, DataPlace data,
         const std::function<void(const File& written)>& look = {});

/// For `put`: refuses a written file that is another model when it is read again.
[[nodiscard]] std::function<void(const File& written)> same_model(const Model& made, const std::string& output,
                                                                  const Limits& limits);

/// Where external data is, seen from another folder.
/// @param from  path of the model that states the location
/// @param to    path of the new model
/// @param location  as the model states it; one that leaves the folder of the model stays as it is
/// @throws Error  it is outside of the folder of `to`, where neither ONNX nor TensorRT reads it
[[nodiscard]] std::string moved_location(const std::string& from, const std::string& to, std::string_view location);

/// Whether the folders of two models are one.
[[nodiscard]] bool same_folder(const std::string& a, const std::string& b);

}  // namespace trtcheck::edit
