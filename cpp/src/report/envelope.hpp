// What every JSON document of this project begins with, and how it is written.
//
//     return document_text(enveloped({{"path", path}, {"nodes", count}}));
#pragma once

#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include <trtcheck/report.hpp>

namespace trtcheck::report {

using Json = nlohmann::ordered_json;

/// `members` after `schema_version` and `trtcheck_version`.
[[nodiscard]] Json enveloped(Json members);

/// Indented, with what an editor would hide or reverse as \u escapes, and a newline at the end.
[[nodiscard]] std::string document_text(const Json& document);

/// The same without its end: for members that are too large for one tree of values. What follows begins with a comma.
[[nodiscard]] std::string open_document(const Json& document);

[[nodiscard]] Json failure_json(const Failure& failure);
[[nodiscard]] Json failures_json(std::span<const Failure> failures);

}  // namespace trtcheck::report
