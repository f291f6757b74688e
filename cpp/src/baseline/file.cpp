// The file of a baseline: data/baseline.schema.json.
#include <trtcheck/baseline.hpp>

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include <trtcheck/error.hpp>

#include "bytes/bytes.hpp"

namespace trtcheck {
namespace {

using Json = nlohmann::json;

constexpr int kSchemaVersion = 1;
constexpr int kDepth = 8;  // deeper than any baseline; hostile files nest without end
constexpr std::uint64_t kLargestCount = 1'000'000'000;

[[noreturn]] void fail(const std::string& path, const std::string& cause) {
  throw Error(path, "is no baseline of trtcheck: " + cause);
}

Json parsed(const std::string& path, std::string_view text) {
  const auto limit_depth = [&](int depth, Json::parse_event_t /*event*/, Json& /*value*/) {
    if (depth > kDepth) fail(path, "its values are nested too deep");
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), limit_depth);
  } catch (const Json::parse_error& error) {
    throw Error(path, "is no baseline of trtcheck: it is not JSON", error.byte == 0 ? 0 : error.byte - 1);
  }
}

std::string text_of(const std::string& path, const Json& object, const char* key, std::size_t index) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) {
    fail(path, fmt::format("entry {} of `findings` has no text `{}`", index, key));
  }
  return found->get<std::string>();
}

BaselineEntry entry_of(const std::string& path, const Json& object, std::size_t index) {
  if (!object.is_object()) fail(path, fmt::format("entry {} of `findings` is no object", index));
  BaselineEntry entry;
  entry.model = text_of(path, object, "model", index);
  entry.code = text_of(path, object, "code", index);
  entry.fingerprint = text_of(path, object, "fingerprint", index);
  entry.message = text_of(path, object, "message", index);
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (entry.fingerprint.size() != 16 || entry.fingerprint.find_first_not_of(kDigits) != std::string::npos) {
    fail(path, fmt::format("`fingerprint` of entry {} of `findings` is not 16 hexadecimal digits", index));
  }
  const auto count = object.find("count");
  const bool is_count = count != object.end() && count->is_number_unsigned() && count->get<std::uint64_t>() > 0 &&
                        count->get<std::uint64_t>() <= kLargestCount;
  if (!is_count) fail(path, fmt::format("`count` of entry {} of `findings` is no number from 1 on", index));
  entry.count = count->get<std::size_t>();
  return entry;
}

void check_version(const std::string& path, const Json& document) {
  const auto version = document.find("schema_version");
  if (version == document.end() || !version->is_number_integer()) fail(path, "it has no `schema_version`");
  if (*version != kSchemaVersion) {
    throw Error(path, fmt::format("is a baseline of version {}, this trtcheck reads version {}; write it anew with "
                                  "--update-baseline",
                                  version->dump(), kSchemaVersion));
  }
}

}  // namespace

Baseline read_baseline(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail(path, "it is a directory");
  const Bytes file = Bytes::of_file(path);
  const std::span<const std::byte> bytes = file.span();
  const Json document = parsed(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!document.is_object()) fail(path, "it is no object");
  check_version(path, document);
  const auto findings = document.find("findings");
  if (findings == document.end() || !findings->is_array()) fail(path, "it has no list `findings`");
  std::vector<BaselineEntry> entries;
  entries.reserve(findings->size());
  for (const Json& object : *findings) entries.push_back(entry_of(path, object, entries.size()));
  return {path, std::move(entries)};
}

std::string Baseline::to_json() const {
  std::string text = fmt::format("{{\n  \"schema_version\": {},\n  \"findings\": [", kSchemaVersion);
  for (const BaselineEntry& entry : entries_) {
    const nlohmann::ordered_json line{{"model", entry.model},
                                      {"code", entry.code},
                                      {"fingerprint", entry.fingerprint},
                                      {"count", entry.count},
                                      {"message", entry.message}};
    text += &entry == entries_.data() ? "\n    " : ",\n    ";
    text += line.dump();
  }
  text += entries_.empty() ? "]\n}\n" : "\n  ]\n}\n";
  return text;
}

}  // namespace trtcheck
