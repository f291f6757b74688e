// Finds the node of a model that a message of TensorRT is about.
#pragma once

#include <string_view>
#include <unordered_map>

#include <trtcheck/model.hpp>

#include "provenance/provenance.hpp"
#include "witness/judge.hpp"

namespace trtcheck::witness {

class NodeFinder {
 public:
  /// Borrows the model.
  explicit NodeFinder(const Model& model);
  explicit NodeFinder(const Model&& model) = delete;

  /// By the name that the parser gives, by its number in the main graph, by the first name in the text that a node has,
  /// or else an output of one, else by its operator where only one node has it. TensorRT calls a node without a name
  /// `node_of_` and its first output. None: nothing was found.
  [[nodiscard]] NodeId find(const Said& said) const;

  /// The node that makes the tensor; none: there is no such tensor, or no node makes it.
  [[nodiscard]] NodeId making(std::string_view tensor) const;

 private:
  [[nodiscard]] NodeId named(std::string_view name) const;
  [[nodiscard]] NodeId in_text(std::string_view text) const;
  [[nodiscard]] NodeId making_in_text(std::string_view text) const;

  const Model* model_;
  std::unordered_map<std::string_view, NodeId> by_name_;
  std::unordered_map<std::string_view, NodeId> by_output_;
  std::unordered_map<std::string_view, NodeId> by_operator_;  ///< none where several have it
};

/// Fills in what a message says of its node: label, operator, graph, module, lines of the program.
void describe_node(WitnessMessage& message, const Model& model, NodeId node, rules::Provenances& provenances);

}  // namespace trtcheck::witness
