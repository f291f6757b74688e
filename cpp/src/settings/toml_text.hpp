// Values as TOML writes them.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace trtcheck::settings {

/// On one line, tables inline. Control characters are escaped.
[[nodiscard]] std::string toml_text(const nlohmann::ordered_json& value);

/// A key, in quotes where it needs them.
[[nodiscard]] std::string toml_key(std::string_view key);

}  // namespace trtcheck::settings
