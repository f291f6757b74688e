#include "partition/cut.hpp"

#include <algorithm>
#include <utility>

#include "partition/cycles.hpp"

namespace trtcheck::partitioning {
namespace {

using Positions = std::vector<std::uint32_t>;
using Fate = CutPiece::Fate;

/// Runs of nodes between those for which `ends` holds.
template <class Ends>
std::vector<Positions> runs(const Positions& order, const Ends& ends) {
  std::vector<Positions> made;
  bool is_open = false;
  for (const std::uint32_t at : order) {
    if (ends(at)) {
      is_open = false;
      continue;
    }
    if (!std::exchange(is_open, true)) made.emplace_back();
    made.back().push_back(at);
  }
  return made;
}

class Cutting {
 public:
  Cutting(const Line& line, const std::vector<Verdict>& verdicts, const CutRules& rules)
      : line_(&line), verdicts_(&verdicts), rules_(&rules) {}

  Cut run() && {
    ask_parser();
    if (rules_->provider != Provider::parser && made_.iterations > rules_->most_iterations) {
      for (CutPiece& piece : made_.pieces) piece.fate = Fate::gave_up;
    }
    drop_small();
    drop_cycles();
    made_.found = static_cast<std::size_t>(std::ranges::count(made_.pieces, Fate::runs, &CutPiece::fate));
    consolidate();
    return std::move(made_);
  }

 private:
  [[nodiscard]] bool is(std::uint32_t at, Verdict verdict) const { return (*verdicts_)[at] == verdict; }

  void ask_parser() {
    const auto excluded = [&](std::uint32_t at) { return is(at, Verdict::excluded); };
    for (const Positions& group : runs(line_->order, excluded)) {
      const auto refused = [&](std::uint32_t at) { return is(at, Verdict::refused); };
      const auto count = static_cast<std::size_t>(std::ranges::count_if(group, refused));
      // One call for each node that is cut out, one in which all is accepted.
      const bool asks_again = rules_->provider != Provider::rtx;
      made_.iterations = std::max(made_.iterations, asks_again ? count + 1 : 1);
      const bool is_given_up = !asks_again && count > 0;
      for (Positions& piece : runs(group, refused)) {
        made_.pieces.push_back({std::move(piece), is_given_up ? Fate::with_refused : Fate::runs});
      }
    }
  }

  /// TensorRT's provider erases from a list while it walks over it, so that the piece after an erased one is not looked
  /// at.
  void drop_small() {
    if (rules_->provider == Provider::parser) return;
    bool is_skipped = false;
    for (CutPiece& piece : made_.pieces) {
      if (piece.fate != Fate::runs) continue;
      const bool was_skipped = std::exchange(is_skipped, false);
      if (was_skipped || piece.positions.size() >= rules_->least_nodes) continue;
      piece.fate = Fate::too_small;
      is_skipped = rules_->provider == Provider::tensorrt;
    }
    made_.reads_past_end = is_skipped;
  }

  [[nodiscard]] std::vector<Positions> running() const {
    std::vector<Positions> made;
    for (const CutPiece& piece : made_.pieces) {
      if (piece.fate == Fate::runs) made.push_back(piece.positions);
    }
    return made;
  }

  void drop_cycles() {
    if (rules_->provider == Provider::parser) return;
    for (;;) {
      const std::optional<CycleFound> found = find_cycle(*line_, running());
      if (!found || !found->piece) return;
      std::size_t left = *found->piece;
      for (CutPiece& piece : made_.pieces) {
        if (piece.fate == Fate::runs && left-- == 0) {
          piece.fate = Fate::in_cycle;
          break;
        }
      }
    }
  }

  void consolidate() {
    if (rules_->provider == Provider::parser || made_.found < 2) return;
    Positions all;
    for (const CutPiece& piece : made_.pieces) {
      if (piece.fate == Fate::runs) all.insert(all.end(), piece.positions.begin(), piece.positions.end());
    }
    if (find_cycle(*line_, {all})) return;
    made_.is_consolidated = true;
    std::erase_if(made_.pieces, [](const CutPiece& piece) { return piece.fate == Fate::runs; });
    made_.pieces.insert(made_.pieces.begin(), CutPiece{std::move(all), Fate::runs});
  }

  const Line* line_;
  const std::vector<Verdict>* verdicts_;
  const CutRules* rules_;
  Cut made_;
};

}  // namespace

Cut cut(const Line& line, const std::vector<Verdict>& verdicts, const CutRules& rules) {
  return Cutting(line, verdicts, rules).run();
}

}  // namespace trtcheck::partitioning
