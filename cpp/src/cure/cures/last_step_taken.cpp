// A recurrent layer of which only the last state is read.
#include <cstddef>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::last_step_taken {
namespace {

constexpr std::size_t kLengths = 4;
// From there on Gather counts from the end.
constexpr std::int64_t kNegativeIndices = 11;

bool make(Draft& draft, const Finding& /*finding*/) {
  const Node& node = draft.node();
  if (node.outputs.size() < 2 || !draft.is_read(node.outputs[1])) return draft.refuse("its last state is not read");
  if (node.outputs.size() > 2 && draft.is_read(node.outputs[2]))
    return draft.refuse(fmt::format("`{}` is read, too", draft.out(2)));
  if (node.input(kLengths)) return draft.refuse("sequences may end before the last step");
  if (draft.int_attribute("layout", 0) != 0) return draft.refuse("batches come first");
  if (draft.opset() < kNegativeIndices) return draft.refuse("Gather of this opset does not count from the end");
  const std::string direction = draft.text_attribute("direction", "forward");
  const std::string steps = node.output(0) ? draft.out(0) : draft.fresh("steps");
  const std::string state = draft.out(1);
  draft.add(edit::SetOutputs{draft.place(), {steps}});
  draft.after();
  const auto step = [&](std::int64_t at) { return draft.int_constant(at, at == 0 ? "first" : "last"); };
  if (direction == "bidirectional") {
    const auto of_direction = [&](std::int64_t at, std::int64_t which) {
      const std::string both = draft.op("Gather", {steps, step(at)}, {{"axis", std::int64_t{0}}});
      return draft.op("Gather", {both, draft.ints_constant({which}, "direction")}, {{"axis", std::int64_t{0}}});
    };
    const std::string forward = of_direction(-1, 0);
    const std::string backward = of_direction(0, 1);
    draft.op_to({state}, "Concat", {forward, backward}, {{"axis", std::int64_t{0}}});
  } else {
    draft.op_to({state}, "Gather", {steps, step(direction == "reverse" ? 0 : -1)}, {{"axis", std::int64_t{0}}});
  }
  draft.title(fmt::format("take `{}` from the results for each step", state));
  return true;
}

constexpr std::string_view kFindings[] = {"OPS401:rnn-sequence-unread"};

}  // namespace

extern constinit const Cure cure{
    .name = "last-step-taken",
    .kind = CureClass::proven,
    .summary = "the last state of GRU, LSTM or RNN is taken from the results for each step",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::last_step_taken
