#include <trtcheck/version.hpp>

namespace trtcheck {

std::string_view version() noexcept { return TRTCHECK_VERSION; }

}  // namespace trtcheck
