// What all nodes of one operator have in common: looked up once per model, however many nodes there are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/target.hpp>

#include "schema/facts.hpp"
#include "target/release_span.hpp"
#include "view/dispatch.hpp"

namespace trtcheck {

struct OperatorView {
  std::string_view domain;
  std::string_view op_type;
  std::int64_t opset = 0;  ///< of ONNX in the graphs of its nodes; 0 = not imported
  Handler handler = Handler::none;
  OpSupport support;  ///< of that name, whoever imports it
  ReleaseSpan same;   ///< releases of which handler and support are the same, but for `OpSupport::seen`
  const schema::SchemaFacts* schema = nullptr;  ///< in force, of ONNX's own operators; deprecated ones included
};

class Operators {
 public:
  /// @param nodes  those that are asked about
  Operators(const Model& model, const Target& target, std::span<const NodeId> nodes);

  /// For another release. @pre the nodes that are executed are the same
  void turn_to(const Target& target);

  [[nodiscard]] std::span<const OperatorView> all() const noexcept {
    for (const OperatorView& op : all_) holds_for(op.same);
    return all_;
  }
  /// Its place in all().
  [[nodiscard]] std::uint32_t index(NodeId node) const noexcept { return index_[node.index]; }
  [[nodiscard]] const OperatorView& of(NodeId node) const noexcept {
    const OperatorView& found = all_[index(node)];
    holds_for(found.same);
    return found;
  }
  /// What does not depend on the release.
  [[nodiscard]] std::int64_t opset(NodeId node) const noexcept { return all_[index(node)].opset; }
  [[nodiscard]] const schema::SchemaFacts* schema(NodeId node) const noexcept { return all_[index(node)].schema; }
  [[nodiscard]] bool has(std::string_view op_type) const noexcept {
    return std::ranges::find(all_, op_type, &OperatorView::op_type) != all_.end();
  }

 private:
  const Model* model_;
  std::vector<OperatorView> all_;
  std::vector<NodeId> first_;         ///< of each
  std::vector<bool> is_unheard_of_;   ///< of each: in no table, so that all of them get one answer
  std::vector<std::uint32_t> index_;  ///< by node
};

}  // namespace trtcheck
