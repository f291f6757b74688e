#include "settings/toml_text.hpp"

#include <fmt/core.h>

#include <algorithm>

#include <nlohmann/json.hpp>

namespace trtcheck::settings {
namespace {

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\u{:04X}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

}  // namespace

std::string toml_key(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, is_bare) ? std::string(key) : in_quotes(key);
}

std::string toml_text(const nlohmann::ordered_json& value) {
  if (value.is_string()) return in_quotes(value.get_ref<const std::string&>());
  std::string out;
  if (value.is_array()) {
    for (const auto& item : value) out += (out.empty() ? "" : ", ") + toml_text(item);
    return "[" + out + "]";
  }
  if (value.is_object()) {
    for (const auto& [key, item] : value.items()) {
      out += (out.empty() ? " " : ", ") + toml_key(key) + " = " + toml_text(item);
    }
    return out.empty() ? "{}" : "{" + out + " }";
  }
  return value.dump();
}

}  // namespace trtcheck::settings
