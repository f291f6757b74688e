#include "cli/operator_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

#include <trtcheck/trtcheck.hpp>

#include "engine/tell_facts.hpp"
#include "evidence/evidence.hpp"
#include "explain/fact_page.hpp"
#include "report/envelope.hpp"
#include "target/dla.hpp"
#include "text/lines.hpp"
#include "text/plural.hpp"

namespace trtcheck::cli {
namespace {

using Json = nlohmann::ordered_json;
using explain::gpus_of;
using explain::releases;
using explain::releases_of;
using facts::Fact;

std::string_view to_string(facts::Effect effect) {
  switch (effect) {
    case facts::Effect::refuse:
      return "refuse";
    case facts::Effect::change:
      return "change";
    case facts::Effect::slow:
      return "slow";
    case facts::Effect::document:
      return "document";
    case facts::Effect::fallback:
      return "fallback";
    case facts::Effect::ignore:
      break;
  }
  return "ignore";
}

std::string_view meaning_of(facts::Effect effect) {
  switch (effect) {
    case facts::Effect::refuse:
      return "refused";
    case facts::Effect::change:
      return "gives another result, silently,";
    case facts::Effect::slow:
      return "slower than another form";
    case facts::Effect::document:
      return "ruled out by the documentation, no refusal was observed,";
    case facts::Effect::fallback:
      return "not run by DLA, the GPU runs it";
    case facts::Effect::ignore:
      break;
  }
  return "ignored silently";
}

std::string_view to_string(Support support) {
  switch (support) {
    case Support::supported:
      return "supported";
    case Support::experimental:
      return "experimental";
    case Support::unsupported:
      return "unsupported";
    case Support::unknown_op:
      break;
  }
  return "unknown";
}

/// "strongly typed"; empty: all
std::string_view typing_of(const Fact& fact) {
  switch (fact.network) {
    case facts::Network::any:
      return {};
    case facts::Network::strongly_typed:
      return "strongly typed";
    case facts::Network::weakly_typed:
      break;
  }
  return "weakly typed";
}

std::string network_of(const Fact& fact) {
  return typing_of(fact).empty() ? "" : fmt::format("{} networks", typing_of(fact));
}

std::string opsets(const Fact& fact) {
  if (fact.opset_max == 0) return fact.opset_min == 1 ? "" : fmt::format("opset {} and later", fact.opset_min);
  if (fact.opset_min == fact.opset_max) return fmt::format("opset {}", fact.opset_min);
  return fmt::format("opsets {} to {}", fact.opset_min, fact.opset_max);
}

/// An example as a model: `opset` is of the text where it does not say so.
std::string model_text(std::string_view text, std::int64_t opset) {
  if (text.starts_with('<')) return std::string(text);
  return fmt::format("<ir_version: 10, opset_import: [\"\" : {}]>\n{}", opset, text);
}

std::string indented(std::string_view text) {
  std::string out;
  while (!text.empty()) fmt::format_to(std::back_inserter(out), "      {}\n", next_line(text));
  return out;
}

void write_fact(std::string& out, const Fact& fact, const FactStyle& how) {
  const report::Style& style = how.style;
  const auto sink = std::back_inserter(out);
  fmt::format_to(sink, "  {}  TensorRT {}", style.bold(engine::code_of(fact)), releases_of(fact));
  for (const std::string& more : {network_of(fact), gpus_of(fact), opsets(fact)}) {
    if (!more.empty()) fmt::format_to(sink, ", {}", more);
  }
  fmt::format_to(sink, "\n    {} if: {}\n", meaning_of(fact.effect), fact.sentence);
  if (how.verbose) fmt::format_to(sink, "    condition: {}\n", fact.words);
  if (fact.tells_unknown) out += "    a warning if it cannot be decided\n";
  if (fact.refused_by == RefusedBy::kernels) out += "    not in a branch of an If that is never taken\n";
  if (fact.refused_by >= RefusedBy::shapes) out += "    not where nothing reads what the node computes\n";
  if (!fact.says.empty()) fmt::format_to(sink, "    TensorRT prints: {}\n", fact.says);
  if (!fact.remedy.empty()) fmt::format_to(sink, "    fix: {}\n", fact.remedy);
  if (!how.verbose) return;
  if (const std::string known = fmt::format("{}", fmt::join(evidence::words_of(fact.evidence), "; ")); !known.empty()) {
    fmt::format_to(sink, "    {}\n", style.dim(fmt::format("evidence: {}", known)));
  }
  if (!fact.source.empty()) fmt::format_to(sink, "    {}\n", style.dim(fmt::format("source: {}", fact.source)));
}

Json evidence_json(const Fact& fact) {
  const evidence::Evidence& known = fact.evidence;
  Json measured = Json::array();
  for (const evidence::Measurement& one : known.measured) {
    measured.push_back({{"tensorrt_rtx", one.span}, {"verdict", evidence::to_string(one.verdict)}});
  }
  return {{"read_from", known.read ? Json(trtcheck::to_string(known.read->first)) : Json(nullptr)},
          {"read_to", known.read ? Json(trtcheck::to_string(known.read->last)) : Json(nullptr)},
          {"measured", std::move(measured)},
          {"reported", known.reported},
          {"source", fact.source},
          {"text", explain::evidence_text(fact)}};
}

Json json_of(const Fact& fact) {
  return {{"fact", fact.id},
          {"code", engine::rule_of(fact).code},
          {"effect", to_string(fact.effect)},
          {"from", trtcheck::to_string(fact.first)},
          {"to", trtcheck::to_string(fact.last)},
          {"releases", releases_of(fact)},
          {"network", typing_of(fact).empty() ? Json(nullptr) : Json(typing_of(fact))},
          {"gpus", fact.is_of_some_gpus() ? Json(gpus_of(fact)) : Json(nullptr)},
          {"evidence", evidence_json(fact)},
          {"opset_from", fact.opset_min},
          {"opset_to", fact.opset_max == 0 ? Json(nullptr) : Json(fact.opset_max)},
          {"when", fact.words},
          {"sentence", fact.sentence},
          {"warns_when_unknown", fact.tells_unknown},
          {"says", fact.says},
          {"fix", fact.remedy},
          {"example", model_text(fact.example, fact.model_opset)},
          {"near_miss", model_text(fact.near, fact.model_opset)}};
}

}  // namespace

std::vector<SupportRange> support_of(std::string_view op) {
  std::vector<SupportRange> ranges;
  const auto key = [](TrtVersion release, const OpSupport& s) {
    return std::tuple(release.product, s.support, s.refused_before_plugins, s.through_plugin);
  };
  for (const std::span<const TrtVersion> product : {known_releases(), known_rtx_releases()}) {
    for (const TrtVersion release : product) {
      const OpSupport support = op_support(op, release);
      if (!ranges.empty() && key(ranges.back().last, ranges.back().support) == key(release, support)) {
        ranges.back().last = release;
      } else {
        ranges.push_back({release, release, support});
      }
    }
  }
  return ranges;
}

std::string operators_text(std::span<const std::string_view> ops, const FactStyle& how) {
  const report::Style& style = how.style;
  std::string out;
  for (const std::string_view op : ops) {
    if (!out.empty()) out += "\n";
    out += style.bold(op) + "\n";
    for (const SupportRange& range : support_of(op)) {
      fmt::format_to(std::back_inserter(out), "  {:<20}{}{}{}\n", releases(range.first, range.last),
                     to_string(range.support.support), range.support.through_plugin ? ", through a plugin" : "",
                     range.support.refused_before_plugins ? ", even when a plugin has the name" : "");
    }
    for (const Fact& fact : facts::facts_of(op)) write_fact(out, fact, how);
  }
  return out;
}

std::string operators_table(std::span<const std::string_view> ops, const report::Style& style) {
  std::size_t width = 0;
  for (const std::string_view op : ops) width = std::max(width, op.size());
  std::string out;
  for (const std::string_view op : ops) {
    std::vector<std::string> ranges;
    for (const SupportRange& range : support_of(op)) {
      if (range.support.support != Support::unsupported) ranges.push_back(releases(range.first, range.last));
    }
    const std::size_t facts = facts::facts_of(op).size();
    fmt::format_to(std::back_inserter(out), "{}{}  {}{}\n", style.bold(op), std::string(width - op.size(), ' '),
                   ranges.empty() ? "no release" : fmt::format("{}", fmt::join(ranges, ", ")),
                   facts == 0 ? "" : ", " + counted(facts, "fact"));
  }
  return out;
}

std::string operators_json(std::span<const std::string_view> ops) {
  Json list = Json::array();
  for (const std::string_view op : ops) {
    Json ranges = Json::array();
    for (const SupportRange& range : support_of(op)) {
      ranges.push_back({{"from", trtcheck::to_string(range.first)},
                        {"to", trtcheck::to_string(range.last)},
                        {"support", to_string(range.support.support)},
                        {"refused_before_plugins", range.support.refused_before_plugins},
                        {"through_plugin", range.support.through_plugin}});
    }
    Json facts = Json::array();
    for (const Fact& fact : facts::facts_of(op)) facts.push_back(json_of(fact));
    list.push_back({{"op", op}, {"support", std::move(ranges)}, {"facts", std::move(facts)}});
  }
  return report::document_text(report::enveloped({{"operators", std::move(list)}}));
}

nlohmann::ordered_json fact_json(const FactCases& fact) {
  Json out = json_of(*fact.fact);
  out["ops"] = fact.ops;
  return out;
}

std::string fact_text(const FactCases& fact, const report::Style& style) {
  std::string out;
  fmt::format_to(std::back_inserter(out), "{}\n", fmt::join(fact.ops, ", "));
  write_fact(out, *fact.fact, {style, true});
  fmt::format_to(std::back_inserter(out), "    example:\n{}    accepted, and differs in a few words:\n{}",
                 indented(model_text(fact.fact->example, fact.fact->model_opset)),
                 indented(model_text(fact.fact->near, fact.fact->model_opset)));
  return out;
}

}  // namespace trtcheck::cli
