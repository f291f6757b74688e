// The main graph as boxes, for a picture.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "partition/pieces.hpp"
#include "text/plural.hpp"

namespace trtcheck::partitioning {
namespace {

/// Graphviz takes 0.3 s for so many, and 2 s for twice as many.
constexpr std::size_t kMostBoxes = 400;
constexpr std::size_t kMostOperators = 3;

class Drawer {
 public:
  Drawer(const Asked& asked, const Cut& made) : asked_(&asked), piece_(asked.uses.node_count()) {
    for (std::size_t p = 0; p < made.pieces.size(); ++p) {
      for (const std::uint32_t at : made.pieces[p].positions) piece_[at] = p + 1;
    }
  }

  PartitionGraph graph() && {
    made_.is_condensed = asked_->line.order.size() > kMostBoxes;
    for (const std::uint32_t at : asked_->line.order) place(at);
    for (const std::uint32_t at : asked_->line.order) {
      for (const ValueId output : asked_->model.node(node_at(at)).outputs) {
        if (output) link(at, output);
      }
    }
    if (made_.is_condensed) name_pieces();
    return std::move(made_);
  }

 private:
  [[nodiscard]] NodeId node_at(std::uint32_t at) const { return {asked_->model.graph().first_node.index + at}; }

  void place(std::uint32_t at) {
    const std::size_t piece = piece_[at];
    const bool is_joined = made_.is_condensed && piece > 0;
    if (is_joined) {
      ++operators_[piece][std::string(asked_->model.node(node_at(at)).op_type)];
      if (const auto known = of_piece_.find(piece); known != of_piece_.end()) {
        if (known->second) box_.emplace(at, *known->second);
        return;
      }
    }
    std::optional<std::size_t> made;
    if (made_.boxes.size() < kMostBoxes) {
      made = made_.boxes.size();
      made_.boxes.push_back({std::string(asked_->model.node(node_at(at)).op_type),
                             is_joined ? fmt::format("piece {}", piece) : asked_->model.node_label(node_at(at)),
                             piece});
      box_.emplace(at, *made);
    } else {
      ++made_.left_out;
    }
    if (is_joined) of_piece_.emplace(piece, made);
  }

  void link(std::uint32_t at, ValueId output) {
    const auto from = box_.find(at);
    if (from == box_.end()) return;
    for (const std::uint32_t reader : asked_->uses.readers(output)) {
      const auto to = box_.find(reader);
      if (to == box_.end() || to->second == from->second) continue;
      if (!linked_.insert(std::tuple(from->second, to->second, output)).second) continue;
      made_.links.push_back(
          {from->second, to->second, std::string(asked_->model.value(output).name), asked_->shapes.text(output)});
    }
  }

  void name_pieces() {
    for (PartitionBox& box : made_.boxes) {
      if (box.piece == 0) continue;
      std::vector<std::pair<std::size_t, std::string>> counts;
      for (const auto& [type, count] : operators_[box.piece]) counts.emplace_back(count, type);
      std::ranges::sort(counts, std::ranges::greater{});
      const std::size_t all = counts.size();
      counts.resize(std::min(all, kMostOperators));
      box.op_type.clear();
      for (const auto& [count, type] : counts) {
        box.op_type += fmt::format("{}{} {}", box.op_type.empty() ? "" : ", ", count, type);
      }
      if (all > kMostOperators) box.op_type += ", ...";
    }
  }

  const Asked* asked_;
  std::vector<std::size_t> piece_;  ///< of each position: its number, 0 = none
  std::map<std::uint32_t, std::size_t> box_;
  std::map<std::size_t, std::optional<std::size_t>> of_piece_;
  std::map<std::size_t, std::map<std::string, std::size_t>> operators_;
  std::set<std::tuple<std::size_t, std::size_t, ValueId>> linked_;
  PartitionGraph made_;
};

}  // namespace

PartitionGraph graph_of(const Asked& asked, const Cut& made) { return Drawer(asked, made).graph(); }

}  // namespace trtcheck::partitioning
