// Settings as `trtcheck settings` shows them, one function for each type of value.
#pragma once

#include "settings/keys.hpp"

namespace trtcheck::settings {

[[nodiscard]] Json show_value(const TrtVersion& release);
[[nodiscard]] Json show_value(const std::optional<ComputeCapability>& capability);
[[nodiscard]] Json show_value(const FailOn& fail_on);
[[nodiscard]] Json show_value(const bool& flag);
/// A path.
[[nodiscard]] Json show_value(const std::string& path);
[[nodiscard]] Json show_value(const std::vector<std::string>& words);
[[nodiscard]] Json show_value(const std::vector<Precision>& precisions);
[[nodiscard]] Json show_value(const std::vector<PathPattern>& patterns);
[[nodiscard]] Json show_value(const std::vector<ProfileInput>& profile);
[[nodiscard]] Json show_value(const std::vector<SeverityOverride>& severities);
[[nodiscard]] Json show_value(const std::vector<FileIgnore>& ignores);
[[nodiscard]] Json show_value(const std::vector<NodeIgnore>& ignores);

}  // namespace trtcheck::settings
