// The one walk over values, upward to what they are made of or downward to what reads them: bounded, and each value
// once.
//
//     const Walked end = walk<64>(value, [&](ValueId id, auto& onward) {
//       if (is_what_was_looked_for(id)) return true;
//       onward.add(model.node(producer).input(0));
//       return false;
//     });
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <trtcheck/model.hpp>

namespace trtcheck {

enum class Walked : std::uint8_t {
  found,    ///< a visit said so
  nowhere,  ///< all values were visited
  too_far,  ///< all that it may visit, and there are more
};

/// Where a walk goes on: values in the order in which they were added.
template <std::size_t most>
class Onward {
 public:
  void add(ValueId id) {
    const auto end = values_.begin() + static_cast<std::ptrdiff_t>(count_);
    if (!id || std::find(values_.begin(), end, id) != end) return;
    is_too_far_ = count_ == most;
    if (!is_too_far_) values_[count_++] = id;
  }
  void add(std::span<const ValueId> ids) {
    for (const ValueId id : ids) {
      if (is_too_far_) return;
      add(id);
    }
  }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] ValueId operator[](std::size_t at) const noexcept { return values_[at]; }
  [[nodiscard]] bool is_too_far() const noexcept { return is_too_far_; }

 private:
  std::array<ValueId, most> values_;
  std::size_t count_ = 0;
  bool is_too_far_ = false;
};

/// @tparam most   values that are visited, `from` among them
/// @param visit   (ValueId, Onward<most>&) -> bool: adds where to go on; true ends the walk
template <std::size_t most, class Visit>
Walked walk(ValueId from, Visit visit) {
  Onward<most> onward;
  onward.add(from);
  for (std::size_t at = 0; at < onward.count(); ++at) {
    if (visit(onward[at], onward)) return Walked::found;
  }
  return onward.is_too_far() ? Walked::too_far : Walked::nowhere;
}

/// The node that reads the value, when it is one alone and reads it once; none: nobody does, or several.
[[nodiscard]] inline NodeId sole_reader(const Model& model, ValueId value) noexcept {
  if (!value || model.value(value).users.size() != 1) return {};
  return model.value(value).users.front().node;
}

/// The value in front of Identity nodes.
[[nodiscard]] inline ValueId passed_on(const Model& model, ValueId value) {
  constexpr std::size_t kMost = 16;  // exporters write one or two; the bound keeps hostile chains cheap
  ValueId last = value;
  walk<kMost>(value, [&](ValueId id, auto& onward) {
    last = id;
    const NodeId producer = model.value(id).producer;
    if (producer && model.node(producer).op_type == "Identity") onward.add(model.node(producer).input(0));
    return false;
  });
  return last;
}

}  // namespace trtcheck
