// What all nodes of one operator have in common: looked up once per model, however many nodes there are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/target.hpp>

#include "facts/dispatch.hpp"
#include "schema/facts.hpp"

namespace trtcheck {

struct OperatorFacts {
  std::string_view domain;
  std::string_view op_type;
  std::int64_t opset = 0;  ///< of ONNX in the graphs of its nodes; 0 = not imported
  Handler handler = Handler::none;
  OpSupport support;                            ///< of that name, whoever imports it
  const schema::SchemaFacts* schema = nullptr;  ///< in force, of ONNX's own operators; deprecated ones included
};

class Operators {
 public:
  /// @param nodes  those that are asked about
  Operators(const Model& model, const Target& target, std::span<const NodeId> nodes);

  [[nodiscard]] std::span<const OperatorFacts> all() const noexcept { return all_; }
  /// Its place in all().
  [[nodiscard]] std::uint32_t index(NodeId node) const noexcept { return index_[node.index]; }
  [[nodiscard]] const OperatorFacts& of(NodeId node) const noexcept { return all_[index(node)]; }
  [[nodiscard]] bool has(std::string_view op_type) const noexcept {
    return std::ranges::find(all_, op_type, &OperatorFacts::op_type) != all_.end();
  }

 private:
  std::vector<OperatorFacts> all_;
  std::vector<std::uint32_t> index_;  ///< by node
};

}  // namespace trtcheck
