#include "bytes/json_document.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <span>
#include <system_error>

#include <fmt/core.h>

#include <trtcheck/error.hpp>

#include "bytes/bytes.hpp"

namespace trtcheck {
namespace {

using Json = nlohmann::json;

constexpr int kDepth = 8;  // deeper than any of ours; hostile files nest without end

Json parsed(const std::string& path, const JsonKind& kind, std::string_view text) {
  const auto limit_depth = [&](int depth, Json::parse_event_t /*event*/, Json& /*value*/) {
    if (depth > kDepth) refuse_document(path, kind, "its values are nested too deep");
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), limit_depth);
  } catch (const Json::parse_error& error) {
    throw Error(path, fmt::format("is no {} of trtcheck: it is not JSON", kind.name),
                std::max(error.byte, std::size_t{1}) - 1);
  }
}

void check_version(const std::string& path, const JsonKind& kind, const Json& document) {
  const auto version = document.find("schema_version");
  if (version == document.end() || !version->is_number_integer()) {
    refuse_document(path, kind, "it has no `schema_version`");
  }
  if (*version != kind.schema_version) {
    throw Error(path, fmt::format("is a {} of version {}, this trtcheck reads version {}; {}", kind.name,
                                  version->dump(), kind.schema_version, kind.remedy));
  }
}

}  // namespace

void refuse_document(const std::string& path, const JsonKind& kind, const std::string& cause) {
  throw Error(path, fmt::format("is no {} of trtcheck: {}", kind.name, cause));
}

Json read_document(const std::string& path, const JsonKind& kind) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) refuse_document(path, kind, "it is a directory");
  const Bytes file = Bytes::of_file(path);
  const std::span<const std::byte> bytes = file.span();
  return parse_document(path, kind, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Json parse_document(const std::string& path, const JsonKind& kind, std::string_view text) {
  Json document = parsed(path, kind, text);
  if (!document.is_object()) refuse_document(path, kind, "it is no object");
  check_version(path, kind, document);
  return document;
}

std::string document_of_lines(const JsonKind& kind, const nlohmann::ordered_json& head, std::string_view list,
                              std::span<const std::string> entries) {
  std::string text = fmt::format("{{\n  \"schema_version\": {},\n", kind.schema_version);
  for (const auto& [key, value] : head.items()) text += fmt::format("  \"{}\": {},\n", key, value.dump());
  text += fmt::format("  \"{}\": [", list);
  for (const std::string& entry : entries) {
    text += &entry == entries.data() ? "\n    " : ",\n    ";
    text += entry;
  }
  return text + (entries.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace trtcheck
