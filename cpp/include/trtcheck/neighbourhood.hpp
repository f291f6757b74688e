// The nodes around a finding: what a picture of it shows. Plain values, independent of the model once made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trtcheck {

/// A small piece of one graph. Edges run from producers to consumers; empty = nothing to show.
struct Neighbourhood {
  enum class Kind : std::uint8_t { node, input, initializer, output, more };  ///< more: the graph goes on here
  enum class Role : std::uint8_t { plain, culprit, victim };  ///< culprit: where it comes from; victim: where it fails

  struct Node {
    Kind kind = Kind::node;
    Role role = Role::plain;
    std::string op_type;  ///< "" unless kind is node
    std::string name;     ///< label of the node, or name of the value
  };
  struct Edge {
    std::uint32_t from = 0;  ///< index into nodes
    std::uint32_t to = 0;
    std::string value;      ///< name of the tensor
    std::string type;       ///< "FLOAT[N,4,H,W]", "?" = unknown
    bool at_fault = false;  ///< the tensor that the finding is about
  };

  std::vector<Node> nodes;
  std::vector<Edge> edges;
  [[nodiscard]] bool empty() const noexcept { return nodes.empty(); }
};

}  // namespace trtcheck
