// What the tables name at all.
#pragma once

#include <string_view>

namespace trtcheck {

/// Some release imports or refuses an operator of that name, or ships a plugin of it. For every other name all releases
/// give the answer that they give for "".
[[nodiscard]] bool is_in_tables(std::string_view op_type) noexcept;

}  // namespace trtcheck
