// Which values are one and the same: each has a first one, by which it is read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <trtcheck/model.hpp>

#include "simplify/known.hpp"

namespace trtcheck::simplifying {

class Values {
 public:
  explicit Values(Known& known);

  [[nodiscard]] ValueId first(ValueId value) const noexcept {
    while (value && first_[value.index] != value) value = first_[value.index];
    return value;
  }
  /// @pre `other` was defined before, in the same graph or around it
  void is_same(ValueId value, ValueId other) { first_[value.index] = first(other); }
  /// Whether nodes of another graph may read it by its name: no second value has it.
  [[nodiscard]] bool has_own_name(ValueId value) const;
  /// Read as the output of its graph, or of a body inside: it keeps its name.
  [[nodiscard]] bool is_pinned(ValueId value) const noexcept { return is_pinned_[value.index]; }

  /// Initializers of a graph, in the order of the file.
  [[nodiscard]] const std::vector<ValueId>& stored_in(GraphId graph) const { return stored_[graph.index]; }

  // Tables of what was seen; what a body adds is forgotten behind it.
  void enter() { scopes_.emplace_back(); }
  void leave();
  /// An earlier value of the same key, in sight; none: this one is noted.
  [[nodiscard]] ValueId earlier(std::string key, ValueId value);

  /// Of a constant: type, dims and contents; of what is stored outside of the file, where it is.
  [[nodiscard]] std::optional<std::string> constant_key(ValueId value) const;
  /// Of whole numbers that hold symbols.
  [[nodiscard]] std::optional<std::string> sizes_key(ValueId value) const;
  /// Of a node that makes the same from the same inputs; nothing: it may not, or that is too much to compare.
  [[nodiscard]] std::optional<std::string> node_key(NodeId node) const;

 private:
  [[nodiscard]] const Model& model() const noexcept { return known_->model(); }

  Known* known_;
  std::vector<ValueId> first_;
  std::vector<bool> is_pinned_;
  std::vector<std::vector<ValueId>> stored_;
  std::unordered_map<std::string_view, std::uint32_t> names_;
  std::unordered_map<std::string, ValueId> seen_;
  std::vector<std::vector<std::string>> scopes_;
};

}  // namespace trtcheck::simplifying
