// The target of a Reshape: what of it need not be computed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <trtcheck/model.hpp>

#include "simplify/known.hpp"
#include "simplify/written.hpp"

namespace trtcheck::simplifying {

/// What the target of a Reshape to `made` is for another input: 0 for dims that stay, -1 for one more; nothing: more
/// than one size would be unknown.
[[nodiscard]] std::optional<std::vector<std::int64_t>> reshape_target(Known& known, ValueId data, ValueId made);

/// Of a Reshape whose target is computed: that one as a constant, else with fewer sizes in it.
/// @param shortens  as for written_inputs
[[nodiscard]] std::vector<Written> written_target(Known& known, const Node& node, ValueId data, bool shortens);

}  // namespace trtcheck::simplifying
