// Edits of a model, as pieces of its file.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <trtcheck/edit.hpp>

#include "edit/pieces.hpp"

namespace trtcheck::edit {

/// The new location of external data, of the one that a tensor states.
using Relocate = std::function<std::string(std::string_view)>;

/// The file of the model with the edits made. One whose edits change nothing is the old file byte for byte.
/// @throws Error  a place does not exist; two edits of one thing contradict each other
[[nodiscard]] Pieces edited(const Model& model, std::span<const Edit> edits, const Relocate& new_location = {});

}  // namespace trtcheck::edit
