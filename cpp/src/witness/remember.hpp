// Which libraries have passed the self-test, in the user's cache folder.
#pragma once

#include <optional>
#include <string>

#include <trtcheck/confirm.hpp>

namespace trtcheck::witness {

/// "$XDG_CACHE_HOME/trtcheck" or "~/.cache/trtcheck"; "" = there is no such place.
[[nodiscard]] std::string cache_folder();

/// The witness with product and release, when it passed before and neither of its files has changed since.
[[nodiscard]] std::optional<Witness> remembered(const std::string& folder, const Witness& witness);

/// That it cannot be written does not matter.
void remember(const std::string& folder, const Witness& witness) noexcept;

}  // namespace trtcheck::witness
