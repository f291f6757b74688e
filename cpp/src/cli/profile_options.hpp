// The words of `trtcheck profile`.
#pragma once

#include <string>

#include <trtcheck/profile.hpp>

#include "cli/option_words.hpp"

namespace trtcheck::cli {

struct ProfileRequest {
  std::string path;
  ProposeOptions options;
  OutputRequest output;
};

struct ProfileWords {
  ProfileWords() { output.formats = {Format::full, Format::json}; }

  std::string path;
  Words dims;
  Words profiles;
  std::string target;
  Words precisions;
  bool strongly_typed = false;
  OutputWords output;

  void add_to(Options& options);
  /// @throws Error  a word that makes no sense
  [[nodiscard]] ProfileRequest request() const;
};

[[nodiscard]] int run(const ProfileRequest& request);

}  // namespace trtcheck::cli
