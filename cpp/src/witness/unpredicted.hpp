// What the witness refuses and nothing predicted, as findings.
#pragma once

#include <span>

#include <trtcheck/confirm.hpp>

#include "witness/judge.hpp"

namespace trtcheck::witness {

/// Fills in `made.unpredicted`, where nothing predicted the answer.
/// @param options  of the user: what they suppress is suppressed here, too
/// @pre said, messages and agreement are those of the same answer
void add_unpredicted(Confirmation& made, const Model& model, const CheckOptions& options, std::span<const Said> said);

}  // namespace trtcheck::witness
