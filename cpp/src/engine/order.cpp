#include "engine/order.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "rules/list.hpp"

namespace trtcheck::engine {
namespace {

constexpr std::size_t kStandsAlone = static_cast<std::size_t>(-1);

bool is_about_suppression(const Finding& finding) {
  return finding.rule == &rules::suppression_malformed::rule || finding.rule == &rules::suppression_unused::rule;
}

/// Index of the finding that each finding follows from, kStandsAlone for those that stand alone.
std::vector<std::size_t> causes_of(const std::vector<Finding>& findings) {
  std::unordered_map<std::uint32_t, std::size_t> first_at;  // sorted: the first one is the most severe
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].node_id && !is_about_suppression(findings[i])) first_at.try_emplace(findings[i].node_id.index, i);
  }
  std::vector<std::size_t> causes(findings.size(), kStandsAlone);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const auto it = findings[i].caused_by ? first_at.find(findings[i].caused_by.index) : first_at.end();
    if (it == first_at.end() || it->second == i) continue;
    if (findings[it->second].severity >= findings[i].severity) causes[i] = it->second;
  }
  return causes;
}

/// The end of the chain; nothing when it runs in a circle.
std::optional<std::size_t> root_of(std::size_t i, const std::vector<std::size_t>& causes) {
  for (std::size_t steps = 0; steps <= causes.size(); ++steps) {
    if (causes[i] == kStandsAlone) return i;
    i = causes[i];
  }
  return std::nullopt;
}

}  // namespace

void sort_findings(std::vector<Finding>& findings) {
  // The ids of the nodes of one graph follow their positions.
  const auto key = [](const Finding& f) {
    return std::tuple(-static_cast<int>(f.severity), static_cast<bool>(f.node_id), std::string_view(f.graph), f.node_id,
                      f.rule->code, std::string_view(f.message));
  };
  const auto before = [&](const Finding& a, const Finding& b) { return key(a) < key(b); };
  if (std::ranges::is_sorted(findings, before)) return;
  // A finding is large: each is moved once.
  std::vector<std::size_t> order(findings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return before(findings[a], findings[b]); });
  std::vector<Finding> sorted;
  sorted.reserve(findings.size());
  for (const std::size_t i : order) sorted.push_back(std::move(findings[i]));
  findings = std::move(sorted);
}

void fold_consequences(std::vector<Finding>& findings) {
  const std::vector<std::size_t> causes = causes_of(findings);
  std::vector<Finding> roots;
  std::vector<std::size_t> place(findings.size(), kStandsAlone);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (root_of(i, causes).value_or(i) != i) continue;
    place[i] = roots.size();
    roots.push_back(std::move(findings[i]));
  }
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (place[i] == kStandsAlone) roots[place[*root_of(i, causes)]].consequences.push_back(std::move(findings[i]));
  }
  findings = std::move(roots);
}

void unfold_consequences(std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    std::vector<Finding> folded = std::exchange(findings[i].consequences, {});
    std::ranges::move(folded, std::back_inserter(findings));
  }
  sort_findings(findings);
}

}  // namespace trtcheck::engine
