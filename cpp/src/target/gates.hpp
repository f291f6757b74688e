// Releases from which on TensorRT does something differently, by name: cpp/data/gates.toml. Rules list those that
// they ask (Rule::gates) and have no release numbers of their own; facts (cpp/data/facts) have ranges.
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

#include <trtcheck/gate_set.hpp>
#include <trtcheck/target.hpp>

namespace trtcheck {

struct Gate {
  std::size_t index;        ///< its place among all of them
  TrtVersion from;          ///< the first release that does it; of TensorRT-RTX: others do not
  std::string_view name;    ///< "unnamed-outputs-skipped"
  std::string_view what;    ///< what it does, one line
  std::string_view source;  ///< where that was read or measured

  [[nodiscard]] constexpr bool open_in(TrtVersion release) const noexcept {
    return release >= from && (from.product == Product::tensorrt || release.product == from.product);
  }
};

namespace gates {
#include "gates.inc"
static_assert(std::size(kAll) <= GateSet::kMost);
}  // namespace gates

}  // namespace trtcheck
