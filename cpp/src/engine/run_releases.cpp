#include "engine/run_releases.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "engine/calls.hpp"
#include "rules/unread.hpp"

namespace trtcheck::engine {
namespace {

/// What became of asking one rule or fact everywhere.
struct Answer {
  std::optional<ReleaseSpan> same;   ///< releases that answer alike; nothing: it was not asked yet
  std::vector<std::uint32_t> spoke;  ///< where, as indices of Run::nodes, in their order

  [[nodiscard]] bool holds_for(TrtVersion release) const noexcept { return same && same->contains(release); }
  [[nodiscard]] bool spoke_at(std::uint32_t place) const noexcept { return std::ranges::binary_search(spoke, place); }
};

struct RuleAnswer {
  const Rule* rule;
  Answer answer;
};

/// What was found in one call. Most findings do not name their release.
struct Told {
  std::optional<ReleaseSpan> same;  ///< releases that find the same; nothing: it was not noted
  std::vector<const facts::Fact*> facts;
  Gathering::Noted noted;
};

// Findings that are noted, all together: a million of them must not be a million in memory.
constexpr std::size_t kMostNoted = 5000;
// Calls whose findings are noted.
constexpr std::size_t kMostCalls = 100'000;

/// Of the nodes of one operator.
struct OperatorAnswers {
  std::vector<RuleAnswer> rules;               ///< in their own order
  std::map<const facts::Fact*, Answer> facts;  ///< of all releases that had their turn
  std::vector<const facts::Fact*> asked;       ///< of the release at hand, in their own order
  std::vector<RuleAnswer*> stale_rules;        ///< to be asked again
  std::vector<std::pair<const facts::Fact*, Answer*>> stale_rows;
};

void begin_again(Answer& answer) {
  answer.same.emplace();
  answer.spoke.clear();
}

}  // namespace

struct RunOfReleases::Memory {
  Memory(const Model& model, const Shapes& shapes, const Target& t, const Selection& selection, WeakShapes& weak,
         const NumberSources& numbers)
      : target(t), run(model, shapes, target, selection, nothing, weak, numbers) {
    for (const Rule* rule : all_rules()) {
      if (looks_at_model(*rule) && is_asked(*rule, run.view)) of_model.push_back(rule);
    }
    for (const OperatorView& op : run.view.operators.all()) {
      OperatorAnswers& answers = of_operators.emplace_back();
      const auto found = all_by_operator().find(op.op_type);
      if (found == all_by_operator().end()) continue;
      for (const Rule* rule : found->second) {
        if (is_asked(*rule, run.view)) answers.rules.push_back({rule, {}});
      }
    }
  }

  void turn_to(TrtVersion release) {
    target.release = release;
    run.view.operators.turn_to(target);
    run.conv.reset();
    run.node = {};
    const FactsOfRun facts(target, all_rules(), true);
    for (std::size_t i = 0; i < of_operators.size(); ++i) {
      of_operators[i].asked = facts.of(run.view.operators.all()[i]);
    }
  }

  /// Asks whoever may have another answer than before. What they say is not kept.
  void rehearse() {
    run.findings.rehearse(true);
    if (find_stale()) {
      for (std::uint32_t place = 0; place < run.nodes.size(); ++place) ask_at(place);
    }
    run.findings.rehearse(false);
  }

  /// Everybody who spoke, in the order of a run.
  void tell() {
    for (const Rule* rule : of_model) {
      tell_again({rule, 0}, {}, [&] { call(run, *rule, NodeId{}); });
    }
    std::vector<Speaker> speakers;
    for (const std::uint32_t place : places()) {
      const NodeId id = run.nodes[place];
      OperatorAnswers& answers = of(id);
      for (const RuleAnswer& one : answers.rules) {
        if (one.answer.spoke_at(place)) {
          tell_again({one.rule, place}, {}, [&] { call(run, *one.rule, id); });
        }
      }
      std::vector<const facts::Fact*> facts = answers.asked;
      std::erase_if(facts, [&](const facts::Fact* fact) { return !answers.facts.at(fact).spoke_at(place); });
      if (facts.empty()) continue;
      tell_again({nullptr, place}, facts, [&] { call_facts(run, facts, id, speakers); });
    }
    call(run, rules::external_constants_unread, NodeId{});
  }

  Listing nothing;
  Target target;
  rules::RuleContext::Run run;
  std::vector<const Rule*> of_model;
  std::vector<OperatorAnswers> of_operators;
  std::map<std::pair<const Rule*, std::uint32_t>, Told> told;  ///< by rule, of facts none, and place
  std::size_t noted = 0;                                       ///< findings in `told`

