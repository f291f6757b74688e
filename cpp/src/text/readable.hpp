// Numbers as people read them.
#pragma once

#include <cmath>
#include <string>

#include <fmt/format.h>

namespace trtcheck {

/// 81204 = "81,204", 2.54 = "2.54", -3.4e38 = "-3.4e+38": four digits, all of them from 1,000 to a billion.
inline std::string readable(double number) {
  if (std::fabs(number) < 999.95 || std::fabs(number) >= 1e9) return fmt::format("{:.4g}", number);
  std::string digits = fmt::format("{:.0f}", std::fabs(number));
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return (number < 0 ? "-" : "") + digits;
}

}  // namespace trtcheck
