#include "witness/answer.hpp"

#include <nlohmann/json.hpp>

namespace trtcheck::witness {
namespace {

using Object = nlohmann::json;

/// Nothing where the value is null or not there. @throws Object::exception  it has another type
template <class T>
std::optional<T> optional(const Object& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return std::nullopt;
  return found->get<T>();
}

template <class T>
T value(const Object& object, const char* key) {
  return object.at(key).get<T>();
}

ParseFailure failure_of(const Object& json) {
  return {.code = value<int>(json, "code"),
          .description = value<std::string>(json, "description"),
          .file = value<std::string>(json, "file"),
          .line = value<int>(json, "line"),
          .function = value<std::string>(json, "function"),
          .node = value<int>(json, "node"),
          .node_name = value<std::string>(json, "node_name"),
          .op_type = value<std::string>(json, "operator")};
}

Answer answer_of(const Object& json) {
  Answer answer;
  if (value<int>(json, "format") != 1) throw Object::other_error::create(0, "another format", nullptr);
  answer.fatal = optional<std::string>(json, "fatal").value_or("");
  if (!answer.fatal.empty()) return answer;
  const Object& library = json.at("library");
  answer.library = value<std::string>(library, "path");
  answer.parser = value<std::string>(library, "parser");
  answer.product = value<std::string>(library, "product");
  answer.release = value<std::string>(library, "release");
  answer.parsed = value<bool>(json, "parsed");
  for (const Object& error : json.at("errors")) answer.errors.push_back(failure_of(error));
  answer.built = optional<bool>(json, "built");
  answer.not_built = optional<std::string>(json, "not_built").value_or("");
  answer.engine_bytes = optional<std::uint64_t>(json, "engine_bytes");
  for (const Object& line : json.at("log")) {
    answer.log.push_back({value<std::string>(line, "severity"), value<std::string>(line, "text")});
  }
  answer.unlisted_errors = optional<std::uint64_t>(json, "unlisted_errors").value_or(0);
  answer.unlisted_warnings = optional<std::uint64_t>(json, "unlisted_warnings").value_or(0);
  const Object& seconds = json.at("seconds");
  answer.parse_seconds = optional<double>(seconds, "parse");
  answer.build_seconds = optional<double>(seconds, "build");
  return answer;
}

}  // namespace

std::optional<Answer> read_answer(std::string_view line) {
  const Object json = Object::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  try {
    return answer_of(json);
  } catch (const Object::exception&) {
    return std::nullopt;
  }
}

}  // namespace trtcheck::witness
