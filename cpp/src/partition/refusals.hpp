// Which nodes of the main graph TensorRT does not run, and why: findings of a check of the model, and of its pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <trtcheck/partition.hpp>

#include "partition/bodies.hpp"
#include "partition/cut.hpp"
#include "subgraph/uses.hpp"

namespace trtcheck::partitioning {

struct Refusal {
  enum class Reason : std::uint8_t { parser, body, input, excluded, type };
  Reason reason = Reason::parser;
  std::optional<Finding> finding;  ///< without its consequences; nothing: the provider says so
  std::string message;             ///< where there is no finding
  NodeId inner;                    ///< in a body of the node; none: it is the node itself
  bool is_cut_again = false;       ///< found in a piece
};
[[nodiscard]] std::string_view to_string(Refusal::Reason reason) noexcept;

struct Refusals {
  std::map<std::uint32_t, Refusal> by_position;
  std::map<std::uint32_t, Finding> not_built;  ///< the builder refuses what the parser accepts
  std::set<std::string> not_built_in_bodies;   ///< operators in bodies of nodes that are left out
  std::vector<Finding> whole_model;            ///< errors of no node
  std::string ends_session;                    ///< why the provider gives no session at all; "" = it does
  /// Of the bodies of nodes that are not left out: a larger minimal size leaves one out.
  std::size_t smallest_body = static_cast<std::size_t>(-1);
  std::size_t checks = 0;
};

/// What stands between the verdicts and the findings.
struct Asked {
  const Model& model;
  const Shapes& shapes;
  const subgraph::Uses& uses;
  const Line& line;
  const PartitionOptions& options;
  Provider provider = Provider::parser;
  bool is_body = false;  ///< the main graph is a body of another model
};

/// @throws Error  an option makes no sense
[[nodiscard]] Refusals refusals(const Asked& asked, const AskedBodies& bodies);

/// What the provider makes of each node. A control flow node with a body that is not accepted as a whole is left out
/// before the parser is asked.
[[nodiscard]] std::vector<Verdict> verdicts(const Asked& asked, const Refusals& found);
[[nodiscard]] Verdict verdict_of(const Asked& asked, std::uint32_t position, const Refusal& refusal);

}  // namespace trtcheck::partitioning
