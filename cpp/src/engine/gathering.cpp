#include "engine/gathering.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "engine/place.hpp"
#include "evidence/evidence.hpp"
#include "rules/list.hpp"
#include "text/printable.hpp"
#include "view/executed.hpp"

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
                                      "imports both branches. Fold the condition to remove it (onnxsim, Polygraphy), "
                                      "or decide it in Python, outside of `torch.jit.script`",
                           .node = {},
                           .node_id = node});
}

void cut_notes(std::vector<Note>& notes) {
  if (notes.size() <= kMostNotes) return;
  const std::size_t more = notes.size() - kMostNotes;
  notes.resize(kMostNotes);
  notes.push_back({.message = fmt::format("and {} more", more), .node = {}});
}

}  // namespace

void Gathering::begin(Product product, const Listing& listing) {
  product_ = product;
  listing_ = &listing;
  result_ = {};
  is_open_ = false;
  counts_.clear();
  in_calls_.clear();
  in_call_ = nullptr;
}

bool Gathering::is_beyond_listing(const Rule& rule) const {
  if (listing_->most == 0 || !is_kept_by_count()) return false;
  const auto counted = counts_.find({&rule, rule.severity, false});
  return counted != counts_.end() && counted->second >= listing_->most;
}

Finding& Gathering::add(const Rule& rule, NodeId node, std::string message) {
  settle();
  is_open_ = !is_rehearsed_;
  if (is_rehearsed_) {
    ++heard_;
    unkept_ = {};
  }
  Finding& finding = is_rehearsed_ ? unkept_ : result_.findings.emplace_back();
  finding.rule = &rule;
  finding.severity = rule.severity;
  finding.certainty = evidence::certainty_of(rule, product_);
  finding.message = std::move(message);
  finding.node_id = node;
  return finding;
}

void Gathering::settle() {
  if (!std::exchange(is_open_, false)) return;
  Finding& finding = result_.findings.back();
  // What never runs can be refused, but it costs nothing and computes nothing.
  if (finding.severity != Severity::error && skipped_by(*model_, *shapes_, finding.node_id)) {
    result_.findings.pop_back();
    return;
  }
  // First of all: a name of 100 MB is in the message, in notes and in the fix.
  shorten_texts(finding);
  const bool has_room = is_kept(finding);
  if (noted_ != nullptr) note(finding, has_room);
  if (!has_room) {
    result_.findings.pop_back();
    return;
  }
  complete(finding);
  if (noted_ != nullptr && noted_->is_whole) noted_->findings.back().complete = finding;
}

bool Gathering::is_kept_by_count() const { return !listing_->is_suppressed && model_->functions().empty(); }

void Gathering::note(const Finding& finding, bool is_kept) {
  if (!noted_->is_whole) return;
  if (is_kept_by_count()) {
    if (!is_kept && !selection_->contains(finding)) {
      ++noted_->deselected;
      return;
    }
    auto tally = std::ranges::find_if(noted_->tallies, [&](const Tally& each) {
      return each.rule == finding.rule && each.severity == finding.severity;
    });
    if (tally == noted_->tallies.end()) {
      tally = noted_->tallies.insert(tally, {.rule = finding.rule, .severity = finding.severity});
    }
    ++(is_kept ? tally->kept : tally->beyond);
    if (!is_kept) return;
  }
  if (noted_->findings.size() < noted_->most) {
    noted_->findings.push_back({is_kept_by_count() ? Finding{} : finding, std::nullopt});
    return;
  }
  noted_->is_whole = false;
  noted_->findings = {};
}

void Gathering::note_in(Noted* into) {
  settle();
  noted_ = into;
}

bool Gathering::lists_as_before(const Tally& tally) const {
  if (listing_->most == 0) return tally.beyond == 0;
  const auto found = counts_.find({tally.rule, tally.severity, false});
  const std::size_t before = found == counts_.end() ? 0 : std::min(found->second, listing_->most);
  return std::min(listing_->most - before, tally.kept + tally.beyond) == tally.kept;
}

bool Gathering::repeat(const Noted& noted) {
  settle();
  if (is_kept_by_count()) {
    if (!std::ranges::all_of(noted.tallies, [&](const Tally& each) { return lists_as_before(each); })) return false;
    for (const Tally& each : noted.tallies) counts_[{each.rule, each.severity, false}] += each.kept + each.beyond;
    for (const Kept& one : noted.findings) result_.findings.push_back(*one.complete);
    result_.suppressed += noted.deselected;
    return true;
  }
  for (const Kept& one : noted.findings) {
    Finding& finding = result_.findings.emplace_back(one.raw);
    if (!is_kept(finding)) {
      result_.findings.pop_back();
    } else if (one.complete) {
      finding = *one.complete;
    } else {
      complete(finding);
    }
  }
  return true;
}

void Gathering::complete(Finding& finding) {
  note_skipped(finding, *model_, *shapes_);
  cut_notes(finding.notes);
  add_place(finding, *model_, *shapes_, provenances_);
  shorten_texts(finding);
  groups_.add_to(finding);
  symbols_.explain_in(finding);
}

bool Gathering::is_kept(const Finding& finding) {
  // A failed rule is always told: its silence could be taken for a clean bill.
  const bool has_failed = finding.rule == &rules::internal_error;
  if (!has_failed && !selection_->contains(finding)) {
    ++result_.suppressed;
    return false;
  }
  if (is_repeated(finding)) return false;
  const bool is_suppressed = !has_failed && listing_->is_suppressed && listing_->is_suppressed(finding);
  const std::size_t number = ++counts_[{finding.rule, finding.severity, is_suppressed}];
  if (listing_->most == 0 || number <= listing_->most) return true;
  if (in_call_ != nullptr) in_call_->first = kNoEntry;
  return false;
}

bool Gathering::is_repeated(const Finding& finding) {
  in_call_ = nullptr;
  if (!finding.node_id || model_->functions().empty()) return false;
  const std::string place = place_in_function(*model_, finding.node_id);
  if (place.empty()) return false;
  const std::string key = fmt::format("{}\n{}\n{}\n{}", finding.rule->code, place, finding.value, finding.message);
  const auto [known, is_new] = in_calls_.try_emplace(key, Repeated{result_.findings.size() - 1});
  in_call_ = &known->second;
  if (!is_new) ++known->second.calls;
  return !is_new;
}

RunResult Gathering::finish() {
  settle();
  for (const auto& [key, repeated] : in_calls_) {
    if (repeated.calls == 0 || repeated.first >= result_.findings.size()) continue;
    result_.findings[repeated.first].notes.push_back(
        {.message = fmt::format("the same in {} other call{} of this function", repeated.calls,
                                repeated.calls == 1 ? "" : "s"),
         .node = {}});
  }
  for (const auto& [which, count] : counts_) {
    if (listing_->most == 0 || count <= listing_->most) continue;
    const auto& [rule, severity, is_suppressed] = which;
    const std::size_t more = count - listing_->most;
    if (is_suppressed) result_.suppressed += more;
    if (!is_suppressed) result_.unlisted.push_back({rule, severity, more});
  }
  std::ranges::sort(result_.unlisted, [](const Unlisted& a, const Unlisted& b) {
    return std::pair(a.rule->code, -static_cast<int>(a.severity)) <
           std::pair(b.rule->code, -static_cast<int>(b.severity));
  });
  return std::move(result_);
}

}  // namespace trtcheck::engine
