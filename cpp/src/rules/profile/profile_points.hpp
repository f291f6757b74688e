// The three points of the optimization profile at which TensorRT computes all shapes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

struct ProfilePoint {
  enum class Kind : std::uint8_t { min, opt, max };
  Kind kind = Kind::opt;
  std::string_view name;                   ///< as TensorRT's messages have it: "kOPT"
  std::vector<DimTable::Binding> symbols;  ///< values of the symbols of the graph inputs
};

/// Smallest, optimal and largest sizes; empty without a profile.
std::vector<ProfilePoint> profile_points(const RuleContext& context);

}  // namespace trtcheck::rules
