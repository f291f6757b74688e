// A graph output whose declared element type is missing, or is another one than what is computed: a Cast to the
// declared type where no number changes, else the declaration of what is computed.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/declarations.hpp"
#include "cure/cures/elements.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::output_declared {
namespace {

/// What a Cast of each number of `from` to the type promises; nothing: the numbers would be other ones.
std::optional<CureClass> cast_class(DataType from, DataType to) {
  const bool is_half = to == DataType::float16 || to == DataType::bfloat16;
  const bool is_real = is_half || to == DataType::float32 || to == DataType::float64;
  if (from == DataType::boolean)
    return is_real || to == DataType::int32 || to == DataType::int64 ? std::optional(CureClass::proven) : std::nullopt;
  if (from == DataType::int32 && to == DataType::int64) return CureClass::proven;
  const bool was_integer = from == DataType::int32 || from == DataType::int64;
  const bool was_half = from == DataType::float16 || from == DataType::bfloat16;
  if (was_half && (to == DataType::float32 || to == DataType::float64)) return CureClass::proven;
  if (is_real && (was_integer || was_half || from == DataType::float32)) return CureClass::rounding;
  return std::nullopt;
}

ValueId output_of(const Draft& draft, const Finding& finding) {
  for (const ValueId id : draft.model().graph().outputs) {
    if (draft.model().value(id).name == finding.value) return id;
  }
  return {};
}

/// The output becomes a Cast of what was computed; who read it goes on reading that.
void cast_output(Draft& draft, ValueId id, DataType to) {
  const Value& value = draft.model().value(id);
  const std::string name(value.name);
  const std::string inner = draft.fresh(name);
  draft.set_output(value.output, inner);
  for (const Use& use : value.users) draft.set_input_of(use.node, use.input, inner);
  draft.after();
  cast_to(draft, name, inner, to);
  draft.title(fmt::format("cast `{}` to {}, which is declared", name, to_string(to)));
}

/// TensorRT makes INT32 of constants in UINT8, but a Cast from FLOAT makes UINT8.
bool cast_bytes(Draft& draft, ValueId id) {
  const auto bytes = stored(draft, id);
  const auto numbers = bytes ? converted(*bytes, DataType::float32) : std::nullopt;
  if (!numbers) return draft.refuse("it is chosen among constants of UINT8 while the model runs");
  const std::string made = draft.constant(numbers->constant);
  cast_to(draft, name_of(draft, id), made, DataType::uint8);
  draft.remove();
  draft.promises(CureClass::proven);
  draft.title(fmt::format("store `{}` as FLOAT, and cast it to UINT8", name_of(draft, id)));
  return true;
}

bool make(Draft& draft, const Finding& finding) {
  const ValueId id = output_of(draft, finding);
  const auto computed = draft.type(id);
  if (!id || !computed || draft.shapes()[id].type_assumed) return draft.refuse("the computed type is not known");
  const Value& value = draft.model().value(id);
  const Type& type = draft.model().type(value.declared);
  if (type.kind != Type::Kind::tensor && type.kind != Type::Kind::none) return false;
  const bool is_alone = draft.id() && draft.node().outputs.size() == 1;
  if (type.element == *computed) return *computed == DataType::uint8 && is_alone && cast_bytes(draft, id);
  const auto promise = cast_class(*computed, type.element);
  if (type.element != DataType::undefined && promise && draft.id()) {
    draft.promises(*promise);
    cast_output(draft, id, type.element);
    return true;
  }
  draft.add(edit::DeclareType{{}, name_of(draft, id), declaration(draft, id, *computed)});
  draft.promises(type.element == DataType::undefined ? CureClass::proven : CureClass::interface);
  draft.title(fmt::format("declare `{}` as {}, which is computed", value.name, to_string(*computed)));
  return true;
}

constexpr std::string_view kFindings[] = {"MDL321"};

}  // namespace

extern constinit const Cure cure{
    .name = "output-declared",
    .kind = CureClass::interface,
    .summary = "an output is cast to the type that it is declared with, or declared as what is computed",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::output_declared
