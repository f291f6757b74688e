// Clip with a limit that is infinite: the same without it.
#include <cmath>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/writer.hpp"
#include "cure/numbers.hpp"

namespace trtcheck::cure::clip_limit_dropped {
namespace {

/// An infinite number; a finite one is a limit all the same.
bool is_infinite(Draft& draft, std::size_t input) {
  if (!draft.node().input(input)) return false;
  const std::optional<Constant> constant = draft.contents(draft.node().input(input));
  if (!constant) return false;
  const std::optional<std::vector<double>> numbers = real_numbers(*constant);
  return numbers && numbers->size() == 1 && std::isinf(numbers->front()) && (numbers->front() < 0) == (input == 1);
}

bool make(Draft& draft, const Finding& /*finding*/) {
  draft.title("leave out the infinite limit");
  if (draft.node().inputs.size() < 2) {
    if (std::isinf(draft.float_attribute("min", 0))) draft.drop_attribute("min");
    if (std::isinf(draft.float_attribute("max", 0))) draft.drop_attribute("max");
    return true;
  }
  const std::string low = is_infinite(draft, 1) ? "" : draft.in(1);
  const std::string high = is_infinite(draft, 2) ? "" : draft.in(2);
  if (low == draft.in(1) && high == draft.in(2)) return false;
  Draft::Inputs inputs = {draft.in(0), low, high};
  while (inputs.back().empty()) inputs.pop_back();
  draft.add(edit::SetInputs{draft.place(), std::move(inputs)});
  return true;
}

constexpr std::string_view kOps[] = {"Clip"};
constexpr std::string_view kFindings[] = {"OPS401:clip-limit-infinite"};

}  // namespace

extern constinit const Cure cure{
    .name = "clip-limit-dropped",
    .kind = CureClass::proven,
    .summary = "an infinite limit of Clip is left out",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::clip_limit_dropped
