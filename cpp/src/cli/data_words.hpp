// --copy-data, --inline-data and --external-data: where the data of a model goes that a command writes.
#pragma once

#include <optional>

#include <trtcheck/edit.hpp>

#include "cli/option_words.hpp"

namespace trtcheck::cli {

struct DataWords {
  bool copy = false;
  bool inlined = false;
  bool external = false;

  void add_to(Options& options);
  /// Nothing: none of the options was given.
  /// @throws Error  several were given
  [[nodiscard]] std::optional<edit::DataPlace> place() const;
};

}  // namespace trtcheck::cli
