// Rounds of cures: what is wrong, what can be done, does it help, again.
#include <trtcheck/fix.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <trtcheck/error.hpp>
#include <trtcheck/trtcheck.hpp>

#include "bytes/bytes.hpp"
#include "bytes/real_path.hpp"
#include "cure/account.hpp"
#include "cure/attempt.hpp"
#include "cure/cure.hpp"
#include "cure/prepared.hpp"
#include "cure/state.hpp"
#include "cure/sweep.hpp"
#include "cure/verify.hpp"
#include "edit/edited.hpp"
#include "edit/left_out.hpp"
#include "edit/write.hpp"
#include "model/fetch.hpp"
#include "picture/neighbourhood.hpp"
#include "text/suggest.hpp"

namespace trtcheck {

using cure::Attempt;
using cure::Attempts;
using cure::SourceFile;
using cure::State;

struct Fixed::Impl {
  std::optional<File> file;  ///< nothing: the model is in memory
  SourceFile origin;
  CheckOptions options;
  std::unique_ptr<State> state;  ///< the repaired model
  Report before;
  Report after;
  std::size_t errors = 0;  ///< before the first repair: sizes that were asked for may have brought some
  std::vector<AppliedCure> applied;
  std::vector<LeftFinding> left;
};

struct FixedAccess {
  using Impl = Fixed::Impl;
  static Fixed make(std::unique_ptr<Impl> impl) { return Fixed(std::move(impl)); }
};

namespace {

// Each time the model is read and checked; attempts that spoil each other are told apart by halves.
constexpr std::size_t kMostTries = 64;
constexpr std::size_t kMostPictures = 100;

void check_names(const FixOptions& options) {
  std::vector<std::string_view> names;
  for (const cure::Cure* one : cure::cures()) names.push_back(one->name);
  for (const std::string& name : options.cures) {
    if (std::ranges::find(names, name) == names.end()) {
      throw Error("cure", fmt::format("there is no cure `{}`{}", name, did_you_mean(name, names)));
    }
  }
}

/// For finding out what to do: everything is listed, nothing is drawn.
CheckOptions for_rounds(CheckOptions options) {
  options.most_of_a_rule = 0;
  options.neighbourhoods = false;
  return options;
}

/// The report of a state as the caller asked for it.
Report full_report(const State& state, const CheckOptions& options) {
  const std::size_t most = options.most_of_a_rule;
  const std::size_t found = state.findings().size() + state.report().suppressions.size();
  // Only a second check can tell which of very many are listed.
  if (most != 0 && found > most) return check(state.model(), options);
  Report report = state.report();
  if (options.neighbourhoods) add_neighbourhoods(report.findings, state.model(), state.shapes());
  return report;
}

std::pair<std::size_t, std::size_t> badness(const State& state) {
  return {state.report().count(Severity::error), state.report().count(Severity::warning)};
}

class Repair {
 public:
  Repair(const SourceFile& origin, const FixOptions& options)
      : origin_(&origin), options_(options), draws_(options.check.neighbourhoods) {
    options_.check = for_rounds(options_.check);
  }

  /// @returns the best model that was come by
  std::unique_ptr<State> run(std::unique_ptr<State> first) {
    state_ = std::move(first);
    best_ = badness(*state_);
    best_pieces_ = state_->pieces();
    for (round_ = 1; round_ <= options_.rounds; ++round_) {
      const Attempts attempts = attempts_for(*state_, options_, failed_);
      if (attempts.made.empty()) break;
      const std::size_t before = applied_.size();
      const std::size_t failed_before = failed_.size();
      tries_ = 0;
      make(attempts.made);
      // Where one cure was taken back the next one is tried.
      if (applied_.size() == before && failed_.size() == failed_before) break;
      if (badness(*state_) <= best_) {
        best_ = badness(*state_);
        best_pieces_ = state_->pieces();
        kept_ = applied_.size();
      }
    }
    // What brought something new that nothing could be done about.
    if (kept_ < applied_.size()) {
      applied_.resize(kept_);
      state_ = std::make_unique<State>(*origin_, best_pieces_, options_.check);
    }
    return std::move(state_);
  }

