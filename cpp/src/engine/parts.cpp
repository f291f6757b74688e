#include "engine/parts.hpp"

#include <algorithm>

#include "target/gates.hpp"

namespace trtcheck::engine {

Partition::Partition(std::span<const TrtVersion> releases, const Operators& operators)
    : releases_(releases), operators_(&operators) {
  open_.reserve(releases.size());
  for (const TrtVersion release : releases) {
    GateSet& open = open_.emplace_back();
    for (const Gate* gate : gates::kAll) {
      if (gate->open_in(release)) open.add(*gate);
    }
  }
}

template <class Alike>
std::vector<ReleaseSet> Partition::parts(const Alike& alike) const {
  std::vector<ReleaseSet> made;
  for (std::size_t i = 0; i < releases_.size(); ++i) {
    const auto same = std::ranges::find_if(made, [&](ReleaseSet part) { return alike(first_of(part), i); });
    (same == made.end() ? made.emplace_back(0) : *same) |= ReleaseSet{1} << i;
  }
  return made;
}

std::vector<ReleaseSet> Partition::parts_of(const Rule& rule) const {
  // How certain the rule is at most is a matter of the product there.
  const bool by_product = rule.certainty != rule.rtx_certainty;
  return parts([&](std::size_t a, std::size_t b) {
    return rule.asks != Asks::release && (open_[a] & rule.gates) == (open_[b] & rule.gates) &&
           (!by_product || releases_[a].product == releases_[b].product) &&
           (rule.asks == Asks::gates || operators_->group(a) == operators_->group(b));
  });
}

std::vector<ReleaseSet> Partition::parts_by(const GateSet& gates) const {
  return parts([&](std::size_t a, std::size_t b) { return (open_[a] & gates) == (open_[b] & gates); });
}

}  // namespace trtcheck::engine
