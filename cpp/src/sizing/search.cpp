#include "sizing/search.hpp"

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sizing/asked.hpp"
#include "sizing/trier.hpp"

namespace trtcheck::sizing {
namespace {

// Questions have two ways or three; a model with more than a few of them says too little.
constexpr std::size_t kMostTrials = 256;

/// The one way to read the model that is left.
class Search {
 public:
  explicit Search(const Subject& subject) : subject_(&subject) {}

  BestTrial best() && {
    Decisions decisions;
    for (std::size_t count = 0; count < kMostTrials; ++count) {
      Trial trial = tried(*subject_, decisions);
      const std::vector<Trial::Question> questions = trial.questions;
      keep(std::move(trial), decisions);
      if (!advance(decisions, questions)) return {chosen(), alike_ > 1};
    }
    refuse_axis("too much of the model can be read in several ways");
  }

 private:
  void keep(Trial trial, const Decisions& decisions) {
    if (!trial.against.empty()) {
      if (why_not_.empty()) why_not_ = trial.against;
      return;
    }
    if (best_ && trial.mixed > best_->mixed) return;
    if (best_ && trial.mixed == best_->mixed) {
      ++alike_;
      if (outputs_of(trial) != outputs_of(*best_)) refuse_both_ = question_of(trial, decisions);
      return;
    }
    best_decisions_ = decisions;
    best_.emplace(std::move(trial));
    alike_ = 1;
    refuse_both_.clear();
  }
  [[nodiscard]] std::string outputs_of(const Trial& trial) const {
    std::string text;
    for (const ValueId output : subject_->model->graph().outputs) text += trial.shapes.text(output) + ";";
    return text;
  }
  [[nodiscard]] std::string question_of(const Trial& trial, const Decisions& decisions) const {
    for (const Trial::Question& question : trial.questions) {
      const auto way = decisions.find(question.key);
      const auto other = best_decisions_.find(question.key);
      const std::size_t a = way == decisions.end() ? 0 : way->second;
      const std::size_t b = other == best_decisions_.end() ? 0 : other->second;
      if (a != b) return fmt::format("{}: {}", label(*subject_->model, question.node), question.key);
    }
    return "an output";
  }
  /// The next combination; false after the last one.
  static bool advance(Decisions& decisions, const std::vector<Trial::Question>& questions) {
    Decisions next;
    for (const Trial::Question& question : questions) {
      const auto known = decisions.find(question.key);
      next[question.key] = known == decisions.end() ? 0 : known->second;
    }
    for (auto question = questions.rbegin(); question != questions.rend(); ++question) {
      if (++next[question->key] < question->ways) {
        decisions = std::move(next);
        return true;
      }
      next.erase(question->key);
    }
    return false;
  }
  Trial chosen() {
    if (!best_) refuse_axis(why_not_);
    if (!refuse_both_.empty()) {
      refuse_axis(
          fmt::format("{}: this can be read in two ways, and the outputs would have different sizes", refuse_both_));
    }
    return std::move(*best_);
  }

  const Subject* subject_;
  std::optional<Trial> best_;
  Decisions best_decisions_;
  std::size_t alike_ = 0;
  std::string why_not_;
  std::string refuse_both_;
};

}  // namespace

BestTrial best_trial(const Subject& subject) { return Search(subject).best(); }

}  // namespace trtcheck::sizing
