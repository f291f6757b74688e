// What an obligation of shape inference asks for, in numbers and in words.
#pragma once

#include <cstdint>
#include <string>

#include <trtcheck/shapes.hpp>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

/// Is it met when its sides have these values?
bool is_met(Obligation::Need need, std::int64_t a, std::int64_t b);

/// They ask the same of the same dims.
bool ask_alike(const Obligation& one, const Obligation& other) noexcept;

/// One of two inputs that broadcast against each other: the right side may be 1, too.
bool may_be_one(const Obligation& obligation) noexcept;

/// As is_met; of two inputs that broadcast against each other either may be 1.
bool is_met_by(const Obligation& obligation, std::int64_t a, std::int64_t b);

/// "`5*N` = `10`", "`3` to divide `N`".
std::string wanted(const DimTable& dims, const Obligation& obligation);

/// "its target `heads` is {12, 4, 16}", "`w` is a constant of the model, FLOAT[1,16,64]": where a number that an export
/// wrote into the model may stand. "" = the node reads no such thing.
std::string constant_at(const RuleContext& context, NodeId node);

}  // namespace trtcheck::rules
