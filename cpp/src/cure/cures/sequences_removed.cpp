// Sequences whose members are known: SequenceAt and its like read the tensors themselves.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"
#include "text/plural.hpp"

namespace trtcheck::cure::sequences_removed {
namespace {

using Members = std::vector<std::string>;

constexpr std::int64_t kMostMembers = 256;
constexpr std::int64_t kAxesAsInput = 13;

constexpr std::string_view kMakers[] = {"SequenceEmpty", "SequenceConstruct", "SequenceInsert", "SequenceErase",
                                        "SplitToSequence"};
constexpr std::string_view kReaders[] = {"SequenceAt", "SequenceLength", "ConcatFromSequence"};

bool is_among(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

class Sequences {
 public:
  explicit Sequences(Draft& draft) : draft_(&draft) {}

  /// @returns how many nodes read tensors now
  std::size_t rewrite() {
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < draft_->model().node_count(); ++i) count += rewrite(NodeId{i}) ? 1U : 0U;
    if (count > 0) remove_makers();
    return count;
  }
  [[nodiscard]] const std::string& why() const noexcept { return why_; }

 private:
  std::optional<Members> no(std::string why) {
    why_ = std::move(why);
    return std::nullopt;
  }

  std::optional<Members> members(ValueId value) {
    const NodeId producer = draft_->model().value(value).producer;
    if (!producer)
      return no(fmt::format("the members of sequence `{}` are not known", draft_->model().value(value).name));
    Draft at = draft_->at(producer);
    const std::string_view op = at.node().op_type;
    if (op == "Identity") return members(at.node().input(0));
    if (op == "SequenceEmpty") return Members{};
    if (op == "SequenceConstruct") {
      Members made;
      for (std::size_t i = 0; i < at.node().inputs.size(); ++i) made.push_back(at.in(i));
      return made;
    }
    if (op == "SequenceInsert" || op == "SequenceErase") return changed(at, op == "SequenceInsert");
    if (op == "SplitToSequence") return split(at);
    return no(fmt::format("sequence `{}` is made by {}", draft_->model().value(value).name, op));
  }

  /// A position, from the end where it is negative.
  std::optional<std::size_t> position(ValueId value, std::size_t size) {
    const auto numbers = draft_->ints(value);
    if (!numbers || numbers->size() != 1) return std::nullopt;
    const std::int64_t at =
        numbers->front() < 0 ? numbers->front() + static_cast<std::int64_t>(size) : numbers->front();
    return at < 0 || at > static_cast<std::int64_t>(size) ? std::nullopt : std::optional(static_cast<std::size_t>(at));
  }

  std::optional<Members> changed(Draft& at, bool is_insert) {
    auto made = members(at.node().input(0));
    if (!made) return made;
    const ValueId given = at.node().input(is_insert ? 2 : 1);
    std::optional<std::size_t> place = is_insert ? made->size() : made->size() - 1;
    if (given) place = position(given, made->size());
    if (!place || (!is_insert && *place >= made->size())) return no("a position in a sequence is not a constant");
    const auto here = made->begin() + static_cast<std::ptrdiff_t>(*place);
    if (is_insert) {
      made->insert(here, at.in(1));
    } else {
      made->erase(here);
    }
    return made;
  }

  /// How long the parts are; nothing: not known.
  static std::optional<std::vector<std::int64_t>> lengths(Draft& at, std::int64_t axis) {
    const ValueShape& data = at.in_shape(0);
    if (!data.has_rank || axis >= static_cast<std::int64_t>(data.rank())) return std::nullopt;
    const Dim dim = data.dims[static_cast<std::size_t>(axis)];
    const auto given = at.node().input(1) ? at.ints(at.node().input(1)) : std::vector<std::int64_t>{1};
    if (!given || given->empty()) return std::nullopt;
    const bool is_list = at.node().input(1) && at.rank(at.node().input(1)) == std::size_t{1};
    if (is_list) return given;
    if (!dim.is_literal() || given->front() < 1) return std::nullopt;
    std::vector<std::int64_t> parts;
    for (std::int64_t left = dim.value(); left > 0; left -= given->front()) {
      if (static_cast<std::int64_t>(parts.size()) >= kMostMembers) return std::nullopt;
      parts.push_back(std::min(left, given->front()));
    }
    return parts;
  }

  std::optional<Members> split(Draft& at) {
    if (const auto known = split_.find(at.id()); known != split_.end()) return known->second;
    const auto rank = at.rank(at.node().input(0));
    std::int64_t axis = at.int_attribute("axis", 0);
    if (axis < 0 && rank) axis += static_cast<std::int64_t>(*rank);
    const auto parts = lengths(at, axis);
    if (!parts || parts->empty() || static_cast<std::int64_t>(parts->size()) > kMostMembers) {
      return no(fmt::format("the number of parts of `{}` is not known", at.out(0)));
    }
    const bool is_input = at.opset() >= kAxesAsInput;
    Draft::Inputs inputs{at.in(0)};
    Draft::Attributes attributes{{"axis", axis}};
    if (is_input) {
      inputs.push_back(at.ints_constant(*parts, "split"));
    } else {
      attributes.push_back({"split", *parts});
    }
    Members made = at.ops("Split", inputs, attributes, parts->size());
    if (!at.node().input(1) && at.int_attribute("keepdims", 1) == 0) {
      for (std::string& member : made) {
        member = is_input ? at.op("Squeeze", {member, at.ints_constant({axis}, "axes")})
                          : at.op("Squeeze", {member}, {{"axes", std::vector<std::int64_t>{axis}}});
      }
    }
    draft_->join(at);
    split_[at.id()] = made;
    return made;
  }

  bool rewrite(NodeId id) {
    const Node& node = draft_->model().node(id);
    if (!node.domain().empty() || !is_among(kReaders, node.op_type)) return false;
    if (edit::place_of(draft_->model(), id).graph.function) return false;
    const auto known = members(node.input(0));
    if (!known || !is_visible(node)) return false;
    Draft at = draft_->at(id);
    if (node.op_type == "SequenceAt") {
      const auto place = position(node.input(1), known->size());
      if (!place || *place >= known->size()) return no("a position in a sequence is not a constant").has_value();
      at.op_to({at.out(0)}, "Identity", {(*known)[*place]});
    } else if (node.op_type == "SequenceLength") {
      at.op_to({at.out(0)}, "Identity", {at.int_constant(static_cast<std::int64_t>(known->size()), "length")});
    } else {
      join_members(at, *known);
    }
    at.remove();
    draft_->join(at);
    read_.insert(id);
    return true;
  }

  /// Members made in a body are not to be seen outside of it.
  bool is_visible(const Node& node) {
    const Model& model = draft_->model();
    const GraphId made = model.node(model.value(node.input(0)).producer).graph;
    for (GraphId graph = node.graph; graph; graph = model.node(model.graph(graph).parent).graph) {
      if (graph == made) return true;
      if (!model.graph(graph).parent) break;
    }
    why_ = "the sequence is made in a body and read outside of it";
    return false;
  }

  static void join_members(Draft& at, const Members& members) {
    const std::int64_t axis = at.int_attribute("axis", 0);
    Draft::Inputs inputs = members;
    if (at.int_attribute("new_axis", 0) != 0) {
      for (std::string& input : inputs) {
        input = at.opset() >= kAxesAsInput ? at.op("Unsqueeze", {input, at.ints_constant({axis}, "axes")})
                                           : at.op("Unsqueeze", {input}, {{"axes", std::vector<std::int64_t>{axis}}});
      }
    }
    at.op_to({at.out(0)}, "Concat", inputs, {{"axis", axis}});
  }

  /// Those that nobody reads any more, the last ones first.
  void remove_makers() {
    const Model& model = draft_->model();
    std::set<NodeId> gone = read_;
    bool is_changed = true;
    while (is_changed) {
      is_changed = false;
      for (std::uint32_t i = 0; i < model.node_count(); ++i) {
        const NodeId id{i};
        const Node& node = model.node(id);
        if (gone.contains(id) || !is_among(kMakers, node.op_type) || !node.output(0)) continue;
        const Value& made = model.value(node.output(0));
        const bool is_read = std::ranges::any_of(made.users, [&](const Use& use) { return !gone.contains(use.node); });
        if (is_read || made.is_output) continue;
        draft_->remove_node(id);
        gone.insert(id);
        is_changed = true;
      }
    }
  }

  Draft* draft_;
  std::map<NodeId, Members> split_;
  std::set<NodeId> read_;
  std::string why_;
};

bool make(Draft& draft, const Finding& finding) {
  if (!is_among(kMakers, finding.op_type) && !is_among(kReaders, finding.op_type)) return false;
  // An operator is reported once for the whole model.
  Sequences sequences(draft);
  const std::size_t count = sequences.rewrite();
  if (count == 0) return sequences.why().empty() ? false : draft.refuse(sequences.why());
  draft.title(fmt::format("let {} read tensors instead of sequences", trtcheck::counted(count, "node")));
  return true;
}

constexpr std::string_view kOps[] = {"SequenceEmpty",   "SequenceConstruct", "SequenceInsert", "SequenceErase",
                                     "SplitToSequence", "SequenceAt",        "SequenceLength", "ConcatFromSequence"};
constexpr std::string_view kFindings[] = {"OPS101", "OPS401"};

}  // namespace

extern constinit const Cure cure{
    .name = "sequences-removed",
    .kind = CureClass::proven,
    .summary = "sequences whose members are known are replaced by their tensors",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::sequences_removed
