// Rows of constant tables by name: a hash table that is made when the program is compiled.
//
//     using Rows = NameIndex<kSupportRows, [](const SupportRow& row) { return row.op; }>;
//     for (const SupportRow& row : Rows::find("Conv")) ...
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <type_traits>

#include "text/fnv.hpp"

namespace trtcheck {

/// @tparam table  rows of one name follow each other
/// @tparam key    the name of a row; "" = the row is not to be found
template <auto& table, auto key>
class NameIndex {
 public:
  using Row = std::remove_cvref_t<decltype(table[0])>;

  /// The rows of that name; none for "".
  [[nodiscard]] static constexpr std::span<const Row> find(std::string_view name) noexcept {
    if (name.size() > kLongest) return {};  // a name from a file may have a hundred megabytes
    for (std::size_t slot = hash(name) % kSlots;; slot = (slot + 1) % kSlots) {
      const Place place = kPlaces[slot];
      if (place.count == 0) return {};
      if (key(table[place.first]) == name) return {table + place.first, place.count};
    }
  }

 private:
  struct Place {
    std::uint16_t first = 0;
    std::uint16_t count = 0;  ///< 0 = nothing is here
  };
  // At most half of them are taken.
  static constexpr std::size_t kSlots = std::bit_ceil(2 * std::size(table));
  static_assert(std::size(table) < 0xffff);

  static constexpr std::size_t kLongest = [] {
    std::size_t longest = 0;
    for (const Row& row : table) longest = std::max(longest, key(row).size());
    return longest;
  }();

  [[nodiscard]] static constexpr std::uint32_t hash(std::string_view name) noexcept {
    return Fnv<std::uint32_t>().add(name).value();
  }

  static constexpr std::array<Place, kSlots> kPlaces = [] {
    std::array<Place, kSlots> places{};
    for (std::size_t first = 0; first < std::size(table);) {
      const std::string_view name = key(table[first]);
      std::size_t last = first + 1;
      while (last < std::size(table) && key(table[last]) == name) ++last;
      if (!name.empty()) {
        std::size_t slot = hash(name) % kSlots;
        while (places[slot].count != 0) slot = (slot + 1) % kSlots;
        places[slot] = {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(last - first)};
      }
      first = last;
    }
    return places;
  }();
};

}  // namespace trtcheck
