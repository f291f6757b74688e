// What a `Shapes` owns. Private to this floor.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <trtcheck/shapes.hpp>

#include "shapes/number.hpp"

namespace trtcheck {

/// Dim arrays that never move: spans into it live as long as the arena.
class DimArena {
 public:
  [[nodiscard]] std::span<const Dim> copy(std::span<const Dim> dims) {
    if (dims.empty()) return {};
    if (used_ + dims.size() > capacity_) grow(dims.size());
    Dim* start = blocks_.back().get() + used_;
    std::copy(dims.begin(), dims.end(), start);
    used_ += dims.size();
    return {start, dims.size()};
  }

 private:
  void grow(std::size_t needed) {
    capacity_ = std::max<std::size_t>(needed, blocks_.empty() ? 256 : 16384);
    blocks_.push_back(std::make_unique<Dim[]>(capacity_));
    used_ = 0;
  }
  std::vector<std::unique_ptr<Dim[]>> blocks_;
  std::size_t used_ = 0;
  std::size_t capacity_ = 0;
};

/// What a sequence holds, or an optional (one element).
struct Elements {
  bool counted = true;             ///< false: any number of elements, of which `each` says what holds for every one
  std::vector<ValueShape> each{};  ///< without contents
  /// Of an optional that holds a sequence, or nothing: what that sequence holds.
  std::shared_ptr<const Elements> inner{};
  /// Of an optional that holds nothing: what it is declared to hold otherwise.
  ValueShape otherwise{};
};

struct Shapes::Impl {
  DimTable dims;
  DimArena arena;
  std::vector<ValueShape> values;                                    ///< by ValueId
  std::vector<bool> folds;                                           ///< by ValueId
  std::unordered_map<std::uint32_t, std::span<const Dim>> matrices;  ///< by ValueId: contents of rank 2 and more
  std::unordered_map<std::uint32_t, Elements> elements;              ///< by ValueId: of sequences and optionals
  shapes::NumberTable numbers;                                       ///< in contents of float tensors
  std::vector<Conflict> conflicts;
  std::vector<Obligation> obligations;
  std::vector<ClaimMismatch> mismatches;
  std::vector<CarriedChange> carried_changes;
  std::unordered_map<std::uint32_t, GraphId> taken_branches;  ///< by NodeId
  std::unordered_set<std::uint32_t> both_imported;            ///< NodeIds among those of `taken_branches`
  std::unordered_set<std::string> texts;                      ///< reasons that are no literals
  std::map<std::uint32_t, std::string_view> unread;  ///< by TensorId: asked for, and why not known (unread.hpp)
  bool solved_reshape = false;

  /// Keeps a text that was made on the way for as long as the shapes live; once, however many nodes say it.
  [[nodiscard]] std::string_view keep(std::string text) { return *texts.insert(std::move(text)).first; }
};

struct ShapesAccess {
  using Impl = Shapes::Impl;
  [[nodiscard]] static Shapes make(std::unique_ptr<Impl> impl) { return Shapes(std::move(impl)); }
  [[nodiscard]] static Impl& data(Shapes& shapes) { return *shapes.impl_; }
  [[nodiscard]] static const Impl& data(const Shapes& shapes) { return *shapes.impl_; }
};

}  // namespace trtcheck
