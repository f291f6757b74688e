#include "cure/cures/quantizers.hpp"

#include <algorithm>
#include <iterator>

#include "cure/numbers.hpp"

namespace trtcheck::cure {

std::optional<Spread> spread_of(const Node& node, const std::vector<std::int64_t>& data, const Constant& scale) {
  std::int64_t count = 1;
  for (const std::int64_t dim : scale.dims) count *= dim;
  if (count == 1) return Spread{};
  if (scale.dims.size() != 1) return std::nullopt;
  const Attribute* given = node.attribute("axis");
  const auto rank = static_cast<std::int64_t>(data.size());
  std::int64_t axis = given != nullptr ? given->i() : 1;
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank || data[static_cast<std::size_t>(axis)] != count) return std::nullopt;
  Spread spread{.count = count};
  for (std::int64_t i = axis + 1; i < rank; ++i) spread.inner *= data[static_cast<std::size_t>(i)];
  return spread.inner > 0 ? std::optional(spread) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> zero_points(Draft& draft, NodeId node) {
  const ValueId scale = draft.model().node(node).input(1);
  const ValueId given = draft.model().node(node).input(2);
  if (given) return draft.ints(given);
  const auto scales = draft.contents(scale);
  const auto numbers = scales ? real_numbers(*scales) : std::nullopt;
  if (!numbers) return std::nullopt;
  return std::vector<std::int64_t>(numbers->size(), 0);
}

std::optional<std::vector<NodeId>> dequantizers(const Draft& draft, ValueId codes) {
  const Value& value = draft.model().value(codes);
  if (value.is_output || value.users.empty()) return std::nullopt;
  std::vector<NodeId> nodes;
  for (const Use& use : value.users) {
    if (use.input != 0 || !is_onnx_op(draft, use.node, "DequantizeLinear")) return std::nullopt;
    nodes.push_back(use.node);
  }
  return nodes;
}

namespace {

/// What moves codes or chooses among them; each output is of codes.
bool passes_codes(const Node& node) {
  if (!node.domain().empty()) return false;
  if (node.op_type == "Split") return true;
  return node.outputs.size() == 1 && (moves_elements(node.op_type) || node.op_type == "MaxPool");
}

}  // namespace

std::optional<CodeReaders> code_readers(const Draft& draft, NodeId quantize) {
  CodeReaders readers;
  readers.codes.push_back(draft.model().node(quantize).output(0));
  readers.makers.push_back(quantize);
  readers.outputs.push_back(0);
  for (std::size_t i = 0; i < readers.codes.size(); ++i) {
    const Value& value = draft.model().value(readers.codes[i]);
    if (value.is_output || value.users.empty()) return std::nullopt;
    for (const Use& use : value.users) {
      const Node& node = draft.model().node(use.node);
      if (use.input != 0 || !node.domain().empty() || node.graph != value.graph) return std::nullopt;
      if (node.op_type == "DequantizeLinear") {
        readers.dequantizers.push_back(use.node);
        continue;
      }
      if (!passes_codes(node)) return std::nullopt;
      for (std::uint32_t at = 0; at < node.outputs.size(); ++at) {
        if (!node.output(at)) continue;
        readers.codes.push_back(node.output(at));
        readers.makers.push_back(use.node);
        readers.outputs.push_back(at);
      }
    }
  }
  return readers;
}

NodeId quantizer_before(const Draft& draft) {
  NodeId at = draft.id();
  for (int steps = 0; at && steps < 64; ++steps) {
    const Node& node = draft.model().node(at);
    if (is_onnx_op(draft, at, "QuantizeLinear")) return at;
    const bool passes = passes_codes(node) || is_onnx_op(draft, at, "DequantizeLinear");
    if (!passes || (node.op_type == "DequantizeLinear" && at != draft.id())) return {};
    at = producer(draft, node.input(0));
  }
  return {};
}

void rename_codes(Draft& draft, const CodeReaders& readers) {
  for (std::size_t i = 0; i < readers.codes.size(); ++i) {
    const std::string name = draft.fresh(name_of(draft, readers.codes[i]));
    draft.add(edit::SetOutput{edit::place_of(draft.model(), readers.makers[i]), readers.outputs[i], name});
    draft.rewire(readers.codes[i], name);
  }
}

std::string zeros_like(Draft& draft, const Constant& scale) {
  std::int64_t count = 1;
  for (const std::int64_t dim : scale.dims) count *= dim;
  return draft.constant(
      constant_of(DataType::int8, scale.dims, std::vector<std::int64_t>(static_cast<std::size_t>(count), 0)),
      "zero_point");
}

Constant constant_like_scalar(Constant one) {
  one.dims.clear();
  return one;
}

bool moves_elements(std::string_view op_type) noexcept {
  constexpr std::string_view kMoves[] = {"DepthToSpace", "Expand",   "Flatten",   "Gather",   "GatherElements",
                                         "GatherND",     "Identity", "Reshape",   "Slice",    "SpaceToDepth",
                                         "Squeeze",      "Tile",     "Transpose", "Unsqueeze"};
  return std::ranges::find(kMoves, op_type) != std::end(kMoves);
}

}  // namespace trtcheck::cure
