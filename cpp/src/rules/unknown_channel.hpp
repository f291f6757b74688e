// Why TensorRT does not know a channel extent at build time, as a chain of reasons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

struct UnknownChannel {
  enum class Kind : std::uint8_t {
    reshape,    ///< the -1 of a Reshape next to extents that are not known at build time
    symbol,     ///< depends on dynamic axes of graph inputs only
    elsewhere,  ///< some operator whose result size is not known; TensorRT may know more than we do
  };
  Kind kind = Kind::elsewhere;
  NodeId node;                  ///< the Reshape, or the operator; none for graph inputs
  std::int32_t index = -1;      ///< reshape: index of the -1
  bool is_whole_entry = false;  ///< reshape: the channel extent is what stands for the -1, nothing less
  bool is_copied = false;       ///< reshape: the target copies every dynamic extent (0), so that only numbers are left
  bool is_moved = false;        ///< reshape: an extent in the target stands at another place than in the data
  bool is_pinned = false;       ///< the profile allows one size only, with which it would be known
  std::string symbols;          ///< "`N` (axis 0 of graph input `x`)", ...; may be empty
};

/// Asks what TensorRT itself knows (RuleContext::parsed_shapes, then trt_shapes); nothing when axis `axis` of `value`
/// is known there, or when so little is known that nothing can be said (rank unknown, or only claimed by the file).
std::optional<UnknownChannel> unknown_channel(const RuleContext& context, ValueId value, std::size_t axis = 1);

/// Whether there is more doubt about the extent being unknown than the reports leave: these cases had targets that are
/// computed at run time, and no profile of one size.
[[nodiscard]] inline bool is_doubtful(const UnknownChannel& reason) noexcept {
  return reason.kind == UnknownChannel::Kind::elsewhere || reason.is_copied || reason.is_pinned;
}

/// TensorRT-RTX, and perhaps TensorRT from 11.0 on, cannot know the extent at axis 1 of `value` either: it is no number
/// that only a -1 hides, or the -1 stands next to an extent that has moved, as H and W in a channel shuffle. A profile
/// comes too late to help. Measured with 1.5.0, 1.6.1 and 1.7.1 in 900 forms (tests/truth/shuffles.py).
bool is_open_to_all(const RuleContext& context, const UnknownChannel& reason, ValueId value);

/// Adds the chain from the graph input to the victim. `required` is the extent that the weights ask for.
void explain(const RuleContext& context, const UnknownChannel& reason, std::optional<std::int64_t> required,
             FindingBuilder& finding);

}  // namespace trtcheck::rules
