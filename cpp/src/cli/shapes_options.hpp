// The words of `trtcheck shapes`.
#pragma once

#include <string>

#include <trtcheck/target.hpp>

#include "cli/option_words.hpp"

namespace trtcheck::cli {

struct ShapesRequest {
  std::string path;
  Target target;  ///< only its profile and its shape functions count
  OutputRequest output;
};

struct ShapesWords {
  std::string path;
  Words profiles;
  std::string shape_functions;
  OutputWords output;

  void add_to(Options& options);
  /// @throws Error  a word that makes no sense
  [[nodiscard]] ShapesRequest request() const;
};

[[nodiscard]] int run(const ShapesRequest& request);

}  // namespace trtcheck::cli
