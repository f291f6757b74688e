// The nodes around a finding: what a picture of it shows. Plain values, independent of the model once made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trtcheck {

/// A small piece of one graph. Edges run from producers to consumers; empty = nothing to show.
struct Neighbourhood {
  /// more: the graph goes on here.
  enum class Kind : std::uint8_t { node, input, initializer, output, more };
  /// culprit: where it comes from; victim: where it fails.
  enum class Role : std::uint8_t { plain, culprit, victim };

  /// A node of the graph, or where the piece ends.
  struct Node {
    Kind kind = Kind::node;   ///< a node, or where the piece ends
    Role role = Role::plain;  ///< what the finding says of it
    std::string op_type;      ///< "" unless kind is node
    std::string name;         ///< label of the node, or name of the value
  };
  /// A tensor between two nodes.
  struct Edge {
    std::uint32_t from = 0;  ///< index into nodes
    std::uint32_t to = 0;    ///< index into nodes
    std::string value;       ///< name of the tensor
    std::string type;        ///< "FLOAT[N,4,H,W]", "?" = unknown
    bool at_fault = false;   ///< the tensor that the finding is about
    std::string contents{};  ///< of a small tensor of integers, such as sizes: "[N,-1,H,W]"; "" = not known
  };

  std::vector<Node> nodes;                                             ///< in no particular order
  std::vector<Edge> edges;                                             ///< from producer to consumer
  [[nodiscard]] bool empty() const noexcept { return nodes.empty(); }  ///< nothing to show
};

}  // namespace trtcheck
