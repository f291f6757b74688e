// What tensors reached on samples, for rules about it.
#pragma once

#include <vector>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

/// 65,504 is the largest number of FP16, this the first that rounds to infinity.
inline constexpr double kBeyondHalf = 65'520;
/// 2^-25: the largest magnitude that rounds to 0 in FP16.
inline constexpr double kZeroInHalf = 2.98023223876953125e-08;

/// A tensor that was measured.
struct Reached {
  NodeId node;  ///< that makes it; of an input of the network its first reader
  ValueId value;
  const MeasuredTensor* tensor;
  /// Measured inputs of `node`; of an input of the network none.
  std::vector<const MeasuredTensor*> sources;
};

/// Inputs of the network that somebody reads, then outputs of nodes that are executed; empty without ranges.
[[nodiscard]] std::vector<Reached> reached_tensors(const RuleContext& context);

/// FLOAT16 in the file, or FLOAT that a flag lets run in FP16.
[[nodiscard]] bool runs_in_half(const RuleContext& context, ValueId value);

/// Whatever is read of the value goes into a Softmax, at most through an addition, a choice or a change of form: minus
/// infinity does there what a large negative number does.
[[nodiscard]] bool only_masks(const RuleContext& context, ValueId value);

}  // namespace trtcheck::rules
