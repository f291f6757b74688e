// What a rule asks of a release.
#pragma once

#include <cstddef>
#include <cstdint>

namespace trtcheck {

/// Some of the gates of cpp/data/gates.toml: releases from which on TensorRT does something differently.
class GateSet {
 public:
  constexpr GateSet() noexcept = default;
  /// Of gates, and of whole sets.
  template <class... Part>
  requires(sizeof...(Part) > 0) constexpr GateSet(
      const Part&... parts) noexcept {  // NOLINT(google-explicit-constructor): `.gates = {a, b}`
    (add(parts), ...);
  }
  /// All of another set.
  constexpr void add(const GateSet& others) noexcept {
    for (std::size_t i = 0; i < kWords; ++i) words_[i] |= others.words_[i];
  }
  /// One gate.
  template <class Gate>
  constexpr void add(const Gate& gate) noexcept {
    words_[gate.index / kBits] |= std::uint64_t{1} << (gate.index % kBits);
  }
  /// Whether it is among them.
  template <class Gate>
  [[nodiscard]] constexpr bool contains(const Gate& gate) const noexcept {
    return (words_[gate.index / kBits] >> (gate.index % kBits) & 1) != 0;
  }
  /// Those that are in both.
  [[nodiscard]] constexpr GateSet operator&(const GateSet& other) const noexcept {
    GateSet common;
    for (std::size_t i = 0; i < kWords; ++i) common.words_[i] = words_[i] & other.words_[i];
    return common;
  }
  friend constexpr bool operator==(const GateSet&, const GateSet&) = default;  ///< the same gates

  static constexpr std::size_t kMost = 128;  ///< gates that there is room for

 private:
  static constexpr std::size_t kBits = 64;
  static constexpr std::size_t kWords = kMost / kBits;
  std::uint64_t words_[kWords] = {};
};

/// What a rule asks of a release, beside its gates. Each includes those before it.
enum class Asks : std::uint8_t {
  gates,      ///< nothing; its name may stand in messages
  operators,  ///< who imports the operators of the model
  release,    ///< which one it is: evidence, tables, ranges
};

}  // namespace trtcheck
