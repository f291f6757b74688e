// What the program says about one model; docs/confirm.md describes the JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trtcheck::witness {

struct Library {
  std::string path;
  std::string parser;
  std::string product;  ///< "rtx" or "tensorrt"
  int number = 0;       ///< 10701 = 1.7.1, 101600 = 10.16.0

  [[nodiscard]] std::string release() const;
};

struct ParseFailure {
  int code = 0;
  std::string description;
  std::string file;
  int line = 0;
  std::string function;
  int node = -1;
  std::string node_name;
  std::string op;
};

struct TensorInfo {
  std::string name;
  std::vector<std::int64_t> shape;  ///< -1 = known at run time only
};

struct LogLine {
  std::string severity;
  std::string text;
};

/// What was logged; beyond a thousand lines they are counted only.
struct LogLines {
  std::vector<LogLine> kept;
  std::size_t more_errors = 0;
  std::size_t more_warnings = 0;
};

struct Answer {
  std::string model;
  bool parsed = false;
  std::vector<ParseFailure> errors;
  std::optional<bool> built;
  std::string not_built;  ///< why not, where `built` is empty
  std::optional<std::size_t> engine_bytes;
  std::vector<TensorInfo> inputs;
  std::vector<TensorInfo> outputs;
  LogLines log;
  double parse_seconds = 0;
  std::optional<double> build_seconds;
};

/// One line without its end.
[[nodiscard]] std::string json_line(const Answer& answer, const Library& library);
[[nodiscard]] std::string fatal_line(const std::string& why);

}  // namespace trtcheck::witness
