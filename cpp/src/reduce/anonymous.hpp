// A model without the words of whoever made it.
#pragma once

#include <map>
#include <string>

#include <trtcheck/model.hpp>

#include "edit/pieces.hpp"

namespace trtcheck::reducing {

struct Anonymous {
  edit::Pieces pieces;                        ///< of the file of the model
  std::map<std::string, std::string> values;  ///< new names of values by the old ones
};

/// Values, nodes, graphs, symbols, functions and free strings get names that are counted; documentation, metadata and
/// what is said of the producer go. Operators, attributes and words that ONNX defines stay.
/// @throws Error  the file cannot be edited
[[nodiscard]] Anonymous anonymous(const Model& model);

}  // namespace trtcheck::reducing
