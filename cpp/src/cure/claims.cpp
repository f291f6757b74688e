// What can be said of a repair without the model: that there is a cure for such findings, and that a quick look at the
// finding does not speak against it. Cures that are meant for whole rules would claim too much without that.
#include <algorithm>
#include <array>
#include <string_view>

#include <trtcheck/cure.hpp>

#include "cure/cure.hpp"
#include "cure/cures/contrib.hpp"
#include "cure/cures/expansions.hpp"
#include "facts/fact.hpp"

namespace trtcheck {
namespace cure {
namespace {

bool asks_for_constant(std::uint16_t index, bool is_negated) {
  const facts::Expression& e = facts::expressions()[index];
  switch (e.op) {
    case facts::Op::negate:
      return asks_for_constant(e.a, !is_negated);
    case facts::Op::both:
    case facts::Op::either:
      return asks_for_constant(e.a, is_negated) || asks_for_constant(e.b, is_negated);
    case facts::Op::const_of:
    case facts::Op::folds_of:
      return is_negated;
    default:
      return false;
  }
}

bool is_about_constants(const Finding& finding) {
  if (finding.op_type == "BatchNormalization" && finding.fact.empty()) return true;
  return std::ranges::any_of(facts::facts_of(finding.op_type), [&](const facts::Fact& fact) {
    return fact.id == finding.fact && asks_for_constant(fact.condition, false);
  });
}

/// The dims in a line of a signature, "x: FLOAT[N,64,32]".
std::string_view dims_of(std::string_view line) {
  const std::size_t opens = line.rfind('[');
  if (opens == std::string_view::npos || !line.ends_with(']')) return {};
  return line.substr(opens + 1, line.size() - opens - 2);
}

/// Parameters that fit no axis at all are nobody's to guess.
bool is_channels_last(const Finding& finding) {
  if (finding.signature.size() < 2) return false;
  const std::string_view data = dims_of(finding.signature[0]);
  const std::string_view count = dims_of(finding.signature[1]);
  return std::ranges::count(data, ',') >= 2 && !count.empty() && data.substr(data.rfind(',') + 1) == count;
}

bool is_in_body(const Finding& finding, std::string_view op, std::initializer_list<std::string_view> attributes) {
  if (finding.op_type == op) return true;
  return std::ranges::any_of(attributes, [&](std::string_view attribute) {
    return finding.graph.find("." + std::string(attribute)) != std::string::npos;
  });
}
bool is_in_branch(const Finding& finding) { return is_in_body(finding, "If", {"then_branch", "else_branch"}); }
bool is_in_loop(const Finding& finding) { return is_in_body(finding, "Loop", {"body"}); }
bool is_in_scan(const Finding& finding) { return is_in_body(finding, "Scan", {"body"}); }

template <std::size_t Count>
bool is_among(const std::array<std::span<const Expansion>, Count>& tables, std::string_view op) {
  return std::ranges::any_of(tables, [op](std::span<const Expansion> table) {
    return std::ranges::find(table, op, &Expansion::op) != table.end();
  });
}
bool is_written_out(const Finding& finding) {
  const std::array tables = {activation_expansions(), normalization_expansions(), attention_expansions(),
                             loss_expansions(),       index_expansions(),         grid_expansions(),
                             signal_expansions()};
  return is_among(tables, finding.op_type);
}
bool is_contrib(const Finding& finding) {
  const std::array tables = {contrib_products(), contrib_norms(), contrib_attentions()};
  return is_among(tables, finding.op_type);
}

/// By the name of the cure.
struct QuickLook {
  std::string_view cure;
  bool (*may_help)(const Finding&);
};
constexpr QuickLook kLooks[] = {{"batchnorm-transposed", is_channels_last},
                                {"constant-folded", is_about_constants},
                                {"contrib-operator", is_contrib},
                                {"if-inlined", is_in_branch},
                                {"loop-unrolled", is_in_loop},
                                {"scan-unrolled", is_in_scan},
                                {"standard-function", is_written_out}};

bool may_help(const Cure& cure, const Finding& finding) {
  const auto* const look = std::ranges::find(kLooks, cure.name, &QuickLook::cure);
  return look == std::end(kLooks) || look->may_help(finding);
}

}  // namespace
}  // namespace cure

std::vector<const CureInfo*> cures_for(const Finding& finding) {
  const std::span<const CureInfo> all = all_cures();
  std::vector<const CureInfo*> made;
  for (const cure::Cure* one : cure::cures_of(finding)) {
    if (cure::may_help(*one, finding)) made.push_back(&*std::ranges::find(all, one->name, &CureInfo::name));
  }
  return made;
}

}  // namespace trtcheck
