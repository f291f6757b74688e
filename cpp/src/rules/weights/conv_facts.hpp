// What the weights of a Conv or ConvTranspose demand, read once for all rules about them.
//
// Conv weights are [C_out, C_in/group, k...], ConvTranspose weights [C_in, C_out/group, k...]. It does not matter
// whether the weights are an initializer, a Constant, or come out of a DequantizeLinear: inference knows their shape.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

struct ConvFacts {
  bool transposed = false;
  std::int64_t group = 1;  ///< as written; may be nonsense in a bad file
  ValueId data;
  ValueId weight;
  ValueId bias;                         ///< none when left out
  std::optional<std::int64_t> weight0;  ///< extents of the weights, when literal
  std::optional<std::int64_t> weight1;
  std::optional<std::int64_t> weight_count;  ///< number of weights, when all extents are literal
  std::optional<std::int64_t> in_channels;   ///< what axis 1 of the data must be
  std::optional<std::int64_t> out_channels;  ///< axis 1 of the output
  std::optional<std::int64_t> in_per_group;
  std::optional<std::int64_t> out_per_group;
};

/// @pre `node` is a Conv or a ConvTranspose
ConvFacts conv_facts(const RuleContext& context, const Node& node);

/// Channel counts of data and weights that can never agree; the message, or nothing.
std::optional<std::string> channel_mismatch(const RuleContext& context, const ConvFacts& facts);
/// Bias that is no vector of one value per output channel; the message, or nothing.
std::optional<std::string> bias_mismatch(const RuleContext& context, const ConvFacts& facts);
/// `kernel_shape` that contradicts the weights; the message, or nothing.
std::optional<std::string> kernel_mismatch(const RuleContext& context, const Node& node, const ConvFacts& facts);
/// Ranks of data and weights that do not go together.
struct RankMismatch {
  std::string message;
  bool is_taken = false;  ///< the parser expands both to two spatial axes each for itself, and builds
};
std::optional<RankMismatch> rank_mismatch(const RuleContext& context, const Node& node, const ConvFacts& facts);
/// Group count that does not divide the channels that it must divide; the message, or nothing.
std::optional<std::string> group_mismatch(const RuleContext& context, const ConvFacts& facts);

/// A BatchNormalization that the data come from through layers that keep the shape, if it has parameters for another
/// number of channels or an unknown one: what a convolution reports about its channels then follows from there.
NodeId normalization_at_fault(const RuleContext& context, const ConvFacts& facts);

/// One of the above: some rule about weights reports the node.
bool conv_is_inconsistent(const RuleContext& context, const Node& node);

}  // namespace trtcheck::rules
