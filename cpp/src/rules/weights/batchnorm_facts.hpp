// What BatchNormalization demands of its four parameter vectors.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

inline constexpr std::array<std::string_view, 4> kBatchNormParameters{"scale", "bias", "mean", "variance"};

struct BatchNormFacts {
  ValueId data;
  std::array<ValueId, 4> parameters;                  ///< scale, bias, mean, variance
  std::array<std::optional<std::int64_t>, 4> counts;  ///< elements of each, when known
  bool all_constant = false;                          ///< as the parser sees it: initializers and Constants only
};

/// @pre `node` is a BatchNormalization
BatchNormFacts batchnorm_facts(const RuleContext& context, const Node& node);

/// Parameters that are no vectors, or of unequal length; the message, or nothing.
std::optional<std::string> parameters_disagree(const RuleContext& context, const BatchNormFacts& facts);
/// A scale whose length can never be the channel extent; its length, or nothing.
std::optional<std::int64_t> wrong_parameter_count(const RuleContext& context, const BatchNormFacts& facts);

/// Another axis of the data that has as many entries as there are values, told as a note: "it looks like channels-last
/// data"; nothing when there is none.
std::optional<std::string> other_layout(const RuleContext& context, const BatchNormFacts& facts);

/// The first BatchNormalization of the model in training form: with `training_mode`, or with the outputs of it as the
/// target release counts them. The others have the same cause.
NodeId first_in_training(const RuleContext& context);
/// Outputs as the release counts them: up to 10.5 those without a name as well.
std::size_t counted_outputs(const Node& node, const Target& target);

/// One of the above: some rule about weights reports the node.
bool batchnorm_is_inconsistent(const RuleContext& context, const Node& node);

}  // namespace trtcheck::rules
