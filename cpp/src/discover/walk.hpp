// All models below a folder.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <trtcheck/error.hpp>

namespace trtcheck::discover {

struct Walked {
  std::vector<std::string> models;  ///< sorted, each starting with the folder as it was named
  std::vector<Error> errors;        ///< folders that cannot be read
  bool ignored = false;             ///< something was passed over because Git ignores it
};

/// Looks at each real folder once: first those that lie below `folder` themselves, then those that links lead to.
[[nodiscard]] Walked walk(const std::string& folder, bool respect_gitignore);

/// The path of `name` in `folder`; of no folder the name alone.
[[nodiscard]] std::string join(const std::string& folder, const std::string& name);

/// Whether the name of a file says that it is a model.
[[nodiscard]] bool is_model_name(const std::string& name) noexcept;

}  // namespace trtcheck::discover
