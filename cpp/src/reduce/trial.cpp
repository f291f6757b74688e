#include "reduce/trial.hpp"

#include <numeric>

#include <trtcheck/error.hpp>

#include "cure/agreement.hpp"
#include "edit/edited.hpp"
#include "edit/write.hpp"
#include "reduce/judge.hpp"
#include "view/inference_options.hpp"

namespace trtcheck::reducing {

void Trial::begin(std::string_view finding) {
  edit::Pieces all;
  all.copy({0, origin_->file.size});
  auto first = std::make_unique<cure::State>(*origin_, std::move(all), check_);
  goal_ = finding.empty() ? Goal(*first) : Goal(*first, finding);
  stop_if_asked();
  if (judge_ && !judged(*first)) {
    stop_if_asked();
    throw Error(first->model().path(), "the command says no of the model itself: it must end with exit code 0 there");
  }
  become(std::move(first));
}

void Trial::become(std::unique_ptr<cure::State> state) {
  cutter_.reset();
  shapes_.reset();
  state_ = std::move(state);
}

const Shapes& Trial::shapes() {
  // Without a profile: it names inputs that may be gone.
  if (!shapes_) shapes_.emplace(infer(model(), symbolic_options(check_.target)));
  return *shapes_;
}

const Cutter& Trial::cutter() {
  if (!cutter_) cutter_.emplace(model(), shapes(), check_.limits);
  return *cutter_;
}

bool Trial::judged(const cure::State& state) const {
  const JudgeFolder folder;
  const std::string path = folder.path() + "/model.onnx";
  edit::put(state.model(), state.pieces(), {origin_->file, file_}, path, place_for(state.model()));
  return judge_(path);
}

bool Trial::attempt(edit::Pieces pieces, const std::string& goal_value, bool same_shapes) {
  stop_if_asked();
  ++steps_;
  Goal goal = *goal_;
  goal.rename_value(goal_value);
  std::unique_ptr<cure::State> next;
  try {
    next = std::make_unique<cure::State>(*origin_, std::move(pieces), check_);
    // Without a finding the judge alone knows what is an error.
    if (!goal.is_none() && goal.shown_in(*next) == nullptr) return false;
    if (same_shapes) {
      const Shapes after = infer(next->model(), symbolic_options(check_.target));
      if (cure::changed_value(model(), shapes(), next->model(), after)) return false;
    }
  } catch (const Error&) {
    // A file that cannot be read any more says nothing of the step.
    if (*origin_->has_failed) throw;
    return false;
  }
  if (judge_) {
    const bool is_shown = judged(*next);
    stop_if_asked();
    if (!is_shown) return false;
  }
  goal_ = std::move(goal);
  become(std::move(next));
  return true;
}

bool Trial::attempt(std::span<const edit::Edit> edits) {
  const auto pieces = made(edits);
  return pieces && attempt(*pieces, goal_->value());
}

bool Trial::attempt_with_same_shapes(std::span<const edit::Edit> edits) {
  const auto pieces = made(edits);
  return pieces && attempt(*pieces, goal_->value(), true);
}

std::optional<edit::Pieces> Trial::made(std::span<const edit::Edit> edits) const {
  try {
    return edit::edited(model(), edits).over(state_->pieces());
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool Trial::keep(std::span<const std::uint32_t> positions) {
  if (positions.empty()) return false;
  std::optional<std::vector<edit::Edit>> edits;
  try {
    edits = cutter().keep(positions);
  } catch (const Error&) {
    return false;
  }
  return edits && attempt(*edits);
}

void Trial::tidy() {
  std::vector<std::uint32_t> all(node_count());
  std::iota(all.begin(), all.end(), 0U);
  static_cast<void>(keep(all));
}

}  // namespace trtcheck::reducing
