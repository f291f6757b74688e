// Bodies of If, Loop and Scan: ONNX Runtime asks about them before the node that has them, each as a model of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <trtcheck/partition.hpp>

#include "partition/piece_profile.hpp"

namespace trtcheck::partitioning {

struct Asked;
struct Refusals;
class Sizes;

struct AskedBody {
  std::uint32_t position = 0;  ///< of the node of the main graph that has it
  GraphId graph;
  std::size_t nodes = 0;             ///< that count
  bool decides = true;               ///< its node is left out where not all of it runs
  bool is_whole = false;             ///< all of it runs
  NodeId refused{};                  ///< the first node of it that does not run
  std::optional<Finding> finding{};  ///< about that; nothing: `message` says why
  std::string message{};
  std::vector<GraphPiece> pieces{};   ///< numbered from 1, those of bodies within last
  std::set<std::string> not_built{};  ///< operators of which the builder makes no engine
  PieceProfile profile{};             ///< of the pieces
};

struct AskedBodies {
  std::vector<AskedBody> bodies;  ///< in the order of execution
  std::size_t not_asked = 0;      ///< there are so many more
  std::size_t checks = 0;
};

/// If, Loop and Scan.
[[nodiscard]] bool has_bodies(const Node& node);

/// The plug-in provider for TensorRT-RTX looks at the first body that has nodes, and at no other.
[[nodiscard]] GraphId first_body(const Model& model, const Node& node);

/// Those of nodes of the main graph. None where the parser cuts: it looks at the main graph alone.
///
/// TensorRT's provider gives the parser what a body has itself: weights of the graphs around it are inputs then, as
/// other values from there are (GetSupportedList: GraphViewer::GetInitializedTensor knows one graph). When the engine
/// is built they are weights again (GetSubGraph: IsConstantInitializer looks outside).
/// @param left  how many may be asked about
[[nodiscard]] AskedBodies ask_bodies(const Asked& asked, const Sizes& sizes, std::size_t& left);

/// Those of nodes that are left out: their pieces run.
[[nodiscard]] std::vector<const AskedBody*> cut_bodies(const Asked& asked, const Refusals& found,
                                                       const AskedBodies& asked_bodies);

/// Pieces of these.
[[nodiscard]] std::vector<GraphPiece> pieces_of_bodies(const Asked& asked, const Refusals& found,
                                                       const AskedBodies& asked_bodies, std::size_t first_number);

}  // namespace trtcheck::partitioning
