#include "simplify/hygiene.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include <trtcheck/rule.hpp>

#include "cure/cure.hpp"
#include "cure/cures/layer_folding.hpp"
#include "cure/draft.hpp"
#include "model/graphs.hpp"
#include "schema/kinds.hpp"

namespace trtcheck::simplifying {
namespace {

constexpr std::string_view kBatchNorm = "batchnorm-inference";
constexpr std::string_view kFolded = "batchnorm-folded";
constexpr std::string_view kAffine = "affine-folded";
constexpr std::string_view kDropout = "dropout-removed";
constexpr std::string_view kIf = "if-inlined";
constexpr std::string_view kNames = "name-made-unique";
constexpr std::string_view kOpsets = "opset-imported";
constexpr std::string_view kSorted = "graph-sorted";

const cure::Cure& cure_named(std::string_view name) {
  return **std::ranges::find_if(cure::cures(), [&](const cure::Cure* one) { return one->name == name; });
}

class Order {
 public:
  Order(const Model& model, const Shapes& shapes, const std::vector<CureClass>& classes, bool fuses,
        std::vector<std::string>& left)
      : model_(&model),
        shapes_(&shapes),
        classes_(&classes),
        fuses_(fuses),
        left_(&left),
        patient_(model, shapes, target_) {}

  Plan plan() && {
    mend_imports();
    mend_graphs();
    // Copies of nodes are made of the file as it is: what is to be sorted waits with the rest.
    if (plan_.edits.empty()) mend_nodes();
    if (plan_.edits.empty() && fuses_) fuse_nodes();
    return std::move(plan_);
  }

 private:
  /// Makes the cure, where it can and may.
  bool make(std::string_view name, NodeId node, const Finding& finding) {
    const cure::Cure& cure = cure_named(name);
    cure::Draft draft(patient_, node);
    if (!cure.make(draft, finding) || draft.edits().empty()) {
      if (!draft.refusal().empty()) say_left(node, draft.refusal());
      return false;
    }
    const CureClass kind = draft.promised().value_or(cure.kind);
    if (std::ranges::find(*classes_, kind) == classes_->end()) {
      say_left(node, fmt::format("`{}` is of class {}, which was not asked for", name, to_string(kind)));
      return false;
    }
    plan_.edits.insert(plan_.edits.end(), draft.edits().begin(), draft.edits().end());
    plan_.steps.push_back({cure.name, node, draft.title()});
    return true;
  }
  void say_left(NodeId node, const std::string& reason) {
    std::string line =
        node ? fmt::format("{} `{}`: {}", model_->node(node).op_type, model_->node_label(node), reason) : reason;
    if (std::ranges::find(*left_, line) == left_->end()) left_->push_back(std::move(line));
  }

  void mend_imports() {
    std::set<std::string_view> domains;
    Finding finding;
    for (const OpsetImport& import : model_->opset_imports()) {
      if (domains.insert(import.domain).second) continue;
      finding.rule = find_rule("OPS204");
      if (make(kOpsets, {}, finding)) return;
      const auto first = std::ranges::find(model_->opset_imports(), import.domain, &OpsetImport::domain);
      if (first->version != import.version) return;
      plan_.edits.emplace_back(edit::ImportOpset{{}, std::string(import.domain), import.version});
      plan_.steps.push_back({kOpsets, {}, fmt::format("import opset {} of `{}` once", import.version, import.domain)});
      return;
    }
    if (!model_->opset_imports().empty()) return;
    finding.rule = find_rule("OPS203");
    make(kOpsets, {}, finding);
  }

  void mend_graphs() {
    std::set<GraphId> sorted;
    for (const Defect& defect : model_->defects()) {
      if (!is_of_main_graph(*model_, defect.graph)) continue;
      Finding finding;
      if (defect.kind == Defect::Kind::duplicate_value && defect.value && plan_.edits.empty()) {
        finding.value = model_->value(defect.value).name;
        make(kNames, defect.node, finding);
      } else if (defect.kind == Defect::Kind::unsorted && sorted.insert(defect.graph).second && sorted.size() == 1) {
        make(kSorted, defect.node, finding);
      }
    }
  }

