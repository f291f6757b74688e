#include "engine/gathering.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "engine/place.hpp"
#include "rules/list.hpp"
#include "rules/ops/seen.hpp"
#include "text/printable.hpp"

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
  finding.certainty = rules::certainty_of(rule, product_);
  finding.message = std::move(message);
  finding.node_id = node;
  return finding;
}

void Gathering::settle() {
  if (!std::exchange(is_open_, false)) return;
  Finding& finding = result_.findings.back();
  if (noted_ != nullptr) noted_->push_back({finding, std::nullopt});
  if (!is_kept(finding)) {
    result_.findings.pop_back();
    return;
  }
  complete(finding);
  if (noted_ != nullptr) noted_->back().complete = finding;
}

void Gathering::note_in(std::vector<Kept>* into) {
  settle();
  noted_ = into;
}

void Gathering::repeat(const std::vector<Kept>& kept) {
  settle();
  for (const Kept& one : kept) {
    Finding& finding = result_.findings.emplace_back(one.raw);
    if (!is_kept(finding)) {
      result_.findings.pop_back();
    } else if (one.complete) {
      finding = *one.complete;
    } else {
      complete(finding);
    }
  }
}

void Gathering::complete(Finding& finding) {
  cut_notes(finding.notes);
  add_place(finding, *model_, *shapes_, provenances_);
  groups_.add_to(finding);
  shorten_texts(finding);
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
