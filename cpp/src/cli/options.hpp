// What the user asked for: the words of the command line, checked.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include <trtcheck/trtcheck.hpp>

#include "cli/output.hpp"

namespace trtcheck::cli {

/// Lowest severity that makes `check` end with 1.
enum class FailOn : std::uint8_t { info, warning, error, never };

struct CheckRequest {
  std::vector<std::string> paths;
  CheckOptions options;
  FailOn fail_on = FailOn::error;
  OutputRequest output;
};

struct ExplainRequest {
  std::vector<const Rule*> rules;
  OutputRequest output;
};

struct RulesRequest {
  OutputRequest output;
};

struct ShapesRequest {
  std::string path;
  Target target;  ///< only its profile counts
  OutputRequest output;
};

/// Text that was asked for instead of a command: --help, --version.
struct PrintRequest {
  std::string text;
};

using Request = std::variant<CheckRequest, ExplainRequest, RulesRequest, ShapesRequest, PrintRequest>;

/// @throws Error  anything that is no sensible command line; one line, with a suggestion where one is near
[[nodiscard]] Request parse_command_line(int argc, const char* const* argv);

}  // namespace trtcheck::cli
