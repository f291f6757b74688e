// What a rule sees, and how it reports. Included by rules only.
//
// A rule reads decisions already made (model, shapes, target) and adds findings; it opens no file (facts about
// external files are in `files()`), keeps no state and never fails.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/finding.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/rule.hpp>
#include <trtcheck/shapes.hpp>
#include <trtcheck/target.hpp>

#include "view/conv_view.hpp"
#include "view/node_view.hpp"

namespace trtcheck::rules {

/// Fluent filling-in of one finding; what is not said comes from the rule's descriptor.
class FindingBuilder {
 public:
  explicit FindingBuilder(Finding& finding) noexcept : finding_(&finding) {}
  FindingBuilder& severity(Severity severity) {
    finding_->severity = severity;
    return *this;
  }
  FindingBuilder& certainty(Certainty certainty) {
    finding_->certainty = certainty;
    return *this;
  }
  /// `node`: what the step is about; its label and its line of Python are filled in.
  FindingBuilder& note(std::string message, NodeId node = {}) {
    finding_->notes.push_back({.message = std::move(message), .node = {}, .node_id = node});
    return *this;
  }
  /// `node`: what is to be changed, when that is not the node of the finding.
  FindingBuilder& fix(std::string title, NodeId node = {}) {
    finding_->fix =
        Fix{.title = std::move(title), .applicability = Applicability::display, .node = {}, .node_id = node};
    return *this;
  }
  FindingBuilder& fix(std::string title, Applicability applicability) {
    fix(std::move(title)).finding_->fix->applicability = applicability;
    return *this;
  }
  FindingBuilder& value(std::string_view name) {
    finding_->value = std::string(name);
    return *this;
  }
  /// It is known of other releases, as the note says.
  FindingBuilder& of_other_releases(std::string basis) {
    finding_->of_other_releases = true;
    return certainty(Certainty::likely).note(std::move(basis));
  }
  /// The fact of cpp/data/facts that speaks.
  FindingBuilder& fact(std::string_view id) {
    finding_->fact = std::string(id);
    return *this;
  }
  /// What findings of this rule have in common where their messages say more than names: they are told as one.
  FindingBuilder& reason(std::string_view text) {
    finding_->group = std::string(text);
    return *this;
  }
  FindingBuilder& evidence(std::string_view source) {
    finding_->evidence.emplace_back(source);
    return *this;
  }
  /// This finding follows from whatever is found at `node`; it is folded into it when there is such a finding.
  FindingBuilder& caused_by(NodeId node) {
    finding_->caused_by = node;
    return *this;
  }

 private:
  Finding* finding_;
};

class RuleContext {
 public:
  [[nodiscard]] const Model& model() const noexcept { return view_->model; }
  [[nodiscard]] const Shapes& shapes() const noexcept { return view_->shapes; }
  /// What TensorRT itself knows at build time (InferOptions::as_tensorrt); computed on first use.
  [[nodiscard]] const Shapes& trt_shapes() const;
  /// The same without the ranges of the profile, which the parser does not know yet.
  [[nodiscard]] const Shapes& parsed_shapes() const;
  [[nodiscard]] DimTable& dims() const noexcept { return shapes().dims(); }
  /// Model, shapes and target for whoever answers questions about nodes (view/).
  [[nodiscard]] const ModelView& view() const noexcept { return *view_; }
  /// But for its release.
  [[nodiscard]] const Target& target() const noexcept { return view_->target; }
  [[nodiscard]] const ReleaseView& release() const noexcept { return view_->release; }
  /// The release does what the gate says. @pre the descriptor lists the gate
  [[nodiscard]] bool has(const Gate& gate) const { return view_->release.has(gate); }
  [[nodiscard]] const Rule& rule() const noexcept;
  /// Contents of constant tensors and the state of external files, decoded on demand.
  [[nodiscard]] const TensorView& tensors() const noexcept { return view_->tensors; }

  /// The node at hand. @pre the rule has `ops`
  [[nodiscard]] NodeId node_id() const noexcept { return node_; }
  [[nodiscard]] const Node& node() const noexcept { return model().node(node_); }
  /// What all nodes of its operator have in common.
  [[nodiscard]] const OperatorView& operator_of(NodeId id) const noexcept { return view().operators.of(id); }
  /// What the node at hand demands of its data. @pre it is a Conv or a ConvTranspose
  [[nodiscard]] const ConvView& conv() const;
  /// What shape inference could not reconcile at a node; nullptr: nothing of this kind.
  [[nodiscard]] const Conflict* conflict(ConflictId id) const noexcept { return conflict(node_id(), id); }
  [[nodiscard]] const Conflict* conflict(NodeId node, ConflictId id) const noexcept {
    return shapes().conflicts().empty() ? nullptr : find_conflict(node, id);
  }
  /// Anything at all at the node at hand.
  [[nodiscard]] bool has_conflict() const noexcept;
  /// Nodes of every graph that the parser imports, in execution order; definitions left out, and branches never taken
  /// whose condition is a constant.
  [[nodiscard]] std::span<const NodeId> nodes() const noexcept;

  [[nodiscard]] const ValueShape& shape(ValueId id) const noexcept { return shapes()[id]; }
  [[nodiscard]] std::string label(NodeId id) const { return model().node_label(id); }
  [[nodiscard]] std::string_view name(ValueId id) const { return id ? model().value(id).name : std::string_view{}; }
  [[nodiscard]] const Node* producer(ValueId id) const noexcept;  ///< nullptr: none

  /// A finding at the current node. The reference is valid until the next add.
  FindingBuilder add(std::string message);
  FindingBuilder add(NodeId node, std::string message);
  /// A finding about the whole model.
  FindingBuilder add_model(std::string message);

  struct Run;
  explicit RuleContext(Run& run) noexcept;

 private:
  friend struct Run;
  [[nodiscard]] const Conflict* find_conflict(NodeId node, ConflictId id) const noexcept;

  Run* run_;
  const ModelView* view_;
  NodeId node_;
};

}  // namespace trtcheck::rules
