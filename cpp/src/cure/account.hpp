// What the repairs of one round changed, for people: nodes before and after, as text and as pictures.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <trtcheck/fix.hpp>

#include "cure/attempt.hpp"
#include "cure/state.hpp"

namespace trtcheck::cure {

class Account {
 public:
  /// Looks for the nodes that the attempts change, once for all of them.
  /// @pre the states outlive it
  Account(std::span<const Attempt> attempts, const State& before, const State& after);

  /// Fills in `before` and `after`.
  void add_texts(const Attempt& attempt, AppliedCure& applied) const;
  void add_pictures(const Attempt& attempt, AppliedCure& applied) const;

 private:
  using Place = std::pair<edit::NodeAt, std::vector<NodeId>>;  ///< of a function each call has a node
  [[nodiscard]] std::vector<NodeId> nodes_before(const Attempt& attempt) const;
  [[nodiscard]] std::vector<NodeId> nodes_after(const Attempt& attempt) const;

  const State* before_;
  const State* after_;
  std::unordered_map<std::uint32_t, std::vector<Place>> by_position_;
};

}  // namespace trtcheck::cure
