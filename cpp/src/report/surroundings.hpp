// What the programs around us say of where we run. The formats themselves never look: their options hold it.
#pragma once

#include <string>

namespace trtcheck::report {

struct Surroundings {
  std::string folder;  ///< the working folder; "" = it is gone
  std::string root;  ///< GITHUB_WORKSPACE or CI_PROJECT_DIR where the working folder is in it, else the working folder
};
[[nodiscard]] Surroundings surroundings();

}  // namespace trtcheck::report
