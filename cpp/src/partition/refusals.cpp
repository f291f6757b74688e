#include "partition/refusals.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/core.h>

#include <trtcheck/trtcheck.hpp>

#include "partition/left_out.hpp"
#include "partition/separated.hpp"
#include "partition/stage.hpp"

namespace trtcheck::partitioning {
namespace {

using Reason = Refusal::Reason;

/// Each round finds what the cuts of the round before brought.
constexpr std::size_t kMostRounds = 8;

CheckOptions for_verdicts(CheckOptions options) {
  options.most_of_a_rule = 0;
  options.neighbourhoods = false;
  options.severities.clear();
  options.target.require_profile = false;
  return options;
}

class Judge {
 public:
  Judge(const Asked& asked, const AskedBodies& bodies)
      : asked_(asked), bodies_(bodies), options_(for_verdicts(asked.options.check)) {}

  Refusals run() && {
    left_out(asked_, found_);
    ++found_.checks;
    const Report report = check(asked_.model, options_);
    for (const Finding& finding : report.findings) take_first(finding);
    if (!found_.whole_model.empty()) return std::move(found_);
    take_bodies();
    // Ranges and metadata name what a part of the model may not have.
    options_.ranges.reset();
    std::set<std::uint32_t> known;
    for (std::size_t round = 0; round < kMostRounds; ++round) {
      const std::set<std::uint32_t> doubtful = below_others(known);
      known.clear();
      for (const auto& [at, refusal] : found_.by_position) known.insert(at);
      if (!ask_again(doubtful)) break;
    }
    note_bodies();
    return std::move(found_);
  }

 private:
  void take_first(const Finding& finding) {
    const Stage stage = stage_of(finding);
    const bool is_cut = stage == Stage::parser && take(asked_.model, asked_.uses, finding, nullptr);
    if (stage == Stage::builder) take_not_built(asked_.uses, finding, nullptr);
    if (stage == Stage::parser && !is_cut) {
      found_.whole_model.push_back(finding);
      found_.whole_model.back().consequences.clear();
    }
    for (const Finding& consequence : finding.consequences) take_first(consequence);
  }

  /// What was said of a body alone is what the provider hears.
  void take_bodies() {
    std::set<std::uint32_t> done;
    for (const AskedBody& body : bodies_.bodies) {
      if (!body.decides || body.is_whole || !done.insert(body.position).second) continue;
      Refusal refusal{.reason = Reason::body, .finding = body.finding, .message = body.message, .inner = body.refused};
      const auto [known, is_new] = found_.by_position.try_emplace(body.position, refusal);
      if (!is_new && known->second.reason == Reason::body) known->second = std::move(refusal);
    }
  }

  void note_bodies() {
    for (const AskedBody& body : bodies_.bodies) {
      const auto known = found_.by_position.find(body.position);
      if (known == found_.by_position.end()) {
        if (body.decides) found_.smallest_body = std::min(found_.smallest_body, body.nodes);
      } else if (verdict_of(asked_, body.position, known->second) == Verdict::excluded) {
        found_.not_built_in_bodies.insert(body.not_built.begin(), body.not_built.end());
      }
    }
  }

  /// @param old  positions in the whole model; nullptr: it is the whole model
  /// @return it is about a node, or about an input
  bool take(const Model& model, const subgraph::Uses& uses, const Finding& finding,
            const std::vector<std::uint32_t>* old) {
    const auto place = [&](std::uint32_t position) { return old == nullptr ? position : (*old)[position]; };
    Refusal refusal{
        .reason = Reason::parser, .finding = finding, .message = {}, .inner = {}, .is_cut_again = old != nullptr};
    refusal.finding->consequences.clear();
    if (finding.node_id) {
      const auto position = uses.position_of(finding.node_id);
      if (!position) return false;
      if (model.node(finding.node_id).graph != GraphId{0}) {
        refusal.reason = Reason::body;
        if (old == nullptr) refusal.inner = finding.node_id;
      }
      found_.by_position.try_emplace(place(*position), std::move(refusal));
      return true;
    }
    if (finding.value.empty()) return false;
    refusal.reason = Reason::input;
    bool is_input = false;
    for (const ValueId id : model.graph().inputs) {
      if (model.value(id).name != finding.value || !model.is_network_input(id)) continue;
      is_input = true;
      for (const std::uint32_t reader : uses.readers(id)) found_.by_position.try_emplace(place(reader), refusal);
    }
    return is_input;
  }

  void take_not_built(const subgraph::Uses& uses, const Finding& finding, const std::vector<std::uint32_t>* old) {
    const auto position = uses.position_of(finding.node_id);
    if (!finding.node_id || !position) return;
    Finding alone = finding;
    alone.consequences.clear();
    found_.not_built.try_emplace(old == nullptr ? *position : (*old)[*position], std::move(alone));
  }

