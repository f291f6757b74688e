#include "partition/cycles.hpp"

#include <algorithm>
#include <unordered_map>

namespace trtcheck::partitioning {
namespace {

using Followers = std::vector<std::vector<std::size_t>>;

/// Pieces first, then other nodes by name, in the order of the row.
Followers joined(const Line& line, const std::vector<std::vector<std::uint32_t>>& pieces) {
  constexpr auto kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> place(line.followers.size(), kNone);
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    for (const std::uint32_t at : pieces[p]) place[at] = p;
  }
  std::size_t count = pieces.size();
  std::unordered_map<std::string_view, std::size_t> by_name;
  for (const std::uint32_t at : line.order) {
    if (place[at] != kNone) continue;
    const auto [known, is_new] = by_name.try_emplace(line.names[at], count);
    if (is_new) ++count;
    place[at] = known->second;
  }
  Followers made(count);
  for (const std::uint32_t at : line.order) {
    for (const std::uint32_t follower : line.followers[at]) {
      if (place[follower] == kNone) continue;
      // What stays inside of a piece is no result of it. A node that reads itself is a circle.
      if (place[at] == place[follower] && place[at] < pieces.size()) continue;
      made[place[at]].push_back(place[follower]);
    }
  }
  for (std::vector<std::size_t>& each : made) {
    std::ranges::sort(each);
    each.erase(std::unique(each.begin(), each.end()), each.end());
  }
  return made;
}

/// The way to a circle and around it, from its far end; empty: there is none from here.
class Walk {
 public:
  explicit Walk(const Followers& followers)
      : followers_(&followers), is_met_(followers.size()), is_open_(followers.size()) {}

  std::vector<std::size_t> from(std::size_t start) {
    if (is_met_[start]) return {};
    path_ = {{start, 0}};
    is_met_[start] = is_open_[start] = true;
    while (!path_.empty()) {
      const std::size_t at = path_.back().vertex;
      if (path_.back().next == (*followers_)[at].size()) {
        is_open_[at] = false;
        path_.pop_back();
        continue;
      }
      const std::size_t next = (*followers_)[at][path_.back().next++];
      if (is_open_[next]) return way_back(next);
      if (is_met_[next]) continue;
      is_met_[next] = is_open_[next] = true;
      path_.push_back({next, 0});
    }
    return {};
  }

 private:
  struct Step {
    std::size_t vertex;
    std::size_t next;
  };
  [[nodiscard]] std::vector<std::size_t> way_back(std::size_t closed_at) const {
    std::vector<std::size_t> made{closed_at};
    for (std::size_t i = path_.size(); i > 1; --i) made.push_back(path_[i - 1].vertex);
    return made;
  }

  const Followers* followers_;
  std::vector<bool> is_met_;
  std::vector<bool> is_open_;
  std::vector<Step> path_;
};

}  // namespace

std::optional<CycleFound> find_cycle(const Line& line, const std::vector<std::vector<std::uint32_t>>& pieces) {
  const Followers followers = joined(line, pieces);
  Walk walk(followers);
  for (std::size_t start = 0; start < followers.size(); ++start) {
    const std::vector<std::size_t> way = walk.from(start);
    if (way.empty()) continue;
    const auto piece = std::ranges::find_if(way, [&](std::size_t vertex) { return vertex < pieces.size(); });
    return CycleFound{piece == way.end() ? std::nullopt : std::optional(*piece)};
  }
  return std::nullopt;
}

}  // namespace trtcheck::partitioning
