// Operands of one node in one type: constants are stored in it, computed ones cast. Where one such node reads the
// other, nothing is cast between them.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/elements.hpp"
#include "cure/draft.hpp"
#include "fold/array.hpp"
#include "schema/facts.hpp"

namespace trtcheck::cure::types_joined {
namespace {

struct Operand {
  std::size_t index;
  ValueId id;
  DataType type;
  std::optional<Constant> constant;
};

bool is_integer(DataType type) { return type == DataType::int32 || type == DataType::int64; }
bool is_half(DataType type) { return type == DataType::float16 || type == DataType::bfloat16; }
bool is_cast(DataType type) {
  return is_integer(type) || is_half(type) || type == DataType::float32 || type == DataType::float64 ||
         type == DataType::boolean;
}

/// The narrowest type that holds both; nothing where only somebody else knows.
std::optional<DataType> join(DataType a, DataType b) {
  if (a == b) return a;
  if (a == DataType::boolean) return b;
  if (b == DataType::boolean) return a;
  if (a == DataType::float64 || b == DataType::float64) return DataType::float64;
  if (is_integer(a) && is_integer(b)) return DataType::int64;
  return DataType::float32;
}

/// How little a conversion of numbers at run time promises.
CureClass class_of(DataType from, DataType to) {
  if (from == to || from == DataType::boolean || to == DataType::float64) return CureClass::proven;
  if (fold::is_real(from) && !fold::is_real(to)) return CureClass::choice;
  if (to == DataType::boolean) return CureClass::choice;
  if (is_half(from) && to == DataType::float32) return CureClass::proven;
  if (from == DataType::int32 && to == DataType::int64) return CureClass::proven;
  if (from == DataType::int64 && to == DataType::int32) return CureClass::choice;
  return CureClass::rounding;
}

/// The operands of one node that have to be of one type.
class Operands {
 public:
  Operands(Draft& draft, NodeId node)
      : draft_(&draft),
        node_(&draft.model().node(node)),
        schema_(schema::schema_facts(node_->domain(), node_->op_type, draft.opset())) {}

  [[nodiscard]] const schema::SchemaFacts* schema() const noexcept { return schema_; }
  [[nodiscard]] const std::vector<Operand>& all() const noexcept { return operands_; }
  [[nodiscard]] std::size_t group() const noexcept { return group_; }

  /// The first group of several types. False: there is none, or they are not known.
  bool read_mixed() {
    for (std::size_t first = 0; schema_ != nullptr && first < schema_->inputs.size(); ++first) {
      if (schema_->inputs[first].like == first && read(first)) return true;
    }
    return false;
  }

  /// The group that an input belongs to. False: it is of one type, or it is not known.
  bool read_of(std::size_t input) {
    const schema::InputFacts* facts = schema_ == nullptr ? nullptr : schema_->input(input);
    return facts != nullptr && facts->like < schema_->inputs.size() && read(facts->like);
  }

  /// The type that holds them all.
  std::optional<DataType> wanted() {
    std::optional<DataType> data;
    for (Operand& operand : operands_) {
      operand.constant = stored(*draft_, operand.id);
      if (operand.constant) continue;
      if (!is_cast(operand.type)) return std::nullopt;
      data = data ? join(*data, operand.type) : operand.type;
    }
    if (operands_.empty()) return std::nullopt;
    if (!data) data = operands_.front().type;
    // What does not fit into the type of the data makes it wider.
    for (Operand& operand : operands_) {
      const bool would_be_truth = *data == DataType::boolean && operand.type != DataType::boolean;
      if (!operand.constant || (!would_be_truth && converted(*operand.constant, *data))) continue;
      data = join(*data, operand.type);
    }
    return data;
  }

  [[nodiscard]] bool allows(DataType type) const {
    return (schema_->inputs[group_].types >> static_cast<unsigned>(type) & 1U) != 0;
  }
  /// Data has the type already, whatever the opset says: exporters write BFLOAT16 where it is not defined yet, and
  /// TensorRT accepts it.
  [[nodiscard]] bool computes_in(DataType type) const {
    return std::ranges::any_of(operands_,
                               [type](const Operand& operand) { return !operand.constant && operand.type == type; });
  }
  /// Outputs that have the type of the group.
  [[nodiscard]] std::vector<std::size_t> outputs() const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < node_->outputs.size(); ++i) {
      const auto like = schema_->input_like_output(i);
      if (!node_->output(i) || !like || *like >= schema_->inputs.size()) continue;
      if (schema_->inputs[*like].like == group_) found.push_back(i);
    }
    return found;
  }

