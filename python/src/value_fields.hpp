// The fields of what else is pickled: targets, reports, settings and what these hold.
#pragma once

#include <tuple>

#include <trtcheck/settings.hpp>

#include "report/fields.hpp"

namespace trtcheck::report {

template <>
struct Fields<TrtVersion> {
  static constexpr std::tuple kAll{Field{"major", &TrtVersion::major_version},
                                   Field{"minor", &TrtVersion::minor_version}, Field{"product", &TrtVersion::product}};
};
template <>
struct Fields<ComputeCapability> {
  static constexpr std::tuple kAll{Field{"major", &ComputeCapability::major_version},
                                   Field{"minor", &ComputeCapability::minor_version}};
};
template <>
struct Fields<ProfileInput> {
  static constexpr std::tuple kAll{Field{"name", &ProfileInput::name}, Field{"min", &ProfileInput::min},
                                   Field{"opt", &ProfileInput::opt}, Field{"max", &ProfileInput::max}};
};
template <>
struct Fields<Target> {
  static constexpr std::tuple kAll{Field{"release", &Target::release},
                                   Field{"precisions", &Target::precisions},
                                   Field{"compute_capability", &Target::compute_capability},
                                   Field{"dla", &Target::dla},
                                   Field{"strongly_typed", &Target::strongly_typed},
                                   Field{"plugins", &Target::plugins},
                                   Field{"profile", &Target::profile},
                                   Field{"require_profile", &Target::require_profile}};
};
template <>
struct Fields<Report> {
  static constexpr std::tuple kAll{Field{"path", &Report::path},
                                   Field{"target", &Report::target},
                                   Field{"findings", &Report::findings},
                                   Field{"unlisted", &Report::unlisted},
                                   Field{"node_count", &Report::node_count},
                                   Field{"suppressed", &Report::suppressed},
                                   Field{"suppressions", &Report::suppressions},
                                   Field{"unmatched", &Report::unmatched}};
};
template <>
struct Fields<PathPattern> {
  static constexpr std::tuple kAll{Field{"pattern", &PathPattern::pattern}, Field{"folder", &PathPattern::folder}};
};
template <>
struct Fields<FileIgnore> {
  static constexpr std::tuple kAll{Field{"models", &FileIgnore::models}, Field{"rules", &FileIgnore::rules}};
};
template <>
struct Fields<NodeIgnore> {
  static constexpr std::tuple kAll{Field{"node", &NodeIgnore::node}, Field{"rules", &NodeIgnore::rules},
                                   Field{"reason", &NodeIgnore::reason}};
};
template <>
struct Fields<SeverityOverride> {
  static constexpr std::tuple kAll{Field{"rule", &SeverityOverride::rule},
                                   Field{"severity", &SeverityOverride::severity}};
};
template <>
struct Fields<SettingOrigin> {
  static constexpr std::tuple kAll{Field{"key", &SettingOrigin::key},           Field{"entry", &SettingOrigin::entry},
                                   Field{"value", &SettingOrigin::value},       Field{"from", &SettingOrigin::from},
                                   Field{"extended", &SettingOrigin::extended}, Field{"file", &SettingOrigin::file},
                                   Field{"line", &SettingOrigin::line}};
};

}  // namespace trtcheck::report
