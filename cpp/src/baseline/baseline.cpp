#include <trtcheck/baseline.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "bytes/real_path.hpp"
#include "bytes/sorted.hpp"
#include "bytes/source.hpp"
#include "engine/order.hpp"
#include "engine/selection.hpp"
#include "rules/list.hpp"
#include "suppress/suppress.hpp"
#include "text/hash.hpp"
#include "text/printable.hpp"

namespace trtcheck {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMessageLength = 200;
// Apart from the versions of fingerprints.
constexpr std::uint64_t kCounted = 0xc0;

/// Links in folders are followed, so that two ways to one folder agree; a model that is a link itself stays one.
fs::path resolved_folder(const std::string& file) {
  std::error_code ignored;
  return real_path(fs::absolute(file, ignored).parent_path());
}

/// What has no place in the file system keeps its name.
std::string relative_name(const std::string& path, const std::string& folder) {
  const bool is_named = !path.empty() && path != Source::kShownStandardInput && !Source::is_standard_input(path);
  const bool is_file = is_named && path.find("://") == std::string::npos;
  if (!is_file) return valid_utf8(path);
  const fs::path file = resolved_folder(path) / fs::path(path).filename();
  const fs::path relative = file.lexically_relative(folder);
  return valid_utf8((relative.empty() ? file : relative).generic_string());
}

auto order(const BaselineEntry& entry) {
  return std::tuple<std::string_view, std::string_view, std::string_view, Severity>(entry.model, entry.code,
                                                                                    entry.fingerprint, entry.severity);
}

std::size_t sum(std::size_t a, std::size_t b) noexcept {
  return a > std::numeric_limits<std::size_t>::max() - b ? std::numeric_limits<std::size_t>::max() : a + b;
}

/// Sorted, entries of one fingerprint added up.
std::vector<BaselineEntry> normalized(std::vector<BaselineEntry> entries) {
  std::ranges::stable_sort(entries, std::less<>{}, order);
  std::vector<BaselineEntry> made;
  for (BaselineEntry& entry : entries) {
    if (!made.empty() && order(made.back()) == order(entry)) {
      made.back().count = sum(made.back().count, entry.count);
    } else if (entry.count > 0) {
      made.push_back(std::move(entry));
    }
  }
  return made;
}

void add(std::vector<BaselineEntry>& entries, const BaselineEntry& entry, std::size_t count) {
  if (count == 0) return;
  entries.push_back(entry);
  entries.back().count = count;
}

/// What stands in place of a fingerprint for findings that are only counted.
std::string counted_identity(const Unlisted& unlisted) {
  return fmt::format(
      "{:016x}", Hash(kCounted).add(unlisted.rule->code).add(static_cast<std::uint64_t>(unlisted.severity)).value());
}

/// The entries of one model, used up finding by finding.
class Matching {
 public:
  Matching(std::string model, std::span<const BaselineEntry> entries) : match_{std::move(model), {}, {}, {}, {}} {
    for (const BaselineEntry& entry : entries) {
      left_.emplace(Key{entry.fingerprint, entry.severity}, Left{&entry, entry.count});
    }
  }

  bool takes(const Finding& finding) {
    // Where others were mended, one that was only counted is listed now.
    const bool is_known = use_up(finding.fingerprint, finding.severity) ||
                          use_up(counted_identity({finding.rule, finding.severity, 1}), finding.severity);
    std::vector<BaselineEntry>& side = is_known ? match_.known : match_.fresh;
    side.push_back({match_.model, std::string(finding.rule->code), finding.fingerprint, 1,
                    printable(finding.message, kMessageLength), finding.fact, finding.severity});
    return is_known;
  }

