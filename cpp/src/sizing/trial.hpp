// One way to read a model with dynamic axes: what its nodes have to read for that, and what speaks against it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

#include "fold/fold.hpp"

namespace trtcheck::sizing {

/// A size that becomes dynamic, and the number that it is in the file.
struct Freed {
  std::string symbol;
  std::int64_t number = 1;
  std::string input;     ///< that has it
  std::size_t axis = 0;  ///< of the input
};

/// What an input of a node becomes.
struct Change {
  enum class Kind : std::uint8_t {
    table,   ///< a vector of sizes: numbers, and sizes that are computed
    spread,  ///< the same value, expanded
  };
  std::size_t input = 0;
  Kind kind = Kind::table;
  std::vector<Dim> entries{};                  ///< of the table; of the target of Expand
  std::optional<std::size_t> narrowed_axis{};  ///< of a constant whose rows are equal: the first row is left
};

/// What was decided where a file does not say what is meant, by the words for it.
using Decisions = std::map<std::string, std::size_t>;

struct Trial {
  explicit Trial(Shapes inferred) : shapes(std::move(inferred)) {}

  Shapes shapes;
  std::map<std::uint32_t, std::vector<Change>> changes{};  ///< by NodeId
  /// What had to be decided, in order, with the number of ways and where.
  struct Question {
    std::string key;
    std::size_t ways = 1;
    NodeId node{};
  };
  std::vector<Question> questions{};
  std::size_t mixed = 0;  ///< nodes that bring entries of a dynamic axis together
  std::string against{};  ///< why it cannot be; "" = it can
};

/// What is to be read in another way. All of it outlives the trial.
struct Subject {
  const Model* model;         ///< whose inputs are declared with the symbols, and which says nothing of other values
  const InferOptions* known;  ///< for all sizes
  const Shapes* before;       ///< of the same model with the numbers of the file
  Folder* folder;             ///< of the model
  const std::vector<Freed>* freed;
};

[[nodiscard]] Trial tried(const Subject& subject, const Decisions& decisions);

}  // namespace trtcheck::sizing
