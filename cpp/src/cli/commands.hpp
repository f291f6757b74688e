// One function per command. Each returns the exit code; what cannot be done is an Error.
#pragma once

#include "cli/options.hpp"

namespace trtcheck::cli {

inline constexpr int kExitClean = 0;
inline constexpr int kExitFindings = 1;
inline constexpr int kExitFailed = 2;

[[nodiscard]] int run(const CheckRequest& request);
[[nodiscard]] int run(const ExplainRequest& request);
[[nodiscard]] int run(const RulesRequest& request);
[[nodiscard]] int run(const ShapesRequest& request);
[[nodiscard]] int run(const PrintRequest& request);

}  // namespace trtcheck::cli
