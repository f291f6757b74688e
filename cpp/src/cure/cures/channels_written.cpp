// The -1 of a Reshape that hides the channel count of a convolution from TensorRT: the number in its place.
#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::channels_written {
namespace {

using Numbers = std::vector<std::int64_t>;

/// Where the only -1 of a target stands.
std::optional<std::size_t> open_entry(const ValueShape& target) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < target.known.size(); ++i) {
    if (!target.known[i].is(-1)) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

std::optional<std::int64_t> literal(const ValueShape& shape, std::size_t axis) {
  if (!shape.has_rank || axis >= shape.rank() || !shape.dims[axis].is_literal()) return std::nullopt;
  return shape.dims[axis].value();
}

/// The channels of input 0 without which the node does not run.
std::optional<std::int64_t> wanted_channels(const Draft& draft) {
  const std::string_view op = draft.node().op_type;
  if (op == "BatchNormalization" || op == "ConvTranspose") return literal(draft.in_shape(1), 0);
  const auto of_one_group = literal(draft.in_shape(1), 1);
  if (op != "Conv" || !of_one_group) return std::nullopt;
  return *of_one_group * draft.int_attribute("group", 1);
}

/// What the -1 stands for: what inference says, else what the node asks for, if the entry is its channel extent.
std::optional<std::int64_t> number(const Draft& draft, const Node& reshape, std::size_t index) {
  const ValueShape& made = draft.shapes()[reshape.output(0)];
  if (const auto known = literal(made, index)) return known;
  const ValueShape& data = draft.in_shape(0);
  if (!made.has_rank || index >= made.rank() || !data.has_rank || data.rank() < 2) return std::nullopt;
  return data.dims[1].same(made.dims[index]) ? wanted_channels(draft) : std::nullopt;
}

/// The input of a Concat of vectors that holds an entry, and the place of the entry in it.
std::optional<std::pair<std::size_t, std::size_t>> part_with(const Draft& draft, const Node& concat,
                                                             std::size_t index) {
  std::size_t start = 0;
  for (std::size_t i = 0; i < concat.inputs.size(); ++i) {
    const auto sizes = draft.sizes(concat.inputs[i]);
    if (!sizes || sizes->size() != 1) return std::nullopt;
    const auto length = static_cast<std::size_t>(sizes->front());
    if (index < start + length) return std::pair{i, index - start};
    start += length;
  }
  return std::nullopt;
}

bool write_in_concat(Draft& draft, NodeId reshape, std::size_t index, std::int64_t value) {
  const Model& model = draft.model();
  const ValueId target = model.node(reshape).input(1);
  const NodeId producer = model.value(target).producer;
  if (!producer || model.node(producer).op_type != "Concat" ||
      model.node(producer).graph != model.node(reshape).graph) {
    return false;
  }
  const Node& concat = model.node(producer);
  const auto part = part_with(draft, concat, index);
  auto numbers = part ? draft.ints(concat.inputs[part->first]) : std::nullopt;
  if (!numbers || (*numbers)[part->second] != -1) return false;
  (*numbers)[part->second] = value;
  const bool is_shared = model.value(target).users.size() != 1 || model.value(target).is_output;
  Draft there = draft.at(is_shared ? reshape : producer);
  const std::string entry = there.ints_constant(*numbers, "shape");
  if (is_shared) {
    Draft::Inputs inputs;
    for (std::size_t i = 0; i < concat.inputs.size(); ++i) {
      inputs.push_back(i == part->first ? entry : std::string(model.value(concat.inputs[i]).name));
    }
    there.set_input(1, there.op("Concat", inputs, {{"axis", std::int64_t{0}}}));
  } else {
    there.set_input(part->first, entry);
  }
  draft.join(there);
  return true;
}

/// Any other target: what stands before the entry, the number, what stands behind it.
bool write_between(Draft& draft, NodeId reshape, std::size_t index, std::int64_t value) {
  constexpr std::int64_t kSliceByInputs = 10;
  Draft there = draft.at(reshape);
  const auto length = static_cast<std::int64_t>(there.in_shape(1).known.size());
  const auto at = static_cast<std::int64_t>(index);
  if (there.opset() < kSliceByInputs || !there.may_use("Slice") || !there.may_use("Concat")) return false;
  const std::string axis = there.ints_constant({0}, "axis");
  const auto part = [&](std::int64_t from, std::int64_t to) {
    return there.op("Slice", {there.in(1), there.ints_constant({from}, "from"), there.ints_constant({to}, "to"), axis});
  };
  Draft::Inputs parts;
  if (at > 0) parts.push_back(part(0, at));
  parts.push_back(there.ints_constant({value}, "shape"));
  if (at + 1 < length) parts.push_back(part(at + 1, length));
  there.set_input(1, there.op("Concat", parts, {{"axis", std::int64_t{0}}}));
  draft.join(there);
  return true;
}

bool make(Draft& draft, const Finding& finding) {
  const NodeId reshape = finding.fix ? finding.fix->node_id : NodeId{};
  if (!reshape || draft.model().node(reshape).op_type != "Reshape") return false;
  const Node& node = draft.model().node(reshape);
  const ValueId target = node.input(1);
  const auto index = open_entry(draft.shapes()[target]);
  if (!index) return false;
  const auto value = number(draft, node, *index);
  if (!value) {
    return draft.refuse(
        fmt::format("the -1 of Reshape `{}` is not only the channel extent, and no number is proven for it",
                    draft.model().node_label(reshape)));
  }
  draft.title(fmt::format("write {} instead of -1 at index {} of the target of Reshape `{}`", *value, *index,
                          draft.model().node_label(reshape)));
  if (auto numbers = draft.ints(target)) {
    (*numbers)[*index] = *value;
    Draft there = draft.at(reshape);
    there.set_input(1, there.ints_constant(*numbers, "shape"));
    draft.join(there);
    return true;
  }
  return write_in_concat(draft, reshape, *index, *value) || write_between(draft, reshape, *index, *value);
}

constexpr std::string_view kFindings[] = {"WGT101", "WGT102", "WGT206"};

}  // namespace

extern constinit const Cure cure{
    .name = "channels-written",
    .kind = CureClass::proven,
    .summary = "the -1 of a Reshape that hides the channel count of a convolution becomes the number",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::channels_written
