#include "answer.hpp"

#include <nlohmann/json.hpp>

namespace trtcheck::witness {
namespace {

using Json = nlohmann::ordered_json;

Json tensors(const std::vector<TensorInfo>& infos) {
  Json list = Json::array();
  for (const TensorInfo& info : infos) list.push_back({{"name", info.name}, {"shape", info.shape}});
  return list;
}

Json failures(const std::vector<ParseFailure>& errors) {
  Json list = Json::array();
  for (const ParseFailure& error : errors) {
    list.push_back({{"code", error.code},
                    {"description", error.description},
                    {"file", error.file},
                    {"line", error.line},
                    {"function", error.function},
                    {"node", error.node},
                    {"node_name", error.node_name},
                    {"operator", error.op}});
  }
  return list;
}

Json lines(const std::vector<LogLine>& log) {
  Json list = Json::array();
  for (const LogLine& line : log) list.push_back({{"severity", line.severity}, {"text", line.text}});
  return list;
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// Names in a file need not be UTF-8.
std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::string Library::release() const {
  return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." + std::to_string(number % 100);
}

std::string json_line(const Answer& answer, const Library& library) {
  return text_of({{"format", 1},
                  {"model", answer.model},
                  {"library",
                   {{"path", library.path},
                    {"parser", library.parser},
                    {"product", library.product},
                    {"release", library.release()},
                    {"number", library.number}}},
                  {"parsed", answer.parsed},
                  {"errors", failures(answer.errors)},
                  {"built", or_null(answer.built)},
                  {"not_built", answer.not_built},
                  {"engine_bytes", or_null(answer.engine_bytes)},
                  {"inputs", tensors(answer.inputs)},
                  {"outputs", tensors(answer.outputs)},
                  {"log", lines(answer.log.kept)},
                  {"unlisted_errors", answer.log.more_errors},
                  {"unlisted_warnings", answer.log.more_warnings},
                  {"seconds", {{"parse", answer.parse_seconds}, {"build", or_null(answer.build_seconds)}}}});
}

std::string fatal_line(const std::string& why) { return text_of({{"format", 1}, {"fatal", why}}); }

}  // namespace trtcheck::witness
