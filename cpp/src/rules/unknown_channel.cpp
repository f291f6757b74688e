#include "rules/unknown_channel.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trtcheck::rules {
namespace {

using Names = std::vector<std::string>;

// So many inputs are looked through for a dim, and so many are told: the search is made for every finding.
constexpr std::size_t kMostInputs = 256;
constexpr std::size_t kMostNames = 32;

void add_once(Names& names, std::string name) {
  if (names.size() > kMostNames || std::ranges::find(names, name) != names.end()) return;
  names.push_back(names.size() < kMostNames ? std::move(name) : "and others");
}

/// Says where a named or an unnamed dynamic extent enters the model.
void add_sources(const RuleContext& context, const Shapes& shapes, Dim dim, Names& names) {
  DimTable& dims = shapes.dims();
  const auto in_symbols = dims.symbols(dim);
  const std::span<const ValueId> inputs = context.model().graph().inputs;
  for (ValueId input : inputs.first(std::min(inputs.size(), kMostInputs))) {
    if (names.size() > kMostNames) return;
    const ValueShape& shape = shapes[input];
    for (std::size_t axis = 0; axis < shape.dims.size(); ++axis) {
      const Dim entry = shape.dims[axis];
      if (entry.is_literal()) continue;
      const auto own = dims.symbols(entry);
      const bool named = std::ranges::any_of(
          own, [&](std::string_view symbol) { return std::ranges::find(in_symbols, symbol) != in_symbols.end(); });
      if (named)
        add_once(names, fmt::format("`{}` (axis {} of graph input `{}`)", dims.text(entry), axis, context.name(input)));
      if (!named && own.empty() && entry.same(dim)) {
        add_once(names, fmt::format("axis {} of graph input `{}`", axis, context.name(input)));
      }
    }
  }
}

/// The dynamic extents that keep the -1 of a Reshape from being solved: entries of its target, else of its data.
std::string reshape_sources(const RuleContext& context, const Shapes& shapes, const Node& reshape) {
  Names names;
  const ValueShape& target = shapes[reshape.input(1)];
  for (Dim entry : target.known) {
    if (!entry.is_literal()) add_sources(context, shapes, entry, names);
  }
  if (names.empty()) {
    for (Dim entry : shapes[reshape.input(0)].dims) {
      if (!entry.is_literal()) add_sources(context, shapes, entry, names);
    }
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The extent at `axis` is what this Reshape has a -1 for, not an entry that is computed at run time.
bool is_minus_one(const Model& model, const Shapes& shapes, const Origin& origin) {
  if (origin.node >= model.node_count() || origin.axis < 0) return false;
  const Node& node = model.node(NodeId{origin.node});
  const auto target = shapes[node.input(1)].known;
  const auto index = static_cast<std::size_t>(origin.axis);
  return node.op_type == "Reshape" && index < target.size() && target[index].is(-1);
}

/// A constant target whose zeros copy all that is dynamic, as in [0, -1, 1, 1, 0, 0]: TensorRT may well solve that.
bool copies_what_is_dynamic(const Shapes& shapes, const Node& reshape) {
  const auto target = shapes[reshape.input(1)].known;
  const ValueShape& data = shapes[reshape.input(0)];
  if (!data.has_rank || int_attribute(reshape, "allowzero", 0) != 0) return false;
  for (Dim entry : target) {
    if (!entry.is_literal()) return false;
  }
  for (std::size_t axis = 0; axis < data.rank(); ++axis) {
    if (!data.dims[axis].is_literal() && (axis >= target.size() || !target[axis].is(0))) return false;
  }
  return true;
}

/// Extents that the target takes over at their own places cancel out, others do not.
bool moves_an_extent(const Shapes& shapes, const Node& reshape) {
  const auto target = shapes[reshape.input(1)].known;
  const ValueShape& data = shapes[reshape.input(0)];
  if (!data.has_rank) return false;
  for (std::size_t axis = 0; axis < target.size(); ++axis) {
    if (target[axis].is_literal()) continue;
    if (axis >= data.rank() || !data.dims[axis].same(target[axis])) return true;
  }
  return false;
}

std::optional<UnknownChannel> unknown_in(const RuleContext& context, const Shapes& shapes, ValueId value,
                                         std::size_t axis) {
  const ValueShape& shape = shapes[value];
  if (!shape.has_rank || shape.assumed || axis >= shape.rank() || shape.dims[axis].is_literal()) return std::nullopt;
  DimTable& dims = shapes.dims();
  const Dim dim = shape.dims[axis];
  UnknownChannel reason;
  for (const Origin& origin : dims.origins(dim)) {
    if (origin.node == Origin::kNone) continue;
    reason.node = NodeId{origin.node};
    if (!is_minus_one(context.model(), shapes, origin)) return reason;
    const Node& reshape = context.model().node(reason.node);
    const ValueShape& out = shapes[reshape.output(0)];
    const auto index = static_cast<std::size_t>(origin.axis);
    reason.kind = UnknownChannel::Kind::reshape;
    reason.index = origin.axis;
    reason.is_whole_entry = out.has_rank && index < out.rank() && out.dims[index].same(dim);
    reason.is_copied = copies_what_is_dynamic(shapes, reshape);
    reason.is_moved = moves_an_extent(shapes, reshape);
    reason.symbols = reshape_sources(context, shapes, reshape);
    return reason;
  }
  Names names;
  add_sources(context, shapes, dim, names);
  reason.kind = UnknownChannel::Kind::symbol;
  reason.symbols = fmt::format("{}", fmt::join(names, ", "));
  return reason;
}

}  // namespace

std::optional<UnknownChannel> unknown_channel(const RuleContext& context, ValueId value, std::size_t axis) {
  auto reason = unknown_in(context, context.parsed_shapes(), value, axis);
  if (reason && !context.target().profile.empty()) {
    reason->is_pinned = !unknown_in(context, context.trt_shapes(), value, axis);
  }
  return reason;
}

bool is_open_to_all(const RuleContext& context, const UnknownChannel& reason, ValueId value) {
  if (reason.kind != UnknownChannel::Kind::reshape) return reason.kind == UnknownChannel::Kind::symbol;
  if (reason.is_moved) return true;
  const ValueShape& shape = context.shape(value);
  return shape.rank() > 1 && !shape.dims[1].is_literal();
}

void explain(const RuleContext& context, const UnknownChannel& reason, std::optional<std::int64_t> required,
             FindingBuilder& finding) {
  const std::string node = reason.node ? context.label(reason.node) : std::string();
  if (!reason.symbols.empty()) {
    finding.note(fmt::format("dynamic in the model: {}", reason.symbols));
  }
  if (reason.is_pinned) {
    finding.note("the profile allows one size only; whether that is enough after the ONNX parser is not known");
  }
  switch (reason.kind) {
    case UnknownChannel::Kind::symbol:
      if (required) {
        finding.fix(
            fmt::format("declare the channel extent of the graph input so that it comes to {} here", *required));
      }
      return;
    case UnknownChannel::Kind::elsewhere:
      finding.note("the extent comes out of this operator without being known", reason.node);
      return;
    case UnknownChannel::Kind::reshape:
      break;
  }
  finding.note(
      fmt::format("Reshape `{}` writes -1 at index {} of its target shape, next to extents that are known only "
                  "at run time; TensorRT leaves such a -1 unknown",
                  node, reason.index),
      reason.node);
  if (reason.is_copied) {
    finding.note("the target copies every dynamic extent (0), so TensorRT may solve the -1 all the same", reason.node);
  }
  if (!reason.is_whole_entry || !required) {
    finding.fix(fmt::format("write the number instead of -1 at index {} of the target shape of Reshape `{}`",
                            reason.index, node),
                reason.node);
    return;
  }
  finding.note(fmt::format("the entry at index {} must be {}", reason.index, *required), reason.node);
  finding.fix(fmt::format("write {} instead of -1 at index {} of the target shape of Reshape `{}`", *required,
                          reason.index, node),
              reason.node);
}

}  // namespace trtcheck::rules
