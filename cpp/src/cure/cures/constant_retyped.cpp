// Constants of a type that TensorRT does not read: what a Cast or DequantizeLinear makes of them is stored instead;
// what nobody reads goes.
#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/elements.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::constant_retyped {
namespace {

bool remove_unread(Draft& draft, const Finding& finding) {
  for (const TensorId id : draft.model().graph().initializers) {
    if (draft.model().tensor(id).name != finding.value || finding.value.empty()) continue;
    for (std::uint32_t i = 0; i < draft.model().value_count(); ++i) {
      const Value& value = draft.model().value(ValueId{i});
      if (value.initializer != id) continue;
      if (!value.users.empty() || value.is_output || value.is_input) return false;
    }
    draft.add(edit::RemoveTensor{{}, finding.value});
    draft.title(fmt::format("remove `{}`, which nobody reads", finding.value));
    return true;
  }
  return false;
}

bool make(Draft& draft, const Finding& finding) {
  if (!draft.id()) return remove_unread(draft, finding);
  const bool is_known = is_onnx_op(draft, draft.id(), "Cast") || is_onnx_op(draft, draft.id(), "DequantizeLinear");
  const auto numbers = is_known ? draft.contents(draft.node().output(0)) : std::nullopt;
  if (!numbers) return false;
  draft.title(fmt::format("store `{}` as {}", draft.out(0), to_string(numbers->type)));
  store_output(draft, draft.id(), *numbers);
  for (const ValueId input : draft.node().inputs) drop_stored(draft, input);
  return true;
}

constexpr std::string_view kFindings[] = {"MDL312"};

}  // namespace

extern constinit const Cure cure{
    .name = "constant-retyped",
    .kind = CureClass::proven,
    .summary =
        "a constant of a type that TensorRT does not read is stored as it is after its Cast, or removed when unread",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::constant_retyped
