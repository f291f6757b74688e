// Releases from which on TensorRT does something differently, by name: cpp/data/gates.toml. Rules ask these, and have
// no release numbers of their own; facts (cpp/data/facts) have ranges.
#pragma once

#include <string_view>

#include <trtcheck/target.hpp>

#include "target/release_span.hpp"

namespace trtcheck {

struct Gate {
  TrtVersion from;          ///< the first release that does it
  std::string_view name;    ///< "unnamed-outputs-skipped"
  std::string_view what;    ///< what it does, one line
  std::string_view source;  ///< where that was read or measured

  [[nodiscard]] bool open_in(TrtVersion release) const noexcept {
    changes_at(from, release);
    return release >= from;
  }
  [[nodiscard]] bool open_in(const Target& target) const noexcept { return open_in(target.release); }
};

namespace gates {
#include "gates.inc"
}

}  // namespace trtcheck
