// What an obligation of shape inference asks for, in numbers and in words.
#pragma once

#include <cstdint>
#include <string>

#include <trtcheck/shapes.hpp>

namespace trtcheck::rules {

/// Is it met when its sides have these values?
bool is_met(Obligation::Need need, std::int64_t a, std::int64_t b);

/// The same; of two inputs that broadcast against each other either may be 1.
bool is_met_by(const Obligation& obligation, std::int64_t a, std::int64_t b);

/// "`5*N` = `10`", "`3` to divide `N`".
std::string wanted(const DimTable& dims, const Obligation& obligation);

}  // namespace trtcheck::rules
