// What a node is and where its inputs come from, as numbers: nothing that a new export, another order of the nodes or
// other names of them change.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <trtcheck/model.hpp>

namespace trtcheck {

/// Memoized per model; one thread.
class Structure {
 public:
  explicit Structure(const Model& model) noexcept : model_(&model) {}

  /// Operator, attributes, and the producers of the inputs up to `depth` nodes upstream.
  [[nodiscard]] std::uint64_t node(NodeId id, std::uint32_t depth);
  /// A constant by type, dims and, where it holds sizes or axes, contents; an input of the main graph by name and
  /// type; other inputs by position; else by producer, up to `depth` nodes upstream.
  [[nodiscard]] std::uint64_t value(ValueId id, std::uint32_t depth);
  /// Which kinds of graphs the graph stands in: "then_branch of If", a call of a function; no positions.
  [[nodiscard]] std::uint64_t place(GraphId id) const;

 private:
  [[nodiscard]] std::uint64_t operation(NodeId id);
  [[nodiscard]] std::uint64_t attribute(const Attribute& attribute);
  [[nodiscard]] std::uint64_t tensor(TensorId id) const;
  [[nodiscard]] std::uint64_t body(GraphId id);
  [[nodiscard]] std::uint64_t graph_input(const Value& value, ValueId id);

  const Model* model_;
  std::unordered_map<std::uint64_t, std::uint64_t> nodes_;  ///< node and depth
  std::unordered_map<std::uint32_t, std::uint64_t> operations_;
  std::unordered_map<std::uint32_t, std::uint64_t> positions_;  ///< of the inputs of inner graphs that were asked for
};

}  // namespace trtcheck
