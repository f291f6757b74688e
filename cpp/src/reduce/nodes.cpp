// Delta debugging over the nodes of the main graph.
#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "reduce/search.hpp"

namespace trtcheck::reducing {
namespace {

using Positions = std::vector<std::uint32_t>;

/// Where the finding is, the first places.
Positions places_of(Trial& trial) {
  Positions places;
  for (const Finding* finding : trial.goal().all_in(trial.state())) {
    if (!finding->node_id) continue;
    const auto place = trial.cutter().position_of(finding->node_id);
    if (place && std::ranges::find(places, *place) == places.end()) places.push_back(*place);
  }
  return places;
}

/// The nodes around the finding, farther and farther out.
void take_around(Trial& trial) {
  constexpr std::size_t kMostPlaces = 3;
  constexpr std::array<std::uint32_t, 11> kSteps{1, 2, 3, 4, 6, 8, 12, 18, 27, 40, 60};
  Positions places = places_of(trial);
  for (const std::uint32_t place : places) {
    if (trial.keep(std::array{place})) return;
  }
  if (places.size() > kMostPlaces) places.resize(kMostPlaces);
  for (const std::uint32_t steps : kSteps) {
    for (const std::uint32_t place : places) {
      for (const bool downwards : {false, true}) {
        const Positions near = trial.cutter().around(place, steps, downwards);
        if (near.size() > trial.node_count() / 2) continue;
        if (trial.keep(near)) return;
      }
    }
  }
}

/// One half, as long as that is enough.
void take_halves(Trial& trial) {
  while (trial.node_count() > 1) {
    const std::uint32_t count = trial.node_count();
    Positions first(count / 2);
    std::iota(first.begin(), first.end(), 0U);
    if (trial.keep(first)) continue;
    Positions second(count - count / 2);
    std::iota(second.begin(), second.end(), count / 2);
    if (!trial.keep(second)) return;
  }
}

/// Everything but some neighbours, from the end on. True: some of them went.
bool sweep(Trial& trial, std::uint32_t size) {
  bool is_smaller = false;
  std::uint32_t end = trial.node_count();
  while (end > 0) {
    const std::uint32_t begin = end > size ? end - size : 0;
    Positions others(trial.node_count());
    std::iota(others.begin(), others.end(), 0U);
    others.erase(others.begin() + begin, others.begin() + end);
    is_smaller |= trial.keep(others);
    end = begin;
  }
  return is_smaller;
}

}  // namespace

void take_nodes(Trial& trial) {
  take_around(trial);
  take_halves(trial);
  for (std::uint32_t size = trial.node_count() / 2; size > 1; size = std::min(size, trial.node_count()) / 2) {
    static_cast<void>(sweep(trial, size));
  }
  while (trial.node_count() > 1 && sweep(trial, 1)) {
  }
  trial.tidy();
}

}  // namespace trtcheck::reducing
