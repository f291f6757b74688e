// (graph, name) -> value: open addressing over the values themselves, no copy of a name.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <trtcheck/model.hpp>

namespace trtcheck {

class NameTable {
 public:
  /// `seed` differs from run to run, so that no file can be made of names that all collide. It changes no result.
  NameTable(const std::vector<Value>& values, std::uint64_t seed) : values_(&values), seed_(seed), slots_(64) {}

  [[nodiscard]] std::uint64_t hash(std::string_view name) const noexcept;
  [[nodiscard]] ValueId find(GraphId graph, std::string_view name, std::uint64_t name_hash) const noexcept;
  /// Registers the value under its own graph and name. @pre find() does not find one
  void add(ValueId id, std::uint64_t name_hash);
  void reserve(std::size_t more);

 private:
  struct Slot {
    ValueId id;
    std::uint32_t tag = 0;
  };
  void place(Slot slot, std::uint64_t mixed) noexcept;
  void rehash(std::size_t capacity);

  const std::vector<Value>* values_;
  std::uint64_t seed_;
  std::vector<Slot> slots_;  // a power of two
  std::size_t used_ = 0;
};

}  // namespace trtcheck
