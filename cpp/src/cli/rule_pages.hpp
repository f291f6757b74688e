// Where the pages about rules are, for links.
#pragma once

#include <string>

namespace trtcheck::cli {

/// What page names are put behind: TRTCHECK_DOCS_URL when set, else the pages installed with this program, else what
/// the build was told; "" = none.
[[nodiscard]] std::string rule_pages();

/// The same without pages that are on this machine only.
[[nodiscard]] std::string public_rule_pages();

}  // namespace trtcheck::cli
