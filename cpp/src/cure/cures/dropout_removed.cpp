// Dropout in training mode, or with a mask of a constant: as inference needs it.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::dropout_removed {
namespace {

std::vector<std::string> first_inputs(const Draft& draft, std::size_t count) {
  std::vector<std::string> inputs;
  for (std::size_t i = 0; i < std::min(count, draft.node().inputs.size()); ++i) inputs.push_back(draft.in(i));
  while (!inputs.empty() && inputs.back().empty()) inputs.pop_back();
  return inputs;
}

/// Nothing is dropped where the ratio is 0.
bool drops_nothing(Draft& draft) {
  if (!draft.node().input(1)) return false;
  const auto ratio = draft.contents(draft.node().input(1));
  return ratio && !ratio->bytes.empty() &&
         std::ranges::all_of(ratio->bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

bool is_off(Draft& draft) {
  if (!draft.node().input(2)) return true;
  const auto mode = draft.contents(draft.node().input(2));
  return mode && std::ranges::all_of(mode->bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

/// Each entry of a constant is kept: the mask is all true.
bool write_mask(Draft& draft) {
  const auto sizes = draft.sizes(draft.node().input(0));
  if (!sizes || !is_off(draft)) return false;
  std::int64_t count = 1;
  for (const std::int64_t size : *sizes) count *= size;
  constexpr std::int64_t kMost = std::int64_t{1} << 20;
  if (count > kMost) return draft.refuse("the mask would be a large constant");
  edit::TensorValue mask{
      .type = DataType::boolean, .dims = *sizes, .bytes = std::string(static_cast<std::size_t>(count), 1)};
  draft.op_to({draft.out(0)}, "Identity", {draft.in(0)});
  if (!draft.out(1).empty()) draft.op_to({draft.out(1)}, "Constant", {}, {{"value", std::move(mask)}});
  draft.remove();
  draft.title("leave Dropout of a constant out");
  return true;
}

bool make(Draft& draft, const Finding& finding) {
  if (finding.fact == "dropout-mask-of-constant") return write_mask(draft);
  if (finding.fact == "dropout-is-test") {
    draft.promises(CureClass::choice);
    draft.set_attribute("is_test", std::int64_t{1});
    draft.title("switch training mode off: nothing is dropped");
    return true;
  }
  if (!is_off(draft) && !drops_nothing(draft)) draft.promises(CureClass::choice);
  draft.title("switch training mode off: nothing is dropped");
  draft.add(edit::SetInputs{draft.place(), first_inputs(draft, 2)});
  return true;
}

constexpr std::string_view kOps[] = {"Dropout"};
constexpr std::string_view kFindings[] = {"OPS401:dropout-is-test", "OPS401:dropout-mask-of-constant",
                                          "OPS401:dropout-training-mode",

                                          "OPS401:dropout-training-mode-initializer"};

}  // namespace

extern constinit const Cure cure{
    .name = "dropout-removed",
    .kind = CureClass::proven,
    .summary = "Dropout is written as inference needs it: it drops nothing",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::dropout_removed
