#include "rules/weights/conv_facts.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rules/weights/batchnorm_facts.hpp"
#include "text/plural.hpp"

namespace trtcheck::rules {
namespace {

using Count = std::optional<std::int64_t>;

Count extent(const ValueShape& shape, std::size_t axis) {
  if (!shape.has_rank || axis >= shape.rank() || !shape.dims[axis].is_literal()) return std::nullopt;
  return shape.dims[axis].value();
}

Count product(Count a, Count b) {
  std::int64_t result = 0;
  if (!a || !b || __builtin_mul_overflow(*a, *b, &result)) return std::nullopt;
  return result;
}

Count quotient(Count a, std::int64_t divisor) {
  if (!a || divisor <= 0 || *a % divisor != 0) return std::nullopt;
  return *a / divisor;
}

Count element_count(const ValueShape& shape) {
  if (!shape.has_rank) return std::nullopt;
  Count count = 1;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) count = product(count, extent(shape, axis));
  return count;
}

/// Entry `index` of a list attribute of `size` entries, or the default; nothing when the list has another length.
Count list_entry(const Node& node, std::string_view name, std::size_t size, std::size_t index, std::int64_t missing) {
  const Attribute* attribute = node.attribute(name);
  if (attribute == nullptr) return missing;
  if (attribute->type != AttributeType::ints || attribute->ints().size() != size) return std::nullopt;
  return attribute->ints()[index];
}

/// Data of rank 3 get a last axis of size 1, which has to be 1 again behind the kernel; `no` only when it cannot be.
Truth leaves_one(const RuleContext& context, const Node& node, const ConvFacts& facts) {
  const Count kernel = extent(context.shape(facts.weight), 3);
  const Count before = list_entry(node, "pads", 4, 1, 0);
  const Count after = list_entry(node, "pads", 4, 3, 0);
  const Count stride = list_entry(node, "strides", 2, 1, 1);
  const Count dilation = list_entry(node, "dilations", 2, 1, 1);
  const Count extra = list_entry(node, "output_padding", 2, 1, 0);
  const Attribute* auto_pad = node.attribute("auto_pad");
  if (auto_pad != nullptr || !kernel || !before || !after || !stride || !dilation || !extra || *stride <= 0) {
    return Truth::unknown;
  }
  constexpr std::int64_t kSane = 1'000'000;  // keeps what follows from overflowing
  for (const Count& number : {kernel, before, after, stride, dilation, extra}) {
    if (*number < -kSane || *number > kSane) return Truth::unknown;
  }
  const std::int64_t window = *dilation * (*kernel - 1) + 1;
  const std::int64_t pads = *before + *after;
  if (facts.transposed) return window - pads + *extra == 1 ? Truth::yes : Truth::no;
  return window <= 1 + pads && (1 + pads - window) / *stride == 0 ? Truth::yes : Truth::no;
}

/// Ranks 3 and 4 that the parser makes agree. The path of computed weights and biases has no such step for Conv.
bool is_expanded(const RuleContext& context, const Node& node, const ConvFacts& facts) {
  const std::size_t data = context.shape(facts.data).rank();
  const std::size_t weights = context.shape(facts.weight).rank();
  if (std::min(data, weights) != 3 || std::max(data, weights) != 4) return false;
  const Model& model = context.model();
  const bool is_computed = !model.constant(facts.weight) || (data == 4 && facts.bias && !model.constant(facts.bias));
  if (is_computed && !facts.transposed) return false;
  return data == 4 || leaves_one(context, node, facts) != Truth::no;
}

}  // namespace

ConvFacts conv_facts(const RuleContext& context, const Node& node) {
  ConvFacts facts;
  facts.transposed = node.op_type == "ConvTranspose";
  facts.group = context.attr_int(node, "group", 1);
  facts.data = node.input(0);
  facts.weight = node.input(1);
  facts.bias = node.input(2);
  const ValueShape& weights = context.shape(facts.weight);
  if (weights.rank() < 2) return facts;
  facts.weight0 = extent(weights, 0);
  facts.weight1 = extent(weights, 1);
  facts.weight_count = element_count(weights);
  const Count times_group = facts.group > 0 ? product(facts.weight1, facts.group) : std::nullopt;
  facts.in_channels = facts.transposed ? facts.weight0 : times_group;
  facts.out_channels = facts.transposed ? times_group : facts.weight0;
  facts.in_per_group = facts.transposed ? quotient(facts.weight0, facts.group) : facts.weight1;
  facts.out_per_group = facts.transposed ? facts.weight1 : quotient(facts.weight0, facts.group);
  return facts;
}

std::optional<std::string> channel_mismatch(const RuleContext& context, const ConvFacts& facts) {
  const ValueShape& data = context.shape(facts.data);
  if (!facts.in_channels || data.rank() < 3) return std::nullopt;
  DimTable& dims = context.dims();
  if (dims.equal(data.dims[1], dims.literal(*facts.in_channels)) != Truth::no) return std::nullopt;
  const std::string wanted = facts.transposed ? fmt::format("axis 0 of weight `{}`", context.name(facts.weight))
                                              : fmt::format("axis 1 of weight `{}` is {}, group is {}",
                                                            context.name(facts.weight), *facts.weight1, facts.group);
  return fmt::format("input 0 `{}` has {}, {} needs {} ({})", context.name(facts.data),
                     counted(dims.text(data.dims[1]), "channel"), facts.transposed ? "ConvTranspose" : "Conv",
                     *facts.in_channels, wanted);
}

