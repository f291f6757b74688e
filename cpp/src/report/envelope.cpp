#include "report/envelope.hpp"

#include <utility>

#include <trtcheck/version.hpp>

#include "text/json_text.hpp"
#include "text/printable.hpp"

namespace trtcheck::report {
namespace {

/// Of all documents: none has changed in what it says since there are releases.
constexpr int kSchemaVersion = 1;

}  // namespace

Json enveloped(Json members) {
  Json document{{"schema_version", kSchemaVersion}, {"trtcheck_version", version()}};
  for (auto& [key, value] : members.items()) document[key] = std::move(value);
  return document;
}

std::string document_text(const Json& document) { return with_escapes(document.dump(2)) + "\n"; }

std::string open_document(const Json& document) {
  std::string text = with_escapes(document.dump(2));
  text.erase(text.rfind('\n'));
  return text;
}

Json failure_json(const Failure& failure) {
  return {{"path", valid_utf8(failure.path)}, {"cause", valid_utf8(failure.cause)}};
}

Json failures_json(std::span<const Failure> failures) {
  Json list = Json::array();
  for (const Failure& failure : failures) list.push_back(failure_json(failure));
  return list;
}

}  // namespace trtcheck::report
