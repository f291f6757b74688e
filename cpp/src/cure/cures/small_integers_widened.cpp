// UINT8, INT16 and UINT16 inside of a network: FLOAT or INT32 from the input, or the Cast that makes it, up to the next
// Cast, comparison or output. What moves or chooses elements gives the same numbers in any type; sums and products are
// wrapped around as the small type does it.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/quantizers.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::small_integers_widened {
namespace {

constexpr std::string_view kChooses[] = {"ArgMax", "ArgMin",    "Clip",      "NonZero", "OneHot",          "Shape",
                                         "Size",   "Upsample",  "Concat",    "Max",     "MaxPool",         "Min",
                                         "Pad",    "ReduceMax", "ReduceMin", "Resize",  "ScatterElements", "ScatterND",
                                         "Split",  "TopK",      "Trilu",     "Where"};
constexpr std::string_view kCompares[] = {"Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"};
// Computed in INT32, and cut to the numbers that the small type has.
constexpr std::string_view kWraps[] = {"Add", "Mul", "Sub"};
constexpr std::string_view kFloatOnly[] = {"MaxPool", "Resize", "Upsample"};

bool is_one(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

class Region {
 public:
  Region(Draft& draft, DataType type) : draft_(&draft), type_(type) {}

  bool grow(ValueId first) {
    add(first);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (!take_origin(values_[i])) return false;
      for (const Use& use : draft_->model().value(values_[i]).users) {
        const bool is_exit = is_onnx_op(*draft_, use.node, "CastLike") && use.input == 0;
        if (!is_exit && !take_reader(use.node)) return false;
      }
    }
    return true;
  }

  void write() {
    wide_ = needs_float_ || (casts_.empty() && !wraps_) ? DataType::float32 : DataType::int32;
    for (const ValueId id : values_) names_[id.index] = draft_->fresh(name_of(*draft_, id));
    for (const ValueId id : inputs_) write_input(id);
    for (const NodeId node : casts_) write_cast(node);
    for (const NodeId node : nodes_) write_node(node);
    for (const ValueId id : values_) write_uses(id);
  }

  [[nodiscard]] DataType wide() const noexcept { return wide_; }

 private:
  void add(ValueId id) {
    if (known_.insert(id.index).second) values_.push_back(id);
  }

  [[nodiscard]] bool is_small(ValueId id) const { return draft_->type(id) == type_; }

  bool take_origin(ValueId id) {
    const Value& value = draft_->model().value(id);
    const bool leaves = value.is_output || draft_->model().is_network_input(id);
    if (leaves && type_ != DataType::uint8)
      return draft_->refuse("inputs and outputs of a network are not of this type");
    if (value.graph != draft_->node().graph) return draft_->refuse("it goes into or comes out of a body");
    if (draft_->model().is_network_input(id)) {
      inputs_.push_back(id);
      return true;
    }
    if (is_onnx_op(*draft_, value.producer, "Cast")) {
      casts_.push_back(value.producer);
      return true;
    }
    return value.producer && take_reader(value.producer);
  }

  bool take_reader(NodeId id) {
    const Node& node = draft_->model().node(id);
    if (node.graph != draft_->node().graph) return draft_->refuse("it goes into a body");
    if (is_onnx_op(*draft_, id, "Cast") || done_.contains(id.index)) return true;
    const bool wraps = node.domain().empty() && is_one(kWraps, node.op_type) && may_wrap(node);
    wraps_ = wraps_ || wraps;
    const bool is_known =
        wraps || (node.domain().empty() &&
                  (moves_elements(node.op_type) || is_one(kChooses, node.op_type) || is_one(kCompares, node.op_type)));
    if (!is_known) return draft_->refuse(fmt::format("{} computes with {}", node.op_type, to_string(type_)));
    if (node.op_type == "Resize" || node.op_type == "Upsample") {
      const Attribute* mode = node.attribute("mode");
      if (mode != nullptr && mode->s() != "nearest")
        return draft_->refuse(fmt::format("{} interpolates and rounds", node.op_type));
    }
    needs_float_ = needs_float_ || is_one(kFloatOnly, node.op_type);
    if (needs_float_ && wraps_) return draft_->refuse(fmt::format("{} needs FLOAT", node.op_type));
    done_.insert(id.index);
    nodes_.push_back(id);
    for (const ValueId input : node.inputs) {
      if (is_small(input) && !draft_->contents(input)) add(input);
    }
    for (const ValueId output : node.outputs) {
      if (is_small(output)) add(output);
    }
    return true;
  }

  /// The product of two UINT16 is beyond INT32.
  [[nodiscard]] bool may_wrap(const Node& node) const { return node.op_type != "Mul" || type_ != DataType::uint16; }

  /// To 0 ... 255 and the like, as the small type wraps around.
  std::string wrapped(NodeId id, const std::string& to) {
    constexpr std::int64_t kBytes = 256, kWords = 65536;
    const std::int64_t count = type_ == DataType::uint8 ? kBytes : kWords;
    const std::string from = draft_->fresh(to);
    Draft at = draft_->at(id);
    at.after();
    const auto number = [&](std::int64_t value) { return at.scalar(static_cast<double>(value), DataType::int32); };
    if (type_ != DataType::int16) {
      at.op_to({to}, "Mod", {from, number(count)});
    } else {
      const std::string half = number(count / 2);
      const std::string up = at.op("Mod", {at.op("Add", {from, half}), number(count)});
      at.op_to({to}, "Sub", {up, half});
    }
    draft_->join(at);
    return from;
  }

  void insert(edit::NodeAt place, const std::string& from, const std::string& to, DataType type) {
    draft_->add(edit::InsertNode{place.graph,
                                 place.position,
                                 {.op_type = "Cast",
                                  .inputs = {from},
                                  .outputs = {to},
                                  .attributes = {{"to", static_cast<std::int64_t>(type)}}}});
  }

  /// By way of `first`: UINT8 becomes FLOAT only, and numbers with fractions are cut to whole ones.
  void insert_by(edit::NodeAt place, const std::string& from, const std::string& to, DataType first) {
    if (first == wide_) return insert(place, from, to, wide_);
    const std::string between = draft_->fresh(to);
    insert(place, from, between, first);
    insert(place, between, to, wide_);
  }

  void write_input(ValueId id) {
    edit::NodeAt place = draft_->place();
    place.position = 0;
    insert_by(place, name_of(*draft_, id), names_[id.index], DataType::float32);
  }

  void write_cast(NodeId id) {
    const Node& node = draft_->model().node(id);
    insert_by(edit::place_of(draft_->model(), id), name_of(*draft_, node.input(0)), names_[node.output(0).index],
              DataType::int32);
    write_output(node.output(0), id);
    draft_->remove_node(id);
  }

  /// An output of the network keeps its type.
  void write_output(ValueId id, NodeId producer) {
    if (!draft_->model().value(id).is_output) return;
    edit::NodeAt place = edit::place_of(draft_->model(), producer);
    ++place.position;
    const std::string name = names_[id.index];
    if (wide_ == DataType::float32) return insert(place, name, name_of(*draft_, id), type_);
    const std::string between = draft_->fresh(name);
    insert(place, name, between, DataType::float32);
    insert(place, between, name_of(*draft_, id), type_);
  }

  void write_node(NodeId id) {
    const Node& node = draft_->model().node(id);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (!is_small(node.inputs[i]) || known_.contains(node.inputs[i].index)) continue;
      const auto constant = draft_->contents(node.inputs[i]);
      const auto made = constant ? converted(*constant, wide_) : std::nullopt;
      if (made) draft_->set_input_of(id, i, draft_->constant(made->constant));
      drop_stored(*draft_, node.inputs[i]);
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const ValueId output = node.outputs[i];
      if (!output || !known_.contains(output.index)) continue;
      const std::string& name = names_[output.index];
      draft_->add(edit::SetOutput{edit::place_of(draft_->model(), id), static_cast<std::uint32_t>(i),
                                  is_one(kWraps, node.op_type) ? wrapped(id, name) : name});
      write_output(output, id);
    }
  }

