#include "engine/gathering.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "engine/place.hpp"
#include "evidence/evidence.hpp"
#include "rules/list.hpp"
#include "target/release_view.hpp"
#include "target/releases.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"
#include "view/executed.hpp"
#include "view/node_view.hpp"

namespace trtcheck::engine {
namespace {

constexpr std::size_t kNoEntry = static_cast<std::size_t>(-1);
// A chain of reasons that anybody could follow ends long before.
constexpr std::size_t kMostNotes = 200;

/// A name may be as long as the file, and many findings may name it.
void shorten_texts(Finding& finding) {
  for (std::string* name : {&finding.node, &finding.op_type, &finding.value, &finding.module}) {
    shorten(*name, kMaxKeptName);
  }
  for (std::string* text : {&finding.message, &finding.graph}) shorten(*text, kMaxMessage);
  for (std::string& line : finding.signature) shorten(line, kMaxKeptName);
  for (Note& note : finding.notes) {
    shorten(note.message, kMaxMessage);
    shorten(note.node, kMaxKeptName);
  }
  if (finding.fix) shorten(finding.fix->title, kMaxMessage);
  if (!finding.source) return;
  for (std::string* text : {&finding.source->file, &finding.source->function, &finding.source->code}) {
    shorten(*text, kMaxMessage);
  }
}

/// The parser folds nothing, so that it imports, and refuses, branches that are never taken.
void note_skipped(Finding& finding, const Model& model, const Shapes& shapes) {
  const NodeId node = skipped_by(model, shapes, finding.node_id);
  if (!node) return;
  finding.notes.push_back({.message = "this branch is never taken, but the condition of its If is computed: TensorRT "
                                      "imports both branches. Fold the condition to remove it (`trtcheck simplify`), "
                                      "or decide it in Python, outside of `torch.jit.script`",
                           .node = {},
                           .node_id = node});
}

/// Calls `each` with every text that a rule may have put the name of a release into; true: one of them did it.
template <class Each>
bool any_text(Finding& finding, const Each& each) {
  bool found = each(finding.message);
  found = each(finding.group) || found;
  if (finding.fix) found = each(finding.fix->title) || found;
  for (Note& note : finding.notes) found = each(note.message) || found;
  return found;
}

bool names_release(Finding& finding) {
  return any_text(finding, [](const std::string& text) { return text.find(kReleaseName) != std::string::npos; });
}

void name_release(Finding& finding, std::string_view name) {
  any_text(finding, [&](std::string& text) {
    for (std::size_t at = text.find(kReleaseName); at != std::string::npos; at = text.find(kReleaseName, at)) {
      text.replace(at, kReleaseName.size(), name);
      at += name.size();
    }
    return true;
  });
}

void cut_notes(std::vector<Note>& notes) {
  if (notes.size() <= kMostNotes) return;
  const std::size_t more = notes.size() - kMostNotes;
  notes.resize(kMostNotes);
  notes.push_back({.message = fmt::format("and {} more", more), .node = {}});
}

}  // namespace

Gathering::Gathering(const ModelView& view, const Selection& selection, std::span<const TrtVersion> releases,
                     std::span<const Listing* const> listings)
    : view_(&view),
      model_(&view.model),
      shapes_(&view.shapes),
      selection_(&selection),
      provenances_(view.model),
      groups_(view.model),
      symbols_(view.model, view.shapes) {
  for (std::size_t i = 0; i < releases.size(); ++i) releases_.push_back({releases[i], listings[i]});
}

bool Gathering::is_beyond_listing(const Rule& rule) const {
  if (releases_.front().listing->most == 0 || !model_->functions().empty()) return false;
  bool is_beyond = true;
  for_each_release(now_, [&](std::size_t i) {
    const OfRelease& release = releases_[i];
    const auto counted = release.counts.find({&rule, rule.severity, false});
    is_beyond = is_beyond && !release.listing->is_suppressed && counted != release.counts.end() &&
                counted->second >= release.listing->most;
  });
  return is_beyond;
}

Finding& Gathering::add(const Rule& rule, NodeId node, std::string message) {
  settle();
  is_open_ = true;
  open_ = {};
  open_.rule = &rule;
  open_.severity = rule.severity;
  open_.certainty = evidence::certainty_of(rule, releases_[first_of(now_)].release.product);
  open_.message = std::move(message);
  open_.node_id = node;
  is_seen_ = !node || reaches(rule.refused_by, *view_, node);
  return open_;
}

void Gathering::settle_open() {
  is_open_ = false;
  // What never runs can be refused, but it costs nothing and computes nothing.
  if (open_.severity != Severity::error && skipped_by(*model_, *shapes_, open_.node_id)) return;
  if (!is_seen_) return;
  // A failed rule is always told: its silence could be taken for a clean bill.
  if (open_.rule != &rules::internal_error::rule && !selection_->contains(open_)) {
    for_each_release(now_, [&](std::size_t i) { ++releases_[i].result.suppressed; });
    return;
  }
  const std::string in_calls = key_in_calls();
  ReleaseSet kept = 0;
  for_each_release(now_, [&](std::size_t i) {
    if (is_kept(releases_[i], in_calls)) kept |= ReleaseSet{1} << i;
  });
  if (kept != 0) keep(kept);
}

void Gathering::keep(ReleaseSet releases) {
  place(open_);
  const bool says_which = names_release(open_);
  if (!says_which) finish_texts(open_);
  for_each_release(releases, [&](std::size_t i) {
    const bool is_last = (releases >> i) == 1;
    Finding finding = is_last ? std::move(open_) : open_;
    if (says_which) {
      name_release(finding, full_name(releases_[i].release));
      finish_texts(finding);
    }
    releases_[i].result.findings.push_back(std::move(finding));
  });
}

void Gathering::place(Finding& finding) {
  note_skipped(finding, *model_, *shapes_);
  cut_notes(finding.notes);
  add_place(finding, *model_, *shapes_, provenances_);
}

void Gathering::finish_texts(Finding& finding) {
  shorten_texts(finding);
  groups_.add_to(finding);
  symbols_.explain_in(finding);
}

bool Gathering::is_kept(OfRelease& release, const std::string& in_calls) const {
  Repeated* in_call = nullptr;
  if (!in_calls.empty()) {
    const auto [known, is_new] = release.in_calls.try_emplace(in_calls, Repeated{release.result.findings.size()});
    if (!is_new) {
      ++known->second.calls;
      return false;
    }
    in_call = &known->second;
  }
  const Listing& listing = *release.listing;
  const bool has_failed = open_.rule == &rules::internal_error::rule;
  const bool is_suppressed = !has_failed && listing.is_suppressed && listing.is_suppressed(open_);
  const std::size_t number = ++release.counts[{open_.rule, open_.severity, is_suppressed}];
  if (listing.most == 0 || number <= listing.most) return true;
  if (in_call != nullptr) in_call->first = kNoEntry;
  return false;
}

std::string Gathering::key_in_calls() const {
  if (!open_.node_id || model_->functions().empty()) return {};
  const std::string place = place_in_function(*model_, open_.node_id);
  if (place.empty()) return {};
  // A name may be as long as the file.
  return fmt::format("{}\n{}\n{}\n{}", open_.rule->code, place, open_.value.substr(0, kMaxKeptName),
                     open_.message.substr(0, kMaxMessage));
}

RunResult Gathering::finish(std::size_t place) {
  settle();
  OfRelease& release = releases_[place];
  RunResult& result = release.result;
  for (const auto& [key, repeated] : release.in_calls) {
    if (repeated.calls == 0 || repeated.first >= result.findings.size()) continue;
    result.findings[repeated.first].notes.push_back(
        {.message = fmt::format("the same in {} of this function", counted(repeated.calls, "other call")), .node = {}});
  }
  const std::size_t most = release.listing->most;
  for (const auto& [which, count] : release.counts) {
    if (most == 0 || count <= most) continue;
    const auto& [rule, severity, is_suppressed] = which;
    const std::size_t more = count - most;
    if (is_suppressed) result.suppressed += more;
    if (!is_suppressed) result.unlisted.push_back({rule, severity, more});
  }
  std::ranges::sort(result.unlisted, [](const Unlisted& a, const Unlisted& b) {
    return std::pair(a.rule->code, -static_cast<int>(a.severity)) <
           std::pair(b.rule->code, -static_cast<int>(b.severity));
  });
  return std::move(result);
}

}  // namespace trtcheck::engine
