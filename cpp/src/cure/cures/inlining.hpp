// Bodies of nodes and functions written where the node stands: values get names that are new in the model.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "cure/draft.hpp"

namespace trtcheck::cure {

/// Which name each value of a body has where it is written.
using NamesOf = std::map<ValueId, std::string>;

/// Copies of one body in the graph of a node.
class Inlining {
 public:
  /// @param is_written_once  its values may keep their names, as far as nothing else has them
  Inlining(Draft& draft, GraphId body, bool is_written_once = true);

  /// Why the body cannot be written there; "" = it can.
  [[nodiscard]] std::string why_not() const;
  /// Writes the nodes and initializers of the body before the node.
  /// @param given  names of the parameters of the body
  /// @param made   names that outputs of the body get; they are made by an Identity where the body does not make them,
  ///               or has made them already; "" = nobody asks for it
  void write(NamesOf given, const std::vector<std::string>& made);
  /// Names of the outputs of the body after `write` with an empty name there.
  [[nodiscard]] const std::vector<std::string>& outputs() const noexcept { return outputs_; }

 private:
  [[nodiscard]] bool is_inner(GraphId graph) const;
  [[nodiscard]] bool is_captured_inside(ValueId value) const;
  [[nodiscard]] std::string own_name(ValueId value) const;
  [[nodiscard]] std::string name_of(ValueId value);
  void write_initializers();
  void write_node(NodeId id);
  [[nodiscard]] std::optional<Draft::Attributes> resolved_attributes(NodeId id) const;

  Draft* draft_;
  GraphId body_;
  NodeId owner_;
  bool is_function_;
  bool keeps_names_;
  std::set<std::string_view> outside_;  ///< names of the body that values have which stay
  NamesOf names_;
  std::vector<std::string> outputs_;
};

}  // namespace trtcheck::cure