  [[nodiscard]] std::vector<AppliedCure> applied() && { return std::move(applied_); }
  [[nodiscard]] const cure::Failed& failed() const noexcept { return failed_; }
  [[nodiscard]] const FixOptions& options() const noexcept { return options_; }

 private:
  /// All of them at once; where that does not do, each half.
  void make(std::span<const Attempt> attempts) {
    if (attempts.empty()) return;
    if (++tries_ > kMostTries) return give_up(attempts, "too many repairs of one round had to be taken back");
    std::string cause;
    if (auto next = after(attempts, cause)) {
      note(attempts, *next);
      state_ = std::move(next);
      return;
    }
    if (attempts.size() == 1) return give_up(attempts, cause);
    // Places are those of the model before this round: only one half can be made, the other one waits for the next
    // round.
    const std::size_t before = applied_.size();
    const std::size_t half = attempts.size() / 2;
    make(attempts.first(half));
    if (applied_.size() == before) make(attempts.subspan(half));
  }

  std::unique_ptr<State> after(std::span<const Attempt> attempts, std::string& cause) {
    try {
      const edit::Pieces pieces = swept(edit::edited(state_->model(), all_edits(attempts)).over(state_->pieces()));
      auto next = std::make_unique<State>(*origin_, pieces, options_.check);
      if (auto problem = why_not(*state_, *next, attempts)) {
        cause = std::move(*problem);
        return nullptr;
      }
      return next;
    } catch (const Error& error) {
      if (origin_->has_failed && *origin_->has_failed) throw;
      cause = error.cause();
      return nullptr;
    }
  }

  /// Without what nobody needs since the edits were made.
  [[nodiscard]] edit::Pieces swept(edit::Pieces pieces) const {
    const Model mended = cure::model_of(*origin_, pieces, options_.check.limits);
    const std::vector<edit::Edit> edits = cure::newly_unused(state_->model(), mended);
    return edits.empty() ? pieces : edit::edited(mended, edits).over(pieces);
  }

  void give_up(std::span<const Attempt> attempts, const std::string& cause) {
    for (const Attempt& attempt : attempts) {
      failed_.emplace(std::pair(attempt.key.text, attempt.cure),
                      fmt::format("`{}` was tried and taken back: {}", attempt.cure, cause));
    }
  }

  void note(std::span<const Attempt> attempts, const State& next) {
    const cure::Account account(attempts, *state_, next);
    for (const Attempt& attempt : attempts) {
      const Finding& finding = *attempt.finding;
      AppliedCure applied{.cure = attempt.cure,
                          .kind = attempt.kind,
                          .title = attempt.title,
                          .code = std::string(finding.rule->code),
                          .fact = finding.fact,
                          .message = finding.message,
                          .node = finding.node,
                          .op_type = finding.op_type,
                          .graph = finding.graph,
                          .source = finding.source,
                          .before = {},
                          .after = {},
                          .round = round_};
      account.add_texts(attempt, applied);
      if (draws_ && applied_.size() < kMostPictures) account.add_pictures(attempt, applied);
      applied_.push_back(std::move(applied));
    }
  }

