// An axis that the release does not reach: it is swapped with the last one, and swapped back.
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/writer.hpp"

namespace trtcheck::cure::axis_moved {
namespace {

bool make(Draft& draft, const Finding& /*finding*/) {
  const std::optional<std::size_t> rank = draft.rank(draft.node().input(0));
  if (!rank) return draft.refuse("the rank is not known");
  const bool is_arg = draft.node().op_type.starts_with("Arg");
  const std::optional<std::size_t> axis = plain_axis(draft.int_attribute("axis", is_arg ? 0 : -1), *rank);
  if (!axis || *axis + 1 == *rank) return false;
  const auto last = static_cast<std::int64_t>(*rank) - 1;
  Writer::Ints swapped(*rank);
  std::iota(swapped.begin(), swapped.end(), 0);
  std::swap(swapped[*axis], swapped[*rank - 1]);
  Writer w(draft);
  Draft::Inputs inputs = {w.transpose(draft.in(0), swapped)};
  for (std::size_t i = 1; i < draft.node().inputs.size(); ++i) inputs.push_back(draft.in(i));
  const bool keeps = !is_arg || draft.int_attribute("keepdims", 1) != 0;
  std::vector<std::string> made;
  for (std::size_t i = 0; i < draft.node().outputs.size(); ++i) {
    made.push_back(draft.node().output(i) ? draft.fresh(fmt::format("{}/moved", draft.out(i))) : "");
  }
  Draft::Attributes attributes = {{"axis", last}};
  // The axis has to be there to go back.
  if (!keeps) attributes.push_back({"keepdims", std::int64_t{1}});
  draft.again(inputs, made, attributes);
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (made[i].empty()) continue;
    const std::string back = w.transpose(made[i], swapped);
    draft.becomes(i, keeps ? back : w.squeeze(back, {static_cast<std::int64_t>(*axis)}));
  }
  draft.remove();
  draft.title(fmt::format("swap axis {} with the last one, and swap it back", *axis));
  return true;
}

constexpr std::string_view kOps[] = {"ArgMax", "ArgMin", "TopK", "Hardmax"};
constexpr std::string_view kFindings[] = {"OPS401:axis-before-last-four", "OPS414:axis-before-last-four-documented",
                                          "OPS401:hardmax-axis", "OPS401:topk-axis-before-last-four",
                                          "OPS414:topk-axis-before-last-four-documented"};

}  // namespace

extern constinit const Cure cure{
    .name = "axis-moved",
    .kind = CureClass::proven,
    .summary = "an axis that the release does not reach is swapped with the last one",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::axis_moved
