// The smallest model so far, and whether a smaller one still shows what is looked for.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trtcheck/edit.hpp>
#include <trtcheck/reduce.hpp>

#include "bytes/bytes.hpp"
#include "cure/state.hpp"
#include "reduce/cut.hpp"
#include "reduce/goal.hpp"

namespace trtcheck::reducing {

/// Thrown by a step when the caller wants no more of them.
struct Stopped {};

class Trial {
 public:
  /// @param file  behind the origin; nullptr = the model is in memory
  Trial(const cure::SourceFile& origin, const File* file, const CheckOptions& check, ReduceJudge judge,
        std::function<bool()> cancelled)
      : origin_(&origin), file_(file), check_(check), judge_(std::move(judge)), cancelled_(std::move(cancelled)) {}

  /// Has to be called first. @throws Error  the model does not have the finding, or the judge says no
  void begin(std::string_view finding);

  /// Makes the edits. True: that still shows it, and is the smallest model from now on.
  /// @throws Stopped
  bool attempt(std::span<const edit::Edit> edits);
  /// The same, and no value may change its type or shape.
  bool attempt_with_same_shapes(std::span<const edit::Edit> edits);
  /// The same with a file that is made of these pieces. @param goal_value  that the node of the finding makes there
  bool attempt(edit::Pieces pieces, const std::string& goal_value, bool same_shapes = false);
  /// Leaves these nodes of the main graph. False where the cut is not possible, too.
  bool keep(std::span<const std::uint32_t> positions);
  /// Takes away what nobody needs: weights, inputs, functions, operator sets.
  void tidy();

  [[nodiscard]] const cure::State& state() const noexcept { return *state_; }
  [[nodiscard]] const Model& model() const noexcept { return state_->model(); }
  [[nodiscard]] const Shapes& shapes();
  [[nodiscard]] const Cutter& cutter();
  [[nodiscard]] const Goal& goal() const noexcept { return *goal_; }
  [[nodiscard]] std::size_t steps() const noexcept { return steps_; }
  [[nodiscard]] std::uint32_t node_count() const noexcept { return model().graph().node_count; }

 private:
  [[nodiscard]] bool judged(const cure::State& state) const;
  [[nodiscard]] std::optional<edit::Pieces> made(std::span<const edit::Edit> edits) const;
  void become(std::unique_ptr<cure::State> state);
  void stop_if_asked() const {
    if (cancelled_ && cancelled_()) throw Stopped{};
  }

  const cure::SourceFile* origin_;
  const File* file_;
  CheckOptions check_;
  ReduceJudge judge_;
  std::function<bool()> cancelled_;
  std::unique_ptr<cure::State> state_;
  std::optional<Goal> goal_;
  std::optional<Shapes> shapes_;
  std::optional<Cutter> cutter_;
  std::size_t steps_ = 0;
};

}  // namespace trtcheck::reducing
