#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include <trtcheck/error.hpp>

#include "cure/cure.hpp"
#include "text/suggest.hpp"

namespace trtcheck {
namespace cure {

#define TRTCHECK_CURE(name) extern const Cure name;
#include "cure/list.inc"
#undef TRTCHECK_CURE

namespace {

constexpr auto kAll = std::to_array<const Cure*>({
#define TRTCHECK_CURE(name) &(name),
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

}  // namespace

std::span<const Cure* const> cures() noexcept { return kAll; }

bool is_for(const Cure& cure, const Finding& finding) noexcept {
  if (!cure.ops.empty() && std::ranges::find(cure.ops, finding.op_type) == cure.ops.end()) return false;
  return std::ranges::any_of(cure.findings, [&](std::string_view word) {
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos) return word == finding.rule->code;
    return word.substr(0, colon) == finding.rule->code && word.substr(colon + 1) == finding.fact;
  });
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
    for (const cure::Cure* one : cure::cures()) made.push_back({one->name, one->kind, one->summary, one->findings});
    return made;
  }();
  return infos;
}

}  // namespace trtcheck
