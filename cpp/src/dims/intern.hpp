// Storage with stable addresses and a hash index of ids: what hash-consing needs, and no more.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace trtcheck::dims {

/// Copies short runs of trivial values to addresses that never move.
template <class T>
class Arena {
 public:
  std::span<const T> keep(std::span<const T> values) {
    if (values.size() > left_) {
      const std::size_t size = std::max(kChunk, values.size());
      chunks_.push_back(std::make_unique_for_overwrite<T[]>(size));
      next_ = chunks_.back().get();
      left_ = size;
    }
    T* const first = next_;
    std::copy(values.begin(), values.end(), first);
    next_ += values.size();
    left_ -= values.size();
    return {first, values.size()};
  }

 private:
  static constexpr std::size_t kChunk = 256;
  std::vector<std::unique_ptr<T[]>> chunks_;
  T* next_ = nullptr;
  std::size_t left_ = 0;
};

constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t value) noexcept {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 29);
}

/// Open addressing from a hash to an id; the caller compares contents.
class HashIndex {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  template <class IsEqual>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, IsEqual is_equal) const {
    if (slots_.empty()) return kNone;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = static_cast<std::size_t>(hash) & mask; slots_[i].id != kNone; i = (i + 1) & mask) {
      if (slots_[i].hash == hash && is_equal(slots_[i].id)) return slots_[i].id;
    }
    return kNone;
  }

  void insert(std::uint64_t hash, std::uint32_t id) {
    if ((used_ + 1) * 2 > slots_.size()) grow();
    place({hash, id});
    ++used_;
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t id = kNone;
  };

  void place(Slot slot) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = static_cast<std::size_t>(slot.hash) & mask;
    while (slots_[i].id != kNone) i = (i + 1) & mask;
    slots_[i] = slot;
  }

  void grow() {
    std::vector<Slot> old(std::max<std::size_t>(64, slots_.size() * 2));
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.id != kNone) place(slot);
    }
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace trtcheck::dims