  const SourceFile* origin_;
  FixOptions options_;
  bool draws_;
  std::unique_ptr<State> state_;
  std::pair<std::size_t, std::size_t> best_;
  edit::Pieces best_pieces_;
  std::size_t round_ = 0;
  std::size_t tries_ = 0;
  std::size_t kept_ = 0;
  std::vector<AppliedCure> applied_;
  cure::Failed failed_;
};

void list_left(FixedAccess::Impl& fixed, const Repair& repair) {
  const Attempts attempts = attempts_for(*fixed.state, repair.options(), repair.failed());
  for (const Finding* finding : fixed.state->findings()) {
    if (finding->severity == Severity::info) continue;
    const auto missing = attempts.missing.find(finding);
    const bool is_waiting = missing == attempts.missing.end();
    fixed.left.push_back({.code = std::string(finding->rule->code),
                          .fact = finding->fact,
                          .message = finding->message,
                          .node = finding->node,
                          .severity = finding->severity,
                          .reason = is_waiting ? "the repairs ended before it was reached" : missing->second.reason,
                          .cure = is_waiting ? "" : missing->second.cure});
  }
}

Fixed fixed(std::unique_ptr<FixedAccess::Impl> impl, const FixOptions& options, const cure::Prepare& prepare) {
  check_names(options);
  impl->options = options.check;
  edit::Pieces all;
  all.copy({0, impl->origin.file.size});
  auto first = std::make_unique<State>(impl->origin, all, for_rounds(options.check));
  impl->before = full_report(*first, options.check);
  if (prepare) {
    cure::Prepared prepared = prepare(impl->origin, all);
    impl->applied = std::move(prepared.applied);
    first = std::make_unique<State>(impl->origin, std::move(prepared.pieces), for_rounds(options.check));
  }
  impl->errors = first->report().count(Severity::error);
  Repair repair(impl->origin, options);
  impl->state = repair.run(std::move(first));
  list_left(*impl, repair);
  std::ranges::move(std::move(repair).applied(), std::back_inserter(impl->applied));
  impl->after = impl->applied.empty() ? impl->before : full_report(*impl->state, options.check);
  return FixedAccess::make(std::move(impl));
}

}  // namespace

Fixed::Fixed(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Fixed::Fixed(Fixed&&) noexcept = default;
Fixed& Fixed::operator=(Fixed&&) noexcept = default;
Fixed::~Fixed() = default;

const Report& Fixed::before() const noexcept { return impl_->before; }
const Report& Fixed::after() const noexcept { return impl_->after; }
std::span<const AppliedCure> Fixed::applied() const noexcept { return impl_->applied; }
std::span<const LeftFinding> Fixed::left() const noexcept { return impl_->left; }
bool Fixed::is_changed() const noexcept { return !impl_->applied.empty(); }
std::uint64_t Fixed::size() const noexcept { return impl_->state->pieces().size(); }

Report Fixed::write(const std::string& output, edit::DataPlace data) const {
  std::optional<Report> report;
  const auto look = [&](const File& written) {
    report = check(read_model(written, output, folder_of(output), impl_->options.limits), impl_->options);
    if (report->count(Severity::error) > impl_->errors) {
      throw Error(output, "cannot write: the repaired file has more errors than before when it is read again");
    }
  };
  const edit::Origin origin{impl_->origin.file, impl_->file ? &*impl_->file : nullptr};
  edit::put(impl_->state->model(), impl_->state->pieces(), origin, output, data, look);
  return std::move(*report);
}

std::string Fixed::bytes_without(std::span<const ByteRange> weights, std::string_view mark) const {
  return edit::content_without(impl_->state->model(), impl_->state->pieces(), impl_->origin.file, {weights, mark});
}

std::string Fixed::bytes() const { return impl_->state->pieces().content(impl_->origin.file.read); }

namespace cure {

Fixed repaired(File file, std::string base_dir, const FixOptions& options, const Prepare& prepare) {
  auto impl = std::make_unique<FixedAccess::Impl>();
  impl->file.emplace(std::move(file));
  impl->origin = watched(readable(*impl->file), std::move(base_dir));
  return fixed(std::move(impl), options, prepare);
}

Fixed repaired(Readable memory, std::string base_dir, const FixOptions& options, const Prepare& prepare) {
  auto impl = std::make_unique<FixedAccess::Impl>();
  impl->origin = {std::move(memory), std::move(base_dir)};
  return fixed(std::move(impl), options, prepare);
}

}  // namespace cure
}  // namespace trtcheck
