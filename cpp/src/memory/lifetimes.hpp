// Which activations live while each node runs, and how large they are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck::memory_of {

/// Bytes of a tensor whose dims are numbers; nothing: they are not.
[[nodiscard]] std::optional<std::uint64_t> bytes_of(const Shapes& shapes, ValueId id);

/// Elements of such a tensor.
[[nodiscard]] std::optional<std::uint64_t> elements_of(const Shapes& shapes, ValueId id);

/// An operator that writes one result as large as what it reads, element by element.
[[nodiscard]] bool is_pointwise(const Node& node);

/// Of one run in the order of the graph.
struct Lives {
  std::uint64_t sum = 0;
  std::uint64_t peak = 0;
  NodeId peak_node{};
  std::vector<ValueId> at_peak{};     ///< largest first
  std::vector<std::uint64_t> live{};  ///< per node of the main graph, in order
  std::size_t unknown = 0;
};
/// @param in_place  pointwise operators write over an input that nobody reads later
[[nodiscard]] Lives lives(const Model& model, const Shapes& shapes, bool in_place);

}  // namespace trtcheck::memory_of
