#include "target/release_view.hpp"

#include <stdexcept>

#include <fmt/core.h>

#include "target/releases.hpp"

namespace trtcheck {

std::string ReleaseView::name() const { return gates_ == nullptr ? full_name(release_) : std::string(kReleaseName); }

void ReleaseView::refuse(const Gate& gate) {
  throw std::logic_error(fmt::format("it asks the gate `{}`, which its descriptor does not list", gate.name));
}

void ReleaseView::refuse(Asks asks) {
  throw std::logic_error(fmt::format("it asks {}, which its descriptor does not say",
                                     asks == Asks::release ? "which release it is" : "who imports an operator"));
}

}  // namespace trtcheck