 private:
  [[nodiscard]] OperatorAnswers& of(NodeId id) { return of_operators[run.view.operators.index(id)]; }

  /// @param facts  that speak; others would give other findings
  template <class Call>
  void tell_again(std::pair<const Rule*, std::uint32_t> where, const std::vector<const facts::Fact*>& facts,
                  const Call& make_call) {
    Told& before = told[where];
    if (before.same && before.same->contains(target.release) && before.facts == facts &&
        run.findings.repeat(before.noted)) {
      return;
    }
    noted -= before.noted.findings.size();
    before = {};
    if (told.size() > kMostCalls) {
      told.erase(where);
      return make_call();
    }
    before.facts = facts;
    before.same.emplace();
    before.noted.most = kMostNoted - noted;
    run.findings.note_in(&before.noted);
    {
      const Listening listening(*before.same, target.release);
      make_call();
    }
    run.findings.note_in(nullptr);
    noted += before.noted.findings.size();
    if (!before.noted.is_whole) before = {};
  }

  template <class Call>
  void ask(Answer& answer, std::uint32_t place, const Call& make_call) {
    const std::size_t before = run.findings.heard();
    const Listening listening(*answer.same, target.release);
    if (make_call(); run.findings.heard() != before) answer.spoke.push_back(place);
  }

  [[nodiscard]] bool find_stale() {
    bool found = false;
    for (OperatorAnswers& answers : of_operators) {
      answers.stale_rules.clear();
      answers.stale_rows.clear();
      for (RuleAnswer& one : answers.rules) {
        if (one.answer.holds_for(target.release)) continue;
        begin_again(one.answer);
        answers.stale_rules.push_back(&one);
      }
      for (const facts::Fact* fact : answers.asked) {
        Answer& answer = answers.facts[fact];
        if (answer.holds_for(target.release)) continue;
        begin_again(answer);
        answers.stale_rows.emplace_back(fact, &answer);
      }
      found = found || !answers.stale_rules.empty() || !answers.stale_rows.empty();
    }
    return found;
  }

  void ask_at(std::uint32_t place) {
    const NodeId id = run.nodes[place];
    OperatorAnswers& answers = of(id);
    for (RuleAnswer* one : answers.stale_rules) {
      ask(one->answer, place, [&] { call(run, *one->rule, id); });
    }
    if (answers.stale_rows.empty()) return;
    const NodeView node(run.view, id);
    for (const auto& [fact, answer] : answers.stale_rows) {
      const std::size_t before = run.findings.heard();
      const Listening listening(*answer->same, target.release);
      bool speaks = false;
      call(run, rule_of(*fact), id,
           [&, fact = fact](rules::RuleContext&) { speaks = engine::ask(*fact, node).has_value(); });
      if (speaks || run.findings.heard() != before) answer->spoke.push_back(place);
    }
  }

  /// Where somebody speaks in this release.
  [[nodiscard]] std::vector<std::uint32_t> places() const {
    std::vector<std::uint32_t> found;
    const auto add = [&](const Answer& answer) { found.insert(found.end(), answer.spoke.begin(), answer.spoke.end()); };
    for (const OperatorAnswers& answers : of_operators) {
      for (const RuleAnswer& one : answers.rules) add(one.answer);
      for (const facts::Fact* fact : answers.asked) add(answers.facts.at(fact));
    }
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }
};

RunOfReleases::RunOfReleases(const Model& model, const Shapes& shapes, const Target& target, const Selection& selection,
                             WeakShapes& weak, const NumberSources& numbers)
    : model_(&model), shapes_(&shapes), target_(target), selection_(&selection), weak_(&weak), numbers_(numbers) {}

RunOfReleases::~RunOfReleases() = default;

RunResult RunOfReleases::run_afresh(const Listing& listing) {
  return run_rules(*model_, *shapes_, target_, *selection_, all_rules(), listing, weak_, numbers_);
}

RunResult RunOfReleases::run(TrtVersion release, const Listing& listing) {
  target_.release = release;
  if (is_unread_) return run_afresh(listing);
  if (memory_ == nullptr || !memory_->run.same_nodes.contains(release)) {
    memory_ = std::make_unique<Memory>(*model_, *shapes_, target_, *selection_, *weak_, numbers_);
  }
  memory_->turn_to(release);
  memory_->rehearse();
  memory_->run.findings.begin(release.product, listing);
  memory_->tell();
  is_unread_ = !memory_->run.tensors.unread().empty();
  return is_unread_ ? run_afresh(listing) : finished(memory_->run);
}

}  // namespace trtcheck::engine
