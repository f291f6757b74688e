// Rounds of cures: what is wrong, what can be done, does it help, again.
#include <trtcheck/fix.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <trtcheck/error.hpp>
#include <trtcheck/trtcheck.hpp>

#include "bytes/bytes.hpp"
#include "cure/attempt.hpp"
#include "cure/cure.hpp"
#include "cure/node_text.hpp"
#include "cure/put.hpp"
#include "cure/state.hpp"
#include "cure/sweep.hpp"
#include "cure/verify.hpp"
#include "edit/edited.hpp"
#include "model/fetch.hpp"
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

std::pair<std::size_t, std::size_t> badness(const State& state) {
  return {state.report().count(Severity::error), state.report().count(Severity::warning)};
}

class Repair {
 public:
  Repair(const SourceFile& origin, const FixOptions& options) : origin_(&origin), options_(options) {
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
      add_texts(attempt, next, applied);
      applied_.push_back(std::move(applied));
    }
  }

  void add_texts(const Attempt& attempt, const State& next, AppliedCure& applied) const;

  const SourceFile* origin_;
  FixOptions options_;
  std::unique_ptr<State> state_;
  std::pair<std::size_t, std::size_t> best_;
  edit::Pieces best_pieces_;
  std::size_t round_ = 0;
  std::size_t tries_ = 0;
  std::size_t kept_ = 0;
  std::vector<AppliedCure> applied_;
  cure::Failed failed_;
};

/// The nodes that an edit is about, each once, in the order of the edits.
std::vector<edit::NodeAt> nodes_of(const std::vector<edit::Edit>& edits) {
  std::vector<edit::NodeAt> nodes;
  for (const edit::Edit& edit : edits) {
    std::visit(
        [&](const auto& one) {
          if constexpr (requires { one.node.position; }) {
            if (std::ranges::find(nodes, one.node) == nodes.end()) nodes.push_back(one.node);
          }
        },
        edit);
  }
  return nodes;
}

void add_unless_there(std::vector<std::string>& lines, std::string line) {
  if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
}

void Repair::add_texts(const Attempt& attempt, const State& next, AppliedCure& applied) const {
  const auto add_after = [&](std::string_view made) {
    const NodeId node = next.model().value(next.value(made)).producer;
    if (node) add_unless_there(applied.after, cure::node_text(next.model(), node));
  };
  for (const edit::Edit& edit : attempt.edits) {
    if (const auto* inserted = std::get_if<edit::InsertNode>(&edit)) {
      for (const std::string& output : inserted->node.outputs) add_after(output);
    }
  }
  const Model& model = state_->model();
  const std::vector<edit::NodeAt> changed = nodes_of(attempt.edits);
  if (changed.empty()) return;
  for (std::uint32_t i = 0; i < model.node_count(); ++i) {
    const Node& node = model.node(NodeId{i});
    // Cheap questions first: there may be millions of nodes.
    const bool may_be =
        std::ranges::any_of(changed, [&](const edit::NodeAt& at) { return at.position == node.position; });
    if (!may_be || std::ranges::find(changed, edit::place_of(model, NodeId{i})) == changed.end()) continue;
    add_unless_there(applied.before, cure::node_text(model, NodeId{i}));
    for (const ValueId output : node.outputs) {
      if (output) add_after(model.value(output).name);
    }
  }
}

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

Fixed fixed(std::unique_ptr<FixedAccess::Impl> impl, const FixOptions& options) {
  check_names(options);
  impl->options = options.check;
  edit::Pieces all;
  all.copy({0, impl->origin.file.size});
  auto first = std::make_unique<State>(impl->origin, all, for_rounds(options.check));
  impl->before = check(first->model(), options.check);
  Repair repair(impl->origin, options);
  impl->state = repair.run(std::move(first));
  list_left(*impl, repair);
  impl->applied = std::move(repair).applied();
  impl->after = check(impl->state->model(), options.check);
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

Report Fixed::write(const std::string& output) const {
  std::optional<Report> report;
  const auto look = [&](const Model& written) {
    report = check(written, impl_->options);
    if (report->count(Severity::error) > impl_->before.count(Severity::error)) {
      throw Error(output, "cannot write: the repaired file has more errors than before when it is read again");
    }
  };
  cure::put(impl_->origin, impl_->file ? &*impl_->file : nullptr, impl_->state->pieces(), impl_->state->model(), output,
            impl_->options.limits, look);
  return std::move(*report);
}

std::string Fixed::bytes() const {
  const edit::Pieces& pieces = impl_->state->pieces();
  std::string result(pieces.size(), '\0');
  pieces.read(0, std::as_writable_bytes(std::span(result)), impl_->origin.file.read);
  return result;
}

Fixed fix(const std::string& path, const FixOptions& options) {
  auto impl = std::make_unique<FixedAccess::Impl>();
  impl->file.emplace(File::open(path));
  if (impl->file->is_pipe()) throw Error(path, "is a pipe, a file is required to be repaired");
  impl->origin = {readable(*impl->file), cure::folder_of(path)};
  return fixed(std::move(impl), options);
}

Fixed fix(std::span<const std::byte> bytes, const FixOptions& options, const std::string& base_dir) {
  auto impl = std::make_unique<FixedAccess::Impl>();
  const auto read = [bytes](std::uint64_t offset, std::span<std::byte> into) {
    std::memcpy(into.data(), bytes.data() + offset, into.size());
  };
  impl->origin = {{.path = {}, .size = bytes.size(), .read = read}, base_dir};
  return fixed(std::move(impl), options);
}

}  // namespace trtcheck