  /// How many of the findings that are only counted are not known.
  std::size_t left_over(const Unlisted& unlisted) {
    const std::string fingerprint = counted_identity(unlisted);
    const auto found = left_.find({fingerprint, unlisted.severity});
    const std::size_t known = found == left_.end() ? 0 : std::min(found->second.count, unlisted.count);
    if (known > 0) found->second.count -= known;
    const BaselineEntry entry{match_.model,
                              std::string(unlisted.rule->code),
                              fingerprint,
                              0,
                              "findings of this rule that are not listed",
                              {},
                              unlisted.severity};
    add(match_.known, entry, known);
    add(match_.fresh, entry, unlisted.count - known);
    return unlisted.count - known;
  }

  BaselineMatch finish(const engine::Selection& selection) && {
    for (const auto& [key, left] : left_) {
      const Rule* rule = find_rule(left.entry->code);
      const bool was_asked = rule == nullptr || selection.contains(*rule);
      add(was_asked ? match_.gone : match_.unjudged, *left.entry, left.count);
    }
    for (auto* entries : {&match_.known, &match_.fresh, &match_.gone, &match_.unjudged}) {
      *entries = normalized(std::move(*entries));
    }
    return std::move(match_);
  }

 private:
  struct Left {
    const BaselineEntry* entry;
    std::size_t count;
  };
  using Key = std::pair<std::string_view, Severity>;

  /// One that was accepted at that severity, or at a higher one.
  bool use_up(std::string_view fingerprint, Severity severity) {
    for (auto found = left_.lower_bound({fingerprint, severity});
         found != left_.end() && found->first.first == fingerprint; ++found) {
      if (found->second.count == 0) continue;
      --found->second.count;
      return true;
    }
    return false;
  }

  BaselineMatch match_;
  std::map<Key, Left> left_;
};

/// `entries` without those of the matched models, and with the given parts of the matches.
std::vector<BaselineEntry> merged(std::span<const BaselineEntry> entries, std::span<const BaselineMatch> matches,
                                  std::initializer_list<std::vector<BaselineEntry> BaselineMatch::*> parts) {
  std::set<std::string_view> seen;
  std::vector<BaselineEntry> made;
  for (const BaselineMatch& match : matches) {
    if (!seen.insert(match.model).second) continue;  // one model given twice is found once
    for (const auto part : parts) made.insert(made.end(), (match.*part).begin(), (match.*part).end());
  }
  for (const BaselineEntry& entry : entries) {
    if (!seen.contains(entry.model)) made.push_back(entry);
  }
  return made;
}

}  // namespace

Baseline::Baseline(std::string path) : Baseline(std::move(path), {}) {}

Baseline::Baseline(std::string path, std::vector<BaselineEntry> entries)
    : path_(std::move(path)), folder_(resolved_folder(path_)), entries_(normalized(std::move(entries))) {}

BaselineMatch Baseline::apply(Report& report, const CheckOptions& options, bool accept_new) const {
  std::string model = relative_name(report.path, folder_);
  const auto mine = equal_span(entries_, model, &BaselineEntry::model);
  Matching matching(std::move(model), mine);
  // The one filter that takes a report that is ready.
  engine::unfold_consequences(report.findings);
  suppress(report, [&](const Finding& finding) {
    const bool is_known = matching.takes(finding);
    return is_known || accept_new ? std::optional(SuppressedBecause{Suppressed::By::baseline, {}}) : std::nullopt;
  });
  engine::fold_consequences(report.findings);
  for (Unlisted& each : report.unlisted) {
    const std::size_t fresh = matching.left_over(each);
    const std::size_t left = accept_new ? 0 : fresh;
    report.suppressed += each.count - left;
    each.count = left;
  }
  std::erase_if(report.unlisted, [](const Unlisted& each) { return each.count == 0; });
  return std::move(matching).finish(engine::Selection(options.select, options.ignore));
}

Baseline Baseline::updated(std::span<const BaselineMatch> matches) const {
  return {path_, merged(entries_, matches, {&BaselineMatch::known, &BaselineMatch::fresh, &BaselineMatch::unjudged})};
}

Baseline Baseline::pruned(std::span<const BaselineMatch> matches) const {
  return {path_, merged(entries_, matches, {&BaselineMatch::known, &BaselineMatch::unjudged})};
}

}  // namespace trtcheck