 private:
  bool read(std::size_t first) {
    operands_.clear();
    group_ = first;
    bool differ = false;
    for (std::size_t i = first; i < node_->inputs.size(); ++i) {
      const schema::InputFacts* input = schema_->input(i);
      if (input == nullptr || input->like != first || !node_->inputs[i]) continue;
      const auto type = draft_->type(node_->inputs[i]);
      if (!type) return false;
      operands_.push_back({i, node_->inputs[i], *type, std::nullopt});
      differ = differ || *type != operands_.front().type;
    }
    return differ;
  }

  Draft* draft_;
  const Node* node_;
  const schema::SchemaFacts* schema_;
  std::size_t group_ = 0;
  std::vector<Operand> operands_;
};

/// The node of the finding, and those behind it that would be cast to the same type: what passes between them keeps it.
class Region {
 public:
  explicit Region(Draft& draft) : draft_(&draft) {}

  bool run() {
    Operands first(*draft_, draft_->id());
    if (!first.read_mixed()) return false;
    const auto type = first.wanted();
    if (!type || (!first.allows(*type) && !first.computes_in(*type)))
      return draft_->refuse("no type holds all of its operands");
    type_ = *type;
    add(draft_->id(), std::move(first));
    for (std::size_t i = 0; i < order_.size() && order_.size() < kMost; ++i) grow(order_[i]);
    write();
    return true;
  }

 private:
  static constexpr std::size_t kMost = 1000;  // nodes of a region
  static constexpr std::size_t kBetween = 8;  // nodes in a row that need no Cast themselves

  void add(NodeId node, Operands operands) {
    order_.push_back(node);
    members_.emplace(node.index, std::move(operands));
  }
  [[nodiscard]] bool is_member(NodeId node) const { return members_.contains(node.index); }
  [[nodiscard]] const Model& model() const noexcept { return draft_->model(); }

  /// What the result has to be. Where types are mixed, inference takes that of the first operand: what the file
  /// declares counts more.
  [[nodiscard]] std::optional<DataType> result_type(ValueId output) const {
    const DataType declared = model().type(model().value(output).declared).element;
    return declared != DataType::undefined ? declared : draft_->type(output);
  }

  void grow(NodeId node) {
    for (const std::size_t output : members_.at(node.index).outputs()) {
      const ValueId id = model().node(node).output(output);
      if (result_type(id) == type_) continue;
      for (const Use& use : model().value(id).users) {
        std::vector<std::pair<NodeId, Operands>> path;
        if (leads_on(use, path, kBetween)) {
          for (auto& [member, operands] : path) {
            if (!is_member(member)) add(member, std::move(operands));
          }
        }
      }
    }
  }

  /// A node that is computed in the same type anyway, perhaps with some between that do not mind.
  bool leads_on(const Use& use, std::vector<std::pair<NodeId, Operands>>& path, std::size_t left) {
    const Node& node = model().node(use.node);
    if (is_member(use.node)) return false;
    if (left == 0 || node.graph != draft_->node().graph || !node.domain().empty()) return false;
    Operands operands(*draft_, use.node);
    const bool is_mixed = operands.read_of(use.input);
    if (operands.all().empty() || operands.wanted() == std::nullopt || !operands.allows(type_)) return false;
    if (is_mixed && operands.wanted() == type_) {
      path.emplace_back(use.node, std::move(operands));
      return true;
    }
    // Everything that it computes with comes from the region.
    const bool is_between = std::ranges::all_of(operands.all(), [&](const Operand& operand) {
      return operand.constant ? converted(*operand.constant, type_).has_value()
                              : operand.id == node.inputs[use.input] || is_made_inside(operand.id, path);
    });
    if (!is_between || operands.outputs().size() != node.outputs.size()) return false;
    const std::vector<std::size_t> outputs = operands.outputs();
    path.emplace_back(use.node, std::move(operands));
    for (const std::size_t output : outputs) {
      for (const Use& next : model().value(node.output(output)).users) {
        if (leads_on(next, path, left - 1)) return true;
      }
    }
    path.pop_back();
    return false;
  }

