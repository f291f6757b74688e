// The words of `trtcheck completion` and `trtcheck man`, which print what the other commands take.
#pragma once

#include <cstdint>
#include <string>

#include "cli/options.hpp"
#include "cli/tree.hpp"

namespace trtcheck::cli {

enum class Shell : std::uint8_t { bash, zsh, fish };

struct CompletionRequest {
  Shell shell = Shell::bash;
  ProgramFacts program;
};

struct CompletionWords {
  std::string shell;

  void add_to(Options& options);
  /// @throws Error  there is no such shell
  [[nodiscard]] CompletionRequest request() const;

 private:
  const CLI::App* program_ = nullptr;
};

struct ManRequest {
  std::string date;
  ProgramFacts program;
};

struct ManWords {
  std::string date = "1970-01-01";

  void add_to(Options& options);
  [[nodiscard]] ManRequest request() const;

 private:
  const CLI::App* program_ = nullptr;
};

[[nodiscard]] int run(const CompletionRequest& request);
[[nodiscard]] int run(const ManRequest& request);

}  // namespace trtcheck::cli
