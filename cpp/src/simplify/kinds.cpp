#include "simplify/kinds.hpp"

#include <algorithm>
#include <vector>

#include "cure/cure.hpp"
#include "simplify/hygiene.hpp"

namespace trtcheck {
namespace simplifying {
namespace {

constexpr SimplificationInfo kOwn[] = {
    {"affine-folded", CureClass::rounding, "a sum or product with constants goes into the layer before it (`--fuse`)"},
    {"cast-shortened", CureClass::proven, "a Cast of a Cast that loses nothing reads what that one reads"},
    {"constant-shared", CureClass::proven, "of constants with one content the first is read"},
    {"constant-stored", CureClass::proven, "what is computed and always the same is stored as a constant"},
    {"duplicate-merged", CureClass::proven, "of nodes that compute the same the first is read"},
    {"identity-removed", CureClass::proven, "a node that gives back what it is given is not read any more"},
    {"node-renamed", CureClass::proven, "of nodes with one name the later ones get another one"},
    {"reshape-shortened", CureClass::proven, "a Reshape of something reshaped reads what that was made of"},
    {"size-pinned", CureClass::interface, "dynamic dims become the numbers that were asked for"},
    {"size-shared", CureClass::proven, "of computed sizes that are equal for every input the first is read"},
    {"sizes-written", CureClass::proven,
     "computed sizes are written as constants that hold for every input: 0, -1, 1, scales"},
    {"transpose-shortened", CureClass::proven, "two Transposes become one"},
    {"unused-removed", CureClass::proven, "what nobody reads is removed"},
};

std::vector<SimplificationInfo> made_list() {
  std::vector<SimplificationInfo> all(std::begin(kOwn), std::end(kOwn));
  const std::vector<std::string_view> names = cures_of_order();
  for (const cure::Cure* cure : cure::cures()) {
    if (std::ranges::find(names, cure->name) != names.end()) all.push_back({cure->name, cure->kind, cure->summary});
  }
  std::ranges::sort(all, {}, &SimplificationInfo::name);
  return all;
}

}  // namespace

const SimplificationInfo& kind_named(std::string_view name) {
  return *std::ranges::find(all_simplifications(), name, &SimplificationInfo::name);
}

}  // namespace simplifying

std::span<const SimplificationInfo> all_simplifications() {
  static const std::vector<SimplificationInfo> all = simplifying::made_list();
  return all;
}

}  // namespace trtcheck
