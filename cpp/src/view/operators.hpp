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
#include "view/dispatch.hpp"

namespace trtcheck {

struct OperatorView {
  std::string_view domain;
  std::string_view op_type;
  std::int64_t opset = 0;                       ///< of ONNX in the graphs of its nodes; 0 = not imported
  const schema::SchemaFacts* schema = nullptr;  ///< in force, of ONNX's own operators; deprecated ones included
};

class Operators {
 public:
  /// @param releases  that are asked about
  /// @param nodes     that all of them execute
  Operators(const Model& model, const Target& target, std::span<const TrtVersion> releases,
            std::span<const NodeId> nodes);

  /// @param release  its place in the list; the first one in the beginning
  void turn_to(std::size_t release) noexcept { row_ = release * slots_; }

  [[nodiscard]] std::span<const OperatorView> all() const noexcept { return all_; }
  /// Its place in all().
  [[nodiscard]] std::uint32_t index(NodeId node) const noexcept { return index_[node.index]; }
  [[nodiscard]] const OperatorView& of(NodeId node) const noexcept { return all_[index(node)]; }
  [[nodiscard]] std::int64_t opset(NodeId node) const noexcept { return of(node).opset; }
  [[nodiscard]] const schema::SchemaFacts* schema(NodeId node) const noexcept { return of(node).schema; }
  [[nodiscard]] bool has(std::string_view op_type) const noexcept {
    return std::ranges::find(all_, op_type, &OperatorView::op_type) != all_.end();
  }

  /// By the release at hand.
  [[nodiscard]] Handler handler(NodeId node) const noexcept { return answer(index(node)).handler; }
  [[nodiscard]] const OpSupport& support(NodeId node) const noexcept { return answer(index(node)).support; }
  /// Of all().
  [[nodiscard]] Handler handler_of(std::size_t index) const noexcept { return answer(index).handler; }
  /// Somebody's of all().
  [[nodiscard]] bool has(Handler handler) const noexcept {
    return std::ranges::any_of(slot_, [&](std::uint32_t slot) { return answers_[row_ + slot].handler == handler; });
  }
  /// By a release of the list, of an operator of all().
  [[nodiscard]] Handler handler(std::size_t release, std::size_t index) const noexcept {
    return answers_[release * slots_ + slot_[index]].handler;
  }
  /// The call is replaced by the body of its function: the releases agree in that.
  [[nodiscard]] bool runs_body(NodeId node) const noexcept {
    return answers_[slot_[index(node)]].handler == Handler::function;
  }
  /// Equal for releases that import all operators alike.
  [[nodiscard]] std::size_t group(std::size_t release) const noexcept { return groups_[release]; }

 private:
  struct Answer {
    Handler handler = Handler::none;
    OpSupport support;  ///< of that name, whoever imports it
  };
  [[nodiscard]] const Answer& answer(std::size_t index) const noexcept { return answers_[row_ + slot_[index]]; }
  void ask(const Model& model, const Target& target, std::span<const TrtVersion> releases,
           std::span<const NodeId> first);

  std::vector<OperatorView> all_;
  std::vector<std::uint32_t> slot_;   ///< of each, which answer is its own: names in no table share one
  std::vector<Answer> answers_;       ///< by release and slot
  std::vector<std::size_t> groups_;   ///< by release
  std::vector<std::uint32_t> index_;  ///< by node
  std::size_t slots_ = 0;
  std::size_t row_ = 0;  ///< where the answers of the release at hand begin
};

}  // namespace trtcheck
