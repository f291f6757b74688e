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

std::optional<CodeRange> code_range(Draft& draft, NodeId quantize) {
  const Node& node = draft.model().node(quantize);
  const auto scale = draft.contents(node.input(1));
  const auto scales = scale ? real_numbers(*scale) : std::nullopt;
  const auto zeros = zero_points(draft, quantize);
  const auto type = draft.type(node.output(0));
  if (!scales || scales->size() != 1 || !zeros || zeros->size() != 1 || !type) return std::nullopt;
  const bool is_wide = type == DataType::int16 || type == DataType::uint16;
  const bool is_signed = type == DataType::int8 || type == DataType::int16;
  if (!is_wide && !is_signed && type != DataType::uint8) return std::nullopt;
  constexpr double kBytes = 256, kWords = 65536;
  const double count = is_wide ? kWords : kBytes;
  const double least = is_signed ? -count / 2 : 0;
  const auto zero = static_cast<double>(zeros->front());
  return CodeRange{(least - zero) * scales->front(), (least + count - 1 - zero) * scales->front()};
}

std::string within(Draft& draft, NodeId quantize, std::optional<double> low, std::optional<double> high) {
  const ValueId data = draft.model().node(quantize).input(0);
  const NodeId before = producer(draft, data);
  const bool is_positive =
      is_onnx_op(draft, before, "Relu") || is_onnx_op(draft, before, "Softmax") || is_onnx_op(draft, before, "Sigmoid");
  std::string name = name_of(draft, data);
  const auto type = draft.type(data);
  if (!type) return name;
  Draft at = draft.at(quantize);
  if (low == 0.0) {
    if (!is_positive) name = at.op("Relu", {name});
  } else if (low) {
    name = at.op("Max", {name, at.scalar(*low, *type)});
  }
  if (high) name = at.op("Min", {name, at.scalar(*high, *type)});
  draft.join(at);
  return name;
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
