// The line of JSON that `trtcheck-witness` prints for a model, as values. docs/confirm.md describes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trtcheck::witness {

struct ParseFailure {
  int code = 0;
  std::string description{};
  std::string file{};
  int line = 0;
  std::string function{};
  int node = -1;  ///< index in the graph; -1 = of none
  std::string node_name{};
  std::string op_type{};
};

struct LogLine {
  std::string severity;  ///< "internal_error", "error" or "warning"
  std::string text;
};

struct Answer {
  std::string fatal;  ///< why nothing could be asked; then nothing else counts
  std::string library;
  std::string parser;
  std::string product;  ///< "rtx" or "tensorrt"
  std::string release;
  bool parsed = false;
  std::vector<ParseFailure> errors;
  std::optional<bool> built;
  std::string not_built;
  std::optional<std::uint64_t> engine_bytes;
  std::vector<LogLine> log;
  std::uint64_t unlisted_errors = 0;    ///< errors of the log that were counted only
  std::uint64_t unlisted_warnings = 0;  ///< the same of warnings
  std::optional<double> parse_seconds;
  std::optional<double> build_seconds;
};

/// Nothing: it is no such line. What is not asked for may be there; each field that is has to have its type.
[[nodiscard]] std::optional<Answer> read_answer(std::string_view line);

}  // namespace trtcheck::witness
