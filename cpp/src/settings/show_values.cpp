#include "settings/show_values.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

#include "target/profile_text.hpp"

namespace trtcheck::settings {

Json show_value(const TrtVersion& release) { return to_string(release); }

Json show_value(const std::optional<ComputeCapability>& capability) {
  if (!capability) return nullptr;
  return fmt::format("{}.{}", capability->major_version, capability->minor_version);
}

Json show_value(const FailOn& fail_on) { return to_string(fail_on); }

Json show_value(const bool& flag) { return flag; }

Json show_value(const std::string& path) { return path.empty() ? Json(nullptr) : Json(path); }

Json show_value(const std::vector<std::string>& words) { return words; }

Json show_value(const std::vector<Precision>& precisions) {
  Json made = Json::array();
  for (const Precision precision : precisions) made.push_back(to_string(precision));
  return made;
}

Json show_value(const std::vector<PathPattern>& patterns) {
  Json made = Json::array();
  for (const PathPattern& pattern : patterns) made.push_back(pattern.pattern);
  return made;
}

Json show_value(const std::vector<ProfileInput>& profile) {
  Json made = Json::object();
  for (const ProfileInput& input : profile) {
    made[input.name] = input.min == input.max ? dims_text(input.min) : sizes_text(input);
  }
  return made;
}

Json show_value(const std::vector<SeverityOverride>& severities) {
  Json made = Json::object();
  for (const SeverityOverride& entry : severities) made[entry.rule] = to_string(entry.severity);
  return made;
}

Json show_value(const std::vector<FileIgnore>& ignores) {
  Json made = Json::object();
  for (const FileIgnore& ignore : ignores) made[ignore.models.pattern] = ignore.rules;
  return made;
}

Json show_value(const std::vector<NodeIgnore>& ignores) {
  Json made = Json::object();
  for (const NodeIgnore& ignore : ignores) {
    Json entry = Json::object();
    if (!ignore.rules.empty()) entry["rules"] = ignore.rules;
    entry["reason"] = ignore.reason;
    made[ignore.node] = std::move(entry);
  }
  return made;
}

}  // namespace trtcheck::settings
