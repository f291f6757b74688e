// Constants in other files that were asked for and could not be read: what is not known because of them.
#pragma once

#include <string_view>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck {

/// Those that inference asked for.
std::vector<TensorId> unread_constants(const Shapes& shapes);

/// Why a node's result is not known, when its own inputs, or small numbers that they are computed from, are such
/// constants: "constants in `w.bin` could not be read (No such file or directory)". Empty: that is not why.
std::string_view unread_behind(const Model& model, const Shapes& shapes, NodeId node);

}  // namespace trtcheck