  [[nodiscard]] bool is_made_inside(ValueId id, const std::vector<std::pair<NodeId, Operands>>& path) const {
    const NodeId maker = model().value(id).producer;
    return maker &&
           (is_member(maker) || std::ranges::any_of(path, [maker](const auto& entry) { return entry.first == maker; }));
  }

  void write() {
    std::ranges::sort(order_, {}, [this](NodeId id) { return model().node(id).position; });
    for (const NodeId node : order_) {
      for (const std::size_t output : members_.at(node.index).outputs()) {
        const ValueId id = model().node(node).output(output);
        const auto old = result_type(id);
        if (old && *old != type_) inner_.emplace(id.index, draft_->fresh(name_of(*draft_, id)));
      }
    }
    for (const NodeId node : order_) {
      Draft at = draft_->at(node);
      write_inputs(at);
      draft_->join(at);
    }
    for (const NodeId node : order_) {
      for (const Operand& operand : members_.at(node.index).all()) drop_stored(*draft_, operand.id);
    }
    for (const NodeId node : order_) {
      Draft at = draft_->at(node);
      write_outputs(at);
      draft_->join(at);
    }
    draft_->title(casts_ == 0 ? fmt::format("store the constants in the type of the data, {}", to_string(type_))
                              : fmt::format("compute in {}: operands are stored or cast to it", to_string(type_)));
    draft_->promises(kind_);
  }

  void weaken(CureClass kind) { kind_ = std::max(kind_, kind); }

  void write_inputs(Draft& at) {
    for (const Operand& operand : members_.at(at.id().index).all()) {
      if (const auto known = inner_.find(operand.id.index); known != inner_.end()) {
        at.set_input(operand.index, known->second);
        continue;
      }
      if (operand.type == type_) continue;
      auto [name, is_new] = made_.emplace(operand.id.index, "");
      if (is_new) name->second = in_type(at, operand);
      at.set_input(operand.index, name->second);
    }
  }

  std::string in_type(Draft& at, const Operand& operand) {
    if (auto constant = operand.constant ? converted(*operand.constant, type_) : std::nullopt) {
      if (!constant->exact) weaken(CureClass::rounding);
      return at.constant(constant->constant, "constant");
    }
    weaken(class_of(operand.type, type_));
    ++casts_;
    return cast(at, name_of(at, operand.id), type_);
  }

  [[nodiscard]] bool is_read_outside(ValueId id) const {
    const Value& value = model().value(id);
    return value.is_output || std::ranges::any_of(value.users, [&](const Use& use) {
             const auto member = members_.find(use.node.index);
             return member == members_.end() || std::ranges::none_of(member->second.all(), [&](const Operand& operand) {
                      return operand.index == use.input;
                    });
           });
  }

  void write_outputs(Draft& at) {
    std::vector<ValueId> back;
    for (const std::size_t output : members_.at(at.id().index).outputs()) {
      const ValueId id = at.node().output(output);
      const auto inner = inner_.find(id.index);
      if (inner == inner_.end()) continue;
      at.set_output(output, inner->second);
      if (is_read_outside(id)) back.push_back(id);
      weaken(class_of(type_, *result_type(id)));
      ++casts_;
    }
    if (back.empty()) return;
    at.after();
    for (const ValueId id : back) cast_to(at, name_of(at, id), inner_.at(id.index), *result_type(id));
  }

  Draft* draft_;
  DataType type_ = DataType::undefined;
  std::vector<NodeId> order_;
  std::map<std::uint32_t, Operands> members_;
  std::map<std::uint32_t, std::string> inner_;  // what members make, by value
  std::map<std::uint32_t, std::string> made_;   // operands in the type, by value
  CureClass kind_ = CureClass::proven;
  std::size_t casts_ = 0;
};

bool make(Draft& draft, const Finding&) { return draft.id() && Region(draft).run(); }

constexpr std::string_view kFindings[] = {"STY101",
                                          "OPS401:clip-limit-bytes",
                                          "OPS401:clip-limit-differs",
                                          "OPS401:clip-limit-type",
                                          "OPS401:pad-stored-value-type",
                                          "OPS401:pad-value-codes"};

}  // namespace

extern constinit const Cure cure{
    .name = "types-joined",
    .kind = CureClass::proven,
    .summary = "operands of different element types are stored in or cast to one type",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::types_joined