  /// Refused nodes after other ones: the parser looks at them again when those are gone.
  /// @param known  nodes about which that was asked
  [[nodiscard]] std::set<std::uint32_t> below_others(const std::set<std::uint32_t>& known) const {
    std::set<std::uint32_t> made;
    std::vector<bool> is_below(asked_.uses.node_count());
    for (const std::uint32_t at : asked_.line.order) {
      const auto refused = found_.by_position.find(at);
      const bool is_refused = refused != found_.by_position.end();
      const bool is_new = is_refused && !known.contains(at);
      if (is_new && is_below[at] && refused->second.reason == Reason::parser) made.insert(at);
      if (!is_refused && !is_below[at]) continue;
      for (const std::uint32_t follower : asked_.line.followers[at]) is_below[follower] = true;
    }
    return made;
  }

  /// @param doubtful  are asked about alone, each as a piece
  /// @return something changed
  bool ask_again(const std::set<std::uint32_t>& doubtful) {
    std::vector<std::vector<std::uint32_t>> pieces;
    bool is_open = false;
    for (const std::uint32_t at : asked_.line.order) {
      const bool is_out = found_.by_position.contains(at);
      if (is_out) {
        is_open = false;
        if (doubtful.contains(at)) pieces.push_back({at});
        continue;
      }
      if (!std::exchange(is_open, true)) pieces.emplace_back();
      pieces.back().push_back(at);
    }
    if (found_.by_position.empty() || pieces.empty()) return false;
    const std::map<std::uint32_t, Refusal> before = found_.by_position;
    for (const auto& piece : pieces) refuse_what_is_no_tensor(piece);
    std::vector<bool> is_refused(asked_.uses.node_count());
    for (const auto& [at, refusal] : found_.by_position) is_refused[at] = true;
    const Separated parts = separated(asked_.model, asked_.shapes, asked_.uses, pieces, is_refused, options_.limits);
    const subgraph::Uses uses(parts.model);
    CheckOptions options = options_;
    options.skip_unknown_inputs = true;
    ++found_.checks;
    const Report report = check(parts.model, options);
    for (const std::uint32_t at : doubtful) found_.by_position.erase(at);
    found_.not_built.clear();
    for (const Finding& finding : report.findings) take_again(parts, uses, finding);
    for (const auto& [at, refusal] : before) {
      const auto now = found_.by_position.find(at);
      if (now != found_.by_position.end()) now->second = refusal;  // what was said of the whole model says more
    }
    const auto place = [](const auto& entry) { return entry.first; };
    return !std::ranges::equal(before, found_.by_position, {}, place, place);
  }

  void take_again(const Separated& parts, const subgraph::Uses& uses, const Finding& finding) {
    const Stage stage = stage_of(finding);
    if (stage == Stage::parser) static_cast<void>(take(parts.model, uses, finding, &parts.positions));
    if (stage == Stage::builder) take_not_built(uses, finding, &parts.positions);
    for (const Finding& consequence : finding.consequences) take_again(parts, uses, consequence);
  }

  void refuse_what_is_no_tensor(const std::vector<std::uint32_t>& piece) {
    const std::set<std::uint32_t> own(piece.begin(), piece.end());
    for (const std::uint32_t at : piece) {
      for (const ValueId id : asked_.uses.reads(at)) {
        const ValueShape::Kind kind = asked_.shapes[id].kind;
        const NodeId producer = asked_.model.value(id).producer;
        if (kind == ValueShape::Kind::tensor || kind == ValueShape::Kind::unknown || !producer) continue;
        if (own.contains(asked_.model.node(producer).position)) continue;
        const std::string said =
            fmt::format("reads `{}`, which is no tensor: inputs of an engine are tensors", asked_.model.value(id).name);
        found_.by_position.try_emplace(at, Refusal{Reason::input, std::nullopt, said, {}, true});
      }
    }
  }

  const Asked& asked_;
  const AskedBodies& bodies_;
  CheckOptions options_;
  Refusals found_;
};

}  // namespace

std::string_view to_string(Reason reason) noexcept {
  switch (reason) {
    case Reason::parser:
      return "parser";
    case Reason::body:
      return "body";
    case Reason::input:
      return "input";
    case Reason::excluded:
      return "excluded";
    case Reason::type:
      return "type";
  }
  return "";
}

Refusals refusals(const Asked& asked, const AskedBodies& bodies) { return Judge(asked, bodies).run(); }

}  // namespace trtcheck::partitioning
