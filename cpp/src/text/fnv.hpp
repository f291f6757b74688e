// FNV-1a: small, made when the program is compiled, and the same on every machine.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

namespace trtcheck {

/// @tparam Word  std::uint32_t or std::uint64_t: how long the hash is
template <std::unsigned_integral Word>
class Fnv {
 public:
  static_assert(sizeof(Word) == 4 || sizeof(Word) == 8);

  constexpr Fnv& add(unsigned char byte) noexcept {
    state_ = static_cast<Word>((state_ ^ byte) * kPrime);
    return *this;
  }
  constexpr Fnv& add(std::string_view text) noexcept {
    for (const char c : text) add(static_cast<unsigned char>(c));
    return *this;
  }
  [[nodiscard]] constexpr Word value() const noexcept { return state_; }

 private:
  static constexpr Word kPrime = sizeof(Word) == 4 ? Word{16777619U} : static_cast<Word>(0x100000001b3U);
  Word state_ = sizeof(Word) == 4 ? Word{2166136261U} : static_cast<Word>(0xcbf29ce484222325U);
};

}  // namespace trtcheck
