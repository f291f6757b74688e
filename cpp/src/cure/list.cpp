#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include <trtcheck/error.hpp>

#include "cure/cure.hpp"
#include "text/suggest.hpp"

namespace trtcheck {
namespace cure {

// Each stands in a namespace of its own, so that local names of cures may be alike wherever they are compiled together.
#define TRTCHECK_CURE(name) \
  namespace name {          \
  extern const Cure cure;   \
  }
#include "cure/list.inc"
#undef TRTCHECK_CURE

namespace {

constexpr auto kAll = std::to_array<const Cure*>({
#define TRTCHECK_CURE(name) &name::cure,
#include "cure/list.inc"
#undef TRTCHECK_CURE
});

struct ClassName {
  CureClass kind;
  std::string_view name;
};
constexpr ClassName kClasses[] = {{CureClass::proven, "proven"},
                                  {CureClass::rounding, "rounding"},
                                  {CureClass::interface, "interface"},
                                  {CureClass::choice, "choice"}};

/// One of the findings that a cure names: a fact of a rule, or each of them ("").
struct Meant {
  std::string_view fact;
  const Cure* cure;
};
using ByCode = std::unordered_map<std::string_view, std::vector<Meant>>;

ByCode by_code() {
  ByCode table;
  for (const Cure* cure : kAll) {
    for (const std::string_view word : cure->findings) {
      const std::size_t colon = word.find(':');
      const std::string_view fact = colon == std::string_view::npos ? "" : word.substr(colon + 1);
      table[word.substr(0, colon)].push_back({fact, cure});
    }
  }
  return table;
}

bool is_about(const Cure& cure, std::string_view op_type) noexcept {
  return cure.ops.empty() || std::ranges::find(cure.ops, op_type) != cure.ops.end();
}

}  // namespace

std::span<const Cure* const> cures() noexcept { return kAll; }

std::vector<const Cure*> cures_of(const Finding& finding) {
  static const ByCode table = by_code();
  std::vector<const Cure*> made;
  const auto found = table.find(finding.rule->code);
  if (found == table.end()) return made;
  for (const Meant& meant : found->second) {
    const bool is_meant = meant.fact.empty() || meant.fact == finding.fact;
    if (!is_meant || !is_about(*meant.cure, finding.op_type)) continue;
    if (made.empty() || made.back() != meant.cure) made.push_back(meant.cure);
  }
  return made;
}

}  // namespace cure

std::string_view to_string(CureClass kind) noexcept {
  return std::ranges::find(cure::kClasses, kind, &cure::ClassName::kind)->name;
}

CureClass parse_cure_class(std::string_view name) {
  const auto* const found = std::ranges::find(cure::kClasses, name, &cure::ClassName::name);
  if (found != std::end(cure::kClasses)) return found->kind;
  std::vector<std::string_view> names;
  for (const cure::ClassName& one : cure::kClasses) names.push_back(one.name);
  throw Error("class",
              fmt::format("`{}` is no class of cures{}: {}", name, did_you_mean(name, names), fmt::join(names, ", ")));
}

std::span<const CureInfo> all_cures() {
  static const std::vector<CureInfo> infos = [] {
    std::vector<CureInfo> made;
    for (const cure::Cure* one : cure::cures()) {
      made.push_back({one->name, one->kind, one->summary, one->findings, one->ops});
    }
    return made;
  }();
  return infos;
}

}  // namespace trtcheck
