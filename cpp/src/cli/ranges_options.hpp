// The words of `trtcheck ranges`.
#pragma once

#include <string>
#include <vector>

#include "cli/option_words.hpp"

namespace trtcheck::cli {

struct RangesRequest {
  std::string path;
  std::vector<std::string> data;  ///< files of samples, in order; never empty
  std::string save;               ///< "" = nowhere
  OutputRequest output;
};

struct RangesWords {
  RangesWords() { output.formats = {Format::full, Format::json}; }

  std::string path;
  Words data;
  std::string save;
  OutputWords output;

  void add_to(Options& options);
  /// @throws Error  a word that makes no sense
  [[nodiscard]] RangesRequest request() const;
};

[[nodiscard]] int run(const RangesRequest& request);

}  // namespace trtcheck::cli
