#include "text/bytes_text.hpp"

#include <array>
#include <cstddef>
#include <string_view>

#include <fmt/core.h>

#include "text/plural.hpp"

namespace trtcheck {

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 4> kUnits{"KB", "MB", "GB", "TB"};
  if (bytes < 1024) return counted(bytes, "byte");
  auto number = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; number >= 1024 && unit + 1 < kUnits.size(); ++unit) number /= 1024;
  return fmt::format("{:.1f} {}", number, kUnits[unit]);
}

}  // namespace trtcheck