  void mend_nodes() {
    for (std::uint32_t i = 0; i < model_->node_count(); ++i) {
      const NodeId id{i};
      const Node& node = model_->node(id);
      if (!node.domain().empty() || !may_be_mended(node) || !is_of_main_graph(*model_, node.graph)) continue;
      mend_node(id, node);
    }
  }
  /// One row of nodes at a time: what one of them changes, the next one reads.
  void fuse_nodes() {
    std::set<std::uint32_t> touched;
    for (std::uint32_t i = 0; i < model_->node_count(); ++i) {
      const NodeId id{i};
      const Node& node = model_->node(id);
      if (!node.domain().empty() || !is_of_main_graph(*model_, node.graph)) continue;
      const bool is_norm = node.op_type == "BatchNormalization";
      if (!is_norm && !is_a(node.op_type, kinds::pointwise)) continue;
      cure::Draft draft(patient_, id);
      const bool is_made = is_norm ? cure_named(kFolded).make(draft, Finding{}) : cure::fold_affine(draft);
      if (!is_made) {
        if (is_norm && !draft.refusal().empty()) say_left(id, draft.refusal());
        continue;
      }
      if (touches(draft, touched)) continue;
      plan_.edits.insert(plan_.edits.end(), draft.edits().begin(), draft.edits().end());
      plan_.steps.push_back({is_norm ? kFolded : kAffine, id, draft.title()});
    }
  }
  /// A node that another one of this pass changes; if not, notes them all.
  static bool touches(const cure::Draft& draft, std::set<std::uint32_t>& touched) {
    std::set<std::uint32_t> positions;
    for (const edit::Edit& edit : draft.edits()) {
      std::visit(
          [&](const auto& one) {
            if constexpr (requires { one.node.position; }) positions.insert(one.node.position);
          },
          edit);
    }
    if (std::ranges::any_of(positions, [&](std::uint32_t at) { return touched.contains(at); })) return true;
    touched.merge(positions);
    return false;
  }
  static bool may_be_mended(const Node& node) {
    return node.op_type == "If" || node.op_type == "BatchNormalization" || node.op_type == "Dropout";
  }
  void mend_node(NodeId id, const Node& node) {
    // What stands in a body that is copied waits.
    for (NodeId around = model_->graph(node.graph).parent; around;
         around = model_->graph(model_->node(around).graph).parent)
      if (copied_.contains(around.index)) return;
    Finding finding;
    if (node.op_type == "If") {
      if (shapes_->taken_branch(id) && make(kIf, id, finding)) copied_.insert(id.index);
    } else if (node.op_type == "BatchNormalization") {
      make(kBatchNorm, id, finding);
    } else if (node.input(2) && !is_off(node.input(2))) {
      finding.fact = "dropout-training-mode";
      make(kDropout, id, finding);
    }
  }
  /// Turned off, which is no training; what says so is left to the values.
  bool is_off(ValueId mode) {
    const auto constant = patient_.folder.value(mode);
    return constant && std::ranges::all_of(constant->bytes, [](std::byte byte) { return byte == std::byte{0}; });
  }

  const Model* model_;
  const Shapes* shapes_;
  const std::vector<CureClass>* classes_;
  bool fuses_;
  std::vector<std::string>* left_;
  Target target_{};
  cure::Patient patient_;
  std::set<std::uint32_t> copied_;
  Plan plan_;
};

}  // namespace

Plan put_in_order(const Model& model, const Shapes& shapes, const std::vector<CureClass>& classes, bool fuses,
                  std::vector<std::string>& left) {
  return Order(model, shapes, classes, fuses, left).plan();
}

std::vector<std::string_view> cures_of_order() {
  return {kFolded, kBatchNorm, kDropout, kSorted, kIf, kNames, kOpsets};
}

std::string why_not(const Model& model) {
  for (const Defect& defect : model.defects()) {
    const std::string_view name = model.value(defect.value).name;
    if (!is_of_main_graph(model, defect.graph)) continue;
    switch (defect.kind) {
      case Defect::Kind::duplicate_value:
      case Defect::Kind::duplicate_initializer:
        return fmt::format("`{}` is defined twice", name);
      case Defect::Kind::unsorted:
        return fmt::format("`{}` is read before it is made", name);
      case Defect::Kind::cyclic:
        return fmt::format("{} `{}` is part of a cycle", model.node(defect.node).op_type,
                           model.node_label(defect.node));
      default:
        break;
    }
  }
  return {};
}

}  // namespace trtcheck::simplifying