std::optional<std::string> bias_mismatch(const RuleContext& context, const ConvFacts& facts) {
  if (!facts.bias || !facts.out_channels) return std::nullopt;
  const ValueShape& bias = context.shape(facts.bias);
  if (!bias.has_rank) return std::nullopt;
  // The parser lifts a scalar bias of Conv to one element, that of ConvTranspose not.
  const bool scalar_is_one = !facts.transposed && bias.rank() == 0;
  if (bias.rank() != 1 && !scalar_is_one) {
    return fmt::format("bias `{}` has rank {}, {} needs a vector of {}", context.name(facts.bias), bias.rank(),
                       facts.transposed ? "ConvTranspose" : "Conv", counted(*facts.out_channels, "value"));
  }
  DimTable& dims = context.dims();
  const Dim length = scalar_is_one ? dims.literal(1) : bias.dims[0];
  if (dims.equal(length, dims.literal(*facts.out_channels)) != Truth::no) return std::nullopt;
  const std::string where = facts.transposed ? fmt::format("axis 1 of weight `{}` is {}, group is {}",
                                                           context.name(facts.weight), *facts.weight1, facts.group)
                                             : fmt::format("axis 0 of weight `{}`", context.name(facts.weight));
  return fmt::format("bias `{}` has {}, {} with {} needs {} ({})", context.name(facts.bias),
                     counted(dims.text(length), "value"), facts.transposed ? "ConvTranspose" : "Conv",
                     counted(*facts.out_channels, "output channel"), *facts.out_channels, where);
}

std::optional<std::string> kernel_mismatch(const RuleContext& context, const Node& node, const ConvFacts& facts) {
  const Attribute* attribute = node.attribute("kernel_shape");
  const ValueShape& weights = context.shape(facts.weight);
  if (attribute == nullptr || attribute->type != AttributeType::ints || weights.rank() < 3) return std::nullopt;
  const auto kernel = attribute->ints();
  bool differs = false;
  std::vector<std::int64_t> stored;
  for (std::size_t axis = 2; axis < weights.rank(); ++axis) {
    const Count size = extent(weights, axis);
    if (!size) return std::nullopt;
    stored.push_back(*size);
    // Missing entries default to 1 in the parser.
    differs = differs || (axis - 2 < kernel.size() ? kernel[axis - 2] : 1) != *size;
  }
  if (!differs && kernel.size() <= stored.size()) return std::nullopt;
  return fmt::format("kernel_shape is [{}], weight `{}` has a kernel of [{}]", fmt::join(kernel, ","),
                     context.name(facts.weight), fmt::join(stored, ","));
}

std::optional<RankMismatch> rank_mismatch(const RuleContext& context, const Node& node, const ConvFacts& facts) {
  const ValueShape& data = context.shape(facts.data);
  const ValueShape& weights = context.shape(facts.weight);
  const std::string_view op = facts.transposed ? "ConvTranspose" : "Conv";
  if (data.has_rank && (data.rank() < 3 || data.rank() > 5)) {
    return RankMismatch{fmt::format("input 0 `{}` has rank {}, {} takes 3, 4 or 5 (1 to 3 spatial axes)",
                                    context.name(facts.data), data.rank(), op)};
  }
  if (!data.has_rank || !weights.has_rank || data.rank() == weights.rank()) return std::nullopt;
  const bool is_taken = is_expanded(context, node, facts);
  return RankMismatch{
      fmt::format("weight `{}` has rank {}, {} on input 0 `{}` of rank {} needs the same rank{}",
                  context.name(facts.weight), weights.rank(), op, context.name(facts.data), data.rank(),
                  is_taken ? " in ONNX; TensorRT appends an axis of 1 to the shorter one and takes them" : ""),
      is_taken};
}

std::optional<std::string> group_mismatch(const RuleContext& context, const ConvFacts& facts) {
  const std::string_view op = facts.transposed ? "ConvTranspose" : "Conv";
  if (facts.group <= 0) return fmt::format("group is {}, {} needs 1 or more", facts.group, op);
  // The count that the weights carry whole: output channels of Conv, input channels of ConvTranspose.
  if (!facts.weight0 || *facts.weight0 % facts.group == 0) return std::nullopt;
  return fmt::format("group={} does not divide the {} {} channels of weight `{}`", facts.group, *facts.weight0,
                     facts.transposed ? "input" : "output", context.name(facts.weight));
}

NodeId normalization_at_fault(const RuleContext& context, const ConvFacts& facts) {
  constexpr std::array<std::string_view, 6> kKeepsShape{"Clip",      "DequantizeLinear", "Identity",
                                                        "LeakyRelu", "QuantizeLinear",   "Relu"};
  ValueId value = facts.data;
  for (int step = 0; step < 8 && value; ++step) {
    const NodeId id = context.model().value(value).producer;
    if (!id) return {};
    const Node& node = context.model().node(id);
    if (node.op_type == "BatchNormalization") {
      const ValueShape& data = context.shape(node.input(0));
      const bool unknown = data.rank() > 1 && !data.dims[1].is_literal();
      return unknown || batchnorm_is_inconsistent(context, node) ? id : NodeId{};
    }
    if (std::ranges::find(kKeepsShape, node.op_type) == kKeepsShape.end()) return {};
    value = node.input(0);
  }
  return {};
}

bool conv_is_inconsistent(const RuleContext& context, const Node& node) {
  const ConvFacts facts = conv_facts(context, node);
  return rank_mismatch(context, node, facts) || channel_mismatch(context, facts) || bias_mismatch(context, facts) ||
         kernel_mismatch(context, node, facts) || group_mismatch(context, facts);
}

}  // namespace trtcheck::rules
