#include "report/groups.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "report/formats.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck {

std::vector<FindingGroup> Report::groups() const {
  std::vector<FindingGroup> made;
  std::unordered_map<std::string_view, std::size_t> known;
  for (const Finding& finding : findings) {
    const auto [group, is_new] = known.try_emplace(finding.group, made.size());
    if (is_new || finding.group.empty()) {
      made.push_back({&finding});
    } else {
      made[group->second].push_back(&finding);
    }
  }
  return made;
}

namespace report {
namespace {

constexpr std::size_t kMostPlaces = 3;

}  // namespace

std::vector<FindingGroup> told(const Report& report, const RenderOptions& options) {
  if (!options.show_all) return report.groups();
  std::vector<FindingGroup> made;
  for (const Finding& finding : report.findings) made.push_back({&finding});
  return made;
}

std::string place_text(const Finding& finding) {
  const std::string& name = finding.node.empty() ? finding.value : finding.node;
  return name.empty() ? std::string() : "`" + printable(name, kMaxName) + "`";
}

std::string others_text(const FindingGroup& group) {
  if (others(group) == 0) return "";
  std::vector<std::string> places;
  for (std::size_t i = 1; i < group.size() && places.size() < kMostPlaces; ++i) {
    std::string place = place_text(*group[i]);
    if (!place.empty()) places.push_back(std::move(place));
  }
  if (!places.empty() && places.size() < others(group)) places.emplace_back("...");
  return fmt::format("{} like this one{}{} (--show-all lists {})", counted(others(group), "more finding"),
                     places.empty() ? "" : ": ", fmt::join(places, ", "), others(group) == 1 ? "it" : "them");
}

}  // namespace report
}  // namespace trtcheck
