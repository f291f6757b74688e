// What is to become of each node and value of a model: decided front to back, before anything is changed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <trtcheck/fix.hpp>
#include <trtcheck/model.hpp>

#include "simplify/known.hpp"
#include "simplify/values.hpp"
#include "simplify/written.hpp"

namespace trtcheck::simplifying {

/// One change, as it is told.
struct Step {
  std::string_view name;  ///< of its kind
  NodeId node{};
  std::string title{};
};

/// Of a node that stays.
struct Decision {
  std::vector<Written> written{};
  std::map<std::size_t, ValueId> reads{};           ///< another value by input
  std::optional<std::vector<std::int64_t>> perm{};  ///< of a Transpose
};

class Decisions {
 public:
  /// Walks over the main graph and all bodies. @pre graphs are sorted, names are unique in them
  /// @param shortens  computed targets, too, which is for the end: what is shared is shared by then
  Decisions(Known& known, bool shortens);

  [[nodiscard]] const Model& model() const noexcept { return known_->model(); }
  [[nodiscard]] Known& known() const noexcept { return *known_; }
  [[nodiscard]] const Values& values() const noexcept { return values_; }
  /// The main graph and bodies, each behind the one around it; no functions.
  [[nodiscard]] const std::vector<GraphId>& graphs() const noexcept { return graphs_; }
  /// nullptr: the node stays as it is, or goes.
  [[nodiscard]] const Decision* of(NodeId node) const;
  /// What an input reads; none: it is left out, or is a constant that is new.
  [[nodiscard]] ValueId reads(NodeId node, std::size_t input) const;
  /// The value is stored in place of the node that makes it.
  [[nodiscard]] bool is_stored(ValueId value) const noexcept { return is_stored_[value.index]; }
  /// The name that a value gets instead of its own; "" = none.
  [[nodiscard]] std::string_view new_name(ValueId value) const;
  [[nodiscard]] const std::vector<Step>& steps() const noexcept { return steps_; }

 private:
  void walk(GraphId graph);
  void visit(NodeId node);
  void meet_initializers(GraphId graph);
  bool is_constant(NodeId node);
  bool is_same_as_input(NodeId node);
  bool is_same_sizes(NodeId node);
  bool is_duplicate(NodeId node);
  bool is_reshaped_back(NodeId node);
  /// Output 0 of the node: it is read no more, or, of a graph, may give its name to the other one.
  void is_the_same(NodeId node, ValueId other, std::string_view why);
  void shorten_reshapes(NodeId node);
  void shorten_transposes(NodeId node);
  void shorten_casts(NodeId node);
  void write_inputs(NodeId node);
  void give_output_names();
  [[nodiscard]] bool is_in_sight(ValueId value, GraphId from) const;
  [[nodiscard]] bool is_any_pinned(const Node& node) const;
  [[nodiscard]] ValueId data(NodeId node) const { return reads(node, 0); }
  void note(std::string_view name, NodeId node, std::string title) { steps_.push_back({name, node, std::move(title)}); }

  Known* known_;
  bool shortens_;
  Values values_;
  std::vector<GraphId> graphs_;
  std::vector<bool> is_stored_;
  std::unordered_map<std::uint32_t, Decision> decisions_;
  std::unordered_map<std::uint32_t, ValueId> reshaped_from_;
  std::vector<std::pair<ValueId, ValueId>> outputs_;  ///< an output of a graph, and the value that it equals
  std::unordered_map<std::uint32_t, std::string_view> new_names_;
  std::vector<Step> steps_;
};

}  // namespace trtcheck::simplifying