  void write_uses(ValueId id) {
    for (const Use& use : draft_->model().value(id).users) draft_->set_input_of(use.node, use.input, names_[id.index]);
  }

  Draft* draft_;
  DataType type_;
  DataType wide_ = DataType::float32;
  bool needs_float_ = false;
  bool wraps_ = false;
  std::vector<ValueId> values_;
  std::set<std::uint32_t> known_;
  std::set<std::uint32_t> done_;
  std::vector<ValueId> inputs_;
  std::vector<NodeId> casts_;
  std::vector<NodeId> nodes_;
  std::map<std::uint32_t, std::string> names_;
};

constexpr DataType kSmall[] = {DataType::uint8, DataType::int16, DataType::uint16};

ValueId first_value(const Draft& draft) {
  const Node& node = draft.node();
  for (const std::span<const ValueId> values : {node.inputs, node.outputs}) {
    for (const ValueId id : values) {
      const auto type = draft.type(id);
      if (type && std::ranges::find(kSmall, *type) != std::end(kSmall) && !draft.model().constant(id)) return id;
    }
  }
  return {};
}

bool make(Draft& draft, const Finding&) {
  const ValueId first = first_value(draft);
  if (!first) return false;
  const DataType type = *draft.type(first);
  Region region(draft, type);
  if (!region.grow(first)) return false;
  region.write();
  draft.title(fmt::format("go on in {} instead of {}", to_string(region.wide()), to_string(type)));
  return true;
}

constexpr std::string_view kFindings[] = {"MDL314", "OPS401:cast-type", "OPS401:equal-uint8"};

}  // namespace

extern constinit const Cure cure{
    .name = "small-integers-widened",
    .kind = CureClass::proven,
    .summary =
        "UINT8, INT16 or UINT16 that is moved, compared, added and multiplied becomes "
        "FLOAT right after the input, or INT32 where it is made",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::small_integers_widened
