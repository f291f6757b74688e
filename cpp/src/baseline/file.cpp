// The file of a baseline: data/baseline.schema.json.
#include <trtcheck/baseline.hpp>

#include <cstdint>
#include <string_view>

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "bytes/json_document.hpp"

namespace trtcheck {
namespace {

using Json = nlohmann::json;

constexpr JsonKind kKind{.name = "baseline", .schema_version = 1, .remedy = "write it anew with --update-baseline"};
constexpr std::uint64_t kLargestCount = 1'000'000'000;

[[noreturn]] void fail(const std::string& path, const std::string& cause) { refuse_document(path, kKind, cause); }

std::string text_of(const std::string& path, const Json& object, const char* key, std::size_t index) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) {
    fail(path, fmt::format("entry {} of `findings` has no text `{}`", index, key));
  }
  return found->get<std::string>();
}

Severity severity_of(const std::string& path, std::string_view word, std::size_t index) {
  for (const Severity severity : {Severity::info, Severity::warning, Severity::error}) {
    if (word == to_string(severity)) return severity;
  }
  fail(path, fmt::format("`severity` of entry {} of `findings` is not error, warning or info", index));
}

BaselineEntry entry_of(const std::string& path, const Json& object, std::size_t index) {
  if (!object.is_object()) fail(path, fmt::format("entry {} of `findings` is no object", index));
  BaselineEntry entry;
  entry.model = text_of(path, object, "model", index);
  entry.code = text_of(path, object, "code", index);
  entry.fingerprint = text_of(path, object, "fingerprint", index);
  entry.message = text_of(path, object, "message", index);
  entry.fact = text_of(path, object, "fact", index);
  entry.severity = severity_of(path, text_of(path, object, "severity", index), index);
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

}  // namespace

Baseline read_baseline(const std::string& path) {
  const Json document = read_document(path, kKind);
  const auto findings = document.find("findings");
  if (findings == document.end() || !findings->is_array()) fail(path, "it has no list `findings`");
  std::vector<BaselineEntry> entries;
  entries.reserve(findings->size());
  for (const Json& object : *findings) entries.push_back(entry_of(path, object, entries.size()));
  return {path, std::move(entries)};
}

std::string Baseline::to_json() const {
  std::vector<std::string> lines;
  for (const BaselineEntry& entry : entries_) {
    const nlohmann::ordered_json line{{"model", entry.model},
                                      {"code", entry.code},
                                      {"fact", entry.fact},
                                      {"severity", to_string(entry.severity)},
                                      {"fingerprint", entry.fingerprint},
                                      {"count", entry.count},
                                      {"message", entry.message}};
    lines.push_back(line.dump());
  }
  return document_of_lines(kKind, nlohmann::ordered_json::object(), "findings", lines);
}

}  // namespace trtcheck
