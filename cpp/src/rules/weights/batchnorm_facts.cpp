#include "rules/weights/batchnorm_facts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "facts/parser_view.hpp"
#include "text/plural.hpp"

namespace trtcheck::rules {
namespace {

std::optional<std::int64_t> element_count(const ValueShape& shape) {
  if (!shape.has_rank) return std::nullopt;
  std::int64_t count = 1;
  for (Dim dim : shape.dims) {
    if (!dim.is_literal() || __builtin_mul_overflow(count, dim.value(), &count)) return std::nullopt;
  }
  return count;
}

}  // namespace

BatchNormFacts batchnorm_facts(const RuleContext& context, const Node& node) {
  BatchNormFacts facts;
  facts.data = node.input(0);
  const ParserView parser(context.model(), context.shapes(), context.target());
  facts.all_constant = true;
  for (std::size_t i = 0; i < facts.parameters.size(); ++i) {
    const ValueId value = node.input(i + 1);
    facts.parameters[i] = value;
    facts.counts[i] = element_count(context.shape(value));
    facts.all_constant = facts.all_constant && value && parser.is_constant(value) == Truth::yes;
  }
  return facts;
}

std::optional<std::string> parameters_disagree(const RuleContext& context, const BatchNormFacts& facts) {
  for (std::size_t i = 0; i < facts.parameters.size(); ++i) {
    const ValueShape& shape = context.shape(facts.parameters[i]);
    if (shape.has_rank && shape.rank() != 1) {
      return fmt::format("{} `{}` is {}, BatchNormalization needs a vector with one value per channel",
                         kBatchNormParameters[i], context.name(facts.parameters[i]), context.shapes().text(shape));
    }
  }
  for (std::size_t i = 1; i < facts.parameters.size(); ++i) {
    if (!facts.counts[0] || !facts.counts[i] || *facts.counts[0] == *facts.counts[i]) continue;
    return fmt::format("{} `{}` has {}, scale `{}` has {}", kBatchNormParameters[i], context.name(facts.parameters[i]),
                       counted(*facts.counts[i], "value"), context.name(facts.parameters[0]), *facts.counts[0]);
  }
  return std::nullopt;
}

std::optional<std::int64_t> wrong_parameter_count(const RuleContext& context, const BatchNormFacts& facts) {
  const ValueShape& data = context.shape(facts.data);
  if (data.rank() < 2 || !facts.counts[0]) return std::nullopt;
  // The elementwise form, taken where a parameter is no constant, broadcasts a single value.
  if (!facts.all_constant && *facts.counts[0] == 1) return std::nullopt;
  DimTable& dims = context.dims();
  if (dims.equal(data.dims[1], dims.literal(*facts.counts[0])) != Truth::no) return std::nullopt;
  return facts.counts[0];
}

std::optional<std::string> other_layout(const RuleContext& context, const BatchNormFacts& facts) {
  const ValueShape& data = context.shape(facts.data);
  if (!facts.counts[0]) return std::nullopt;
  for (std::size_t axis = data.rank(); axis-- > 0;) {
    if (axis == 1 || !data.dims[axis].is(*facts.counts[0])) continue;
    const std::string_view name = context.name(facts.data);
    return axis + 1 == data.rank()
               ? fmt::format("the last axis of `{}` has {}: it looks like channels-last data", name, *facts.counts[0])
               : fmt::format("axis {} of `{}` has {}: it looks like data in another layout, not channels-first", axis,
                             name, *facts.counts[0]);
  }
  return std::nullopt;
}

std::size_t counted_outputs(const Node& node, const Target& target) {
  constexpr TrtVersion kCountsNamesOnly{10, 6};
  if (target.release < kCountsNamesOnly) return node.outputs.size();
  return static_cast<std::size_t>(
      std::ranges::count_if(node.outputs, [](ValueId id) { return static_cast<bool>(id); }));
}

NodeId first_in_training(const RuleContext& context) {
  for (NodeId id : context.nodes()) {
    const Node& node = context.model().node(id);
    if (node.op_type != "BatchNormalization") continue;
    if (context.attr_int(node, "training_mode", 0) != 0 || counted_outputs(node, context.target()) > 1) return id;
  }
  return {};
}

bool batchnorm_is_inconsistent(const RuleContext& context, const Node& node) {
  const BatchNormFacts facts = batchnorm_facts(context, node);
  return parameters_disagree(context, facts) || wrong_parameter_count(context, facts);
}

}  // namespace trtcheck::rules
