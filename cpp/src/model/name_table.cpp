#include "model/name_table.hpp"

#include <bit>
#include <cstring>
#include <utility>

namespace trtcheck {
namespace {

constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15U;  // 2^64 / golden ratio

std::uint64_t mix(std::uint64_t x) noexcept {
  x = (x ^ (x >> 32U)) * kOdd;
  x = (x ^ (x >> 29U)) * kOdd;
  return x ^ (x >> 32U);
}

std::uint64_t with_graph(std::uint64_t name_hash, GraphId graph) noexcept {
  return mix(name_hash + (graph.index + std::uint64_t{1}) * kOdd);
}

}  // namespace

std::uint64_t NameTable::hash(std::string_view name) const noexcept {
  std::uint64_t result = seed_ ^ name.size();
  while (name.size() >= 8) {
    std::uint64_t block = 0;
    std::memcpy(&block, name.data(), 8);
    result = mix(result ^ block);
    name.remove_prefix(8);
  }
  std::uint64_t rest = 0;
  if (!name.empty()) std::memcpy(&rest, name.data(), name.size());
  return mix(result ^ rest);
}

ValueId NameTable::find(GraphId graph, std::string_view name, std::uint64_t name_hash) const noexcept {
  const std::uint64_t mixed = with_graph(name_hash, graph);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = mixed & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (!slot.id) return {};
    if (slot.tag != mixed >> 32U) continue;
    const Value& value = (*values_)[slot.id.index];
    if (value.graph == graph && value.name == name) return slot.id;
  }
}

void NameTable::place(Slot slot, std::uint64_t mixed) noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = mixed & mask;
  while (slots_[at].id) at = (at + 1) & mask;
  slots_[at] = slot;
}

void NameTable::add(ValueId id, std::uint64_t name_hash) {
  if ((used_ + 1) * 2 > slots_.size()) rehash(slots_.size() * 2);
  const std::uint64_t mixed = with_graph(name_hash, (*values_)[id.index].graph);
  place({id, static_cast<std::uint32_t>(mixed >> 32U)}, mixed);
  ++used_;
}

void NameTable::reserve(std::size_t more) {
  const std::size_t wanted = std::bit_ceil((used_ + more) * 2 + 1);
  if (wanted > slots_.size()) rehash(wanted);
}

void NameTable::rehash(std::size_t capacity) {
  std::vector<Slot> old(capacity);
  std::swap(old, slots_);
  for (const Slot& slot : old) {
    if (!slot.id) continue;
    const Value& value = (*values_)[slot.id.index];
    place(slot, with_graph(hash(value.name), value.graph));
  }
}

}  // namespace trtcheck
