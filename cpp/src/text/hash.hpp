// A 64-bit hash that is the same on every platform and in every release: fingerprints outlive both.
//
// Words go through the finalizer of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
// generators", 2014), one after the other. It is no protection against somebody who wants two things to collide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trtcheck {

class Hash {
 public:
  explicit constexpr Hash(std::uint64_t salt) noexcept : state_(mixed(salt)) {}

  constexpr Hash& add(std::uint64_t word) noexcept {
    state_ = mixed(state_ ^ word);
    return *this;
  }
  /// The length, then eight bytes at a time, the first one lowest.
  constexpr Hash& add(std::string_view text) noexcept {
    add(static_cast<std::uint64_t>(text.size()));
    for (std::size_t i = 0; i < text.size(); i += 8) {
      std::uint64_t word = 0;
      for (std::size_t k = i; k < text.size() && k < i + 8; ++k) {
        word |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[k])) << (8 * (k - i));
      }
      add(word);
    }
    return *this;
  }
  [[nodiscard]] constexpr std::uint64_t value() const noexcept { return state_; }

 private:
  static constexpr std::uint64_t mixed(std::uint64_t word) noexcept {
    word += 0x9e3779b97f4a7c15U;
    word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
    word = (word ^ (word >> 27U)) * 0x94d049bb133111ebU;
    return word ^ (word >> 31U);
  }

  std::uint64_t state_;
};

}  // namespace trtcheck
