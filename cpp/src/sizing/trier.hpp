// The state of a trial, and what it knows of each operator. Private to this folder.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "shapes/revised.hpp"
#include "sizing/factors.hpp"
#include "sizing/trial.hpp"

namespace trtcheck::sizing {

using Values = std::span<const ValueShape>;
using Numbers = std::vector<std::int64_t>;

/// "Reshape `view`"
[[nodiscard]] std::string label(const Model& model, NodeId id);
/// An attribute, or the default.
[[nodiscard]] std::int64_t int_of(const Node& node, std::string_view name, std::int64_t otherwise);
/// The dim depends on one of the sizes.
[[nodiscard]] bool depends(const DimTable& dims, const std::vector<Freed>& freed, Dim dim);

class Trier {
 public:
  Trier(const Subject& subject, const Decisions& decisions);
  Trial run() &&;

 private:
  // Sizes.
  [[nodiscard]] std::optional<std::int64_t> number_of(Dim dim) const;
  [[nodiscard]] bool is_dynamic(Dim dim) const;
  [[nodiscard]] bool is_any_dynamic(const ValueShape& shape) const;
  [[nodiscard]] const ValueShape& shape(ValueId id) const;
  /// Contents that are numbers, all of them.
  [[nodiscard]] std::optional<Numbers> ints(ValueId id) const;
  [[nodiscard]] std::optional<Numbers> sizes_before(ValueId id) const;
  [[nodiscard]] Dim symbol(const Freed& one);

  // What dims are made of.
  static std::uint64_t place(ValueId id, std::size_t axis);
  Factors factors(ValueId id, std::size_t axis) const;
  /// A dim that a node hands on is made of what it was made of.
  void learn(ValueId id);
  void hand_on(ValueId id, std::size_t axis);

  // Where the file does not say what is meant.
  std::size_t decide(std::string key, std::size_t ways, NodeId node);
  void object(NodeId node, std::string_view why);

  // Nodes: trial.cpp.
  std::vector<Instead> look(NodeId id, Values values, DimTable& dims);
  [[nodiscard]] Instead read_instead(const Node& node, const Change& change) const;
  void at_node(NodeId id, const Node& node, std::vector<Change>& made);

  // Tables of sizes: tables.cpp.
  void at_reshape(NodeId id, const Node& node, std::vector<Change>& made);
  [[nodiscard]] std::string text(std::span<const Dim> dims) const;
  /// The target that is there makes these dims.
  [[nodiscard]] bool is_made(const Numbers& target, std::span<const Dim> given, std::span<const Dim> out,
                             bool zero_copies) const;
  [[nodiscard]] std::vector<Dim> target_for(std::span<const Dim> given, std::span<const Dim> out,
                                            bool zero_copies) const;
  void at_flatten(NodeId /*id*/, const Node& node, std::vector<Change>& /*made*/);
  /// A number that a freed size may be, where nothing tells; the number itself otherwise.
  Dim freed_or(std::int64_t number, std::size_t index, NodeId id);
  void add_table(std::size_t input, const Numbers& old, std::vector<Dim> entries, std::vector<Change>& made);
  void at_expand(NodeId id, const Node& node, std::vector<Change>& made);
  void at_tile(NodeId id, const Node& node, std::vector<Change>& made);
  void at_filled(NodeId id, const Node& node, std::vector<Change>& made);
  void at_slice(NodeId id, const Node& node, std::vector<Change>& made);
  std::int64_t end_of_slice(NodeId id, Dim dim, std::int64_t start, std::int64_t end);
  void at_resize(NodeId id, const Node& node, std::vector<Change>& made);

  // Values that meet: meetings.cpp.
  void at_concat(NodeId id, const Node& node, std::vector<Change>& made);
  [[nodiscard]] std::optional<Dim> dynamic_dim(const Node& node, std::size_t axis) const;
  void at_grid(NodeId id, const Node& node, std::vector<Change>& made);
  void at_recurrent(NodeId id, const Node& node, std::vector<Change>& made);
  /// An input that has to have this size on an axis, and has its number.
  void meet(NodeId id, const Node& node, std::size_t input, std::size_t axis, Dim dim, std::vector<Change>& made);
  [[nodiscard]] static bool is_whole(DataType type);
  /// Of a constant: it does not depend on where one is on the axis.
  [[nodiscard]] bool has_equal_rows(ValueId value, std::size_t axis);
  /// Of inputs that are broadcast, a constant with equal rows is left one of them.
  void broadcast(const Node& node, std::vector<Change>& made);
  void narrow(const Node& node, std::size_t input, std::size_t back, Dim dynamic, std::vector<Change>& made);
  /// The sizes of the output are those of the inputs, broadcast, as elementwise operators do it.
  [[nodiscard]] bool is_broadcast(const Node& node) const;
  void at_gather(NodeId id, const Node& node, std::vector<Change>& /*made*/);
  void at_places(NodeId id, const Node& node, std::vector<Change>& /*made*/);
  /// Numbers that say which entries of a dynamic axis: where they come from nobody knows.
  void refuse_places(NodeId id, const Node& node, Dim dim);

  // Afterwards: trial.cpp.
  [[nodiscard]] std::string contradiction(const Shapes& shapes) const;
  /// With the numbers of the file it is what it was.
  [[nodiscard]] bool is_same(const Shapes& shapes, ValueId id) const;
  [[nodiscard]] std::size_t mixed_by(const Shapes& shapes) const;
  /// The entries of a dynamic axis are brought together, lost, or set against each other.
  [[nodiscard]] bool mixes(const Node& node, const Shapes& shapes) const;

  // What inference holds for the far end of a Slice.
  static constexpr std::int64_t kFarEnd = std::int64_t{1} << 40;

  const Model* model_;
  const InferOptions* known_;
  const Shapes* before_;
  Folder* folder_;
  const std::vector<Freed>* freed_;
  const Decisions* decisions_;
  std::vector<DimTable::Binding> bindings_;
  Values values_;
  DimTable* dims_ = nullptr;
  std::unordered_map<std::uint64_t, Factors> factors_;
  std::set<std::uint32_t> learnt_;
  std::map<std::uint32_t, std::vector<Change>> changes_;
  std::vector<Trial::Question> questions_;
  std::string against_;
};

}  // namespace trtcheck::sizing
