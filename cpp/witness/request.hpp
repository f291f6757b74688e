// The words of the command line.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "builder_api.hpp"

namespace trtcheck::witness {

struct InputRange {
  std::string input;
  std::array<Dims, 3> points;  ///< min, opt, max
};

struct Request {
  std::string library;  ///< "" = by name, where the loader finds it
  std::string parser;   ///< "" = beside the library
  std::string model;
  std::vector<InputRange> profile;
  int capability = 0;  ///< that is built for: 86 = 8.6; 0 = as the library chooses
  bool parse_only = false;
  bool batch = false;  ///< models are read from standard input, a path on each line
  bool self_test = false;
  bool help = false;  ///< nothing else counts then
};

/// What `--help` prints.
[[nodiscard]] const char* help_text() noexcept;

/// @throws std::invalid_argument  with one line that says what is wrong
[[nodiscard]] Request parse_request(const std::vector<std::string>& words);

}  // namespace trtcheck::witness
