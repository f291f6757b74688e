#include "rules/numerics/narrowed.hpp"

#include <fmt/format.h>

#include "schema/kinds.hpp"

namespace trtcheck::rules {
namespace {

constexpr std::int64_t kSmall = 65'536;

/// undefined: no Cast to either.
DataType narrows_to(const Node& node) {
  const auto to = node.op_type == "Cast" ? static_cast<DataType>(int_attribute(node, "to", 0)) : DataType::undefined;
  return to == DataType::float16 || to == DataType::bfloat16 ? to : DataType::undefined;
}

NodeId first_reader(const RuleContext& context, ValueId value) {
  const auto uses = readers_of(context.model(), value);
  return uses.empty() ? NodeId{} : uses.front().node;
}

}  // namespace

Reader reader_of(const RuleContext& context, const StoredTensor& stored) {
  NodeId reader = stored.node;
  if (reader && !stored.value) reader = first_reader(context, context.model().node(reader).output(0));  // in a Constant
  const DataType to = reader ? narrows_to(context.model().node(reader)) : DataType::undefined;
  if (to == DataType::undefined) return {reader, false, to};
  return {first_reader(context, context.model().node(reader).output(0)), true, to};
}

std::vector<Narrowed> narrowed_tensors(const RuleContext& context) {
  const bool half = context.target().asks_for(Precision::fp16);
  const bool all = half || context.target().asks_for(Precision::bf16);
  std::vector<Narrowed> found;
  for (const StoredTensor& stored : context.view().stored()) {
    const Tensor& tensor = context.model().tensor(stored.id);
    if (tensor.type != DataType::float32) continue;
    Narrowed narrowed{.stored = stored, .scan = {}, .reader = {}};
    const auto [reader, by_cast, cast_to] = reader_of(context, stored);
    narrowed.by_cast = by_cast;
    narrowed.to = by_cast ? cast_to : half ? DataType::float16 : DataType::bfloat16;
    if (!reader || !(all || (narrowed.by_cast && tensor.element_count().value_or(kSmall) < kSmall))) continue;
    narrowed.reader = context.model().node(reader).op_type;
    if (is_a(narrowed.reader, kinds::constants_stay_float)) continue;
    const auto& scan = context.view().tensors.in_half(stored.id);
    if (!scan) continue;
    narrowed.scan = *scan;
    if (scan->elements == 1) {
      const auto value = context.view().tensors.floats(stored.id, 1);
      narrowed.value = value ? value->front() : 0;
    }
    narrowed.stored.node = reader;
    found.push_back(narrowed);
  }
  return found;
}

std::string shown(const RuleContext& context, const Narrowed& narrowed) {
  const std::string name = narrowed.stored.value ? fmt::format(" `{}`", context.name(narrowed.stored.value)) : "";
  if (narrowed.scan.elements == 1) return fmt::format("constant{} ({:.4g})", name, narrowed.value);
  return fmt::format("weights{}", name);
}

}  // namespace trtcheck::rules
