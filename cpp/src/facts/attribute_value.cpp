#include "facts/attribute_value.hpp"

#include <fmt/core.h>

#include "target/network_types.hpp"
#include "view/qdq_view.hpp"

namespace trtcheck::facts {

Value attribute_value(const ModelView& view, const Attribute& given) {
  if (!given.ref_attr_name.empty()) return {};
  switch (given.type) {
    case AttributeType::int_:
      return of(view.dims().literal(given.i()));
    case AttributeType::float_:
      return of(static_cast<double>(given.f()));
    case AttributeType::string:
      return of(given.s());
    case AttributeType::ints:
      return listed(given.ints(), [&](std::int64_t item) { return view.dims().literal(item); });
    case AttributeType::floats:
      return listed(given.floats(), [](float item) { return static_cast<double>(item); });
    case AttributeType::strings:
      return listed(given.strings());
    case AttributeType::tensor:
      // The type of a tensor; its contents are no business of a condition.
      return of(view.model.tensor(given.t()).type);
    default:
      return {};
  }
}

Value network_type_named(const ModelView& view, const Value& named) {
  DataType type = named.type;
  if (named.kind == Value::Kind::number && named.number.is_literal()) {
    const std::int64_t number = named.number.value();
    if (number < 1 || number > static_cast<std::int64_t>(DataType::float4e2m1) + 3) return {};
    type = static_cast<DataType>(number);
  } else if (named.kind != Value::Kind::type) {
    return {};
  }
  return of(network_type_name(type, view.release));
}

std::string_view type_of_codes(const ModelView& view, ValueId value) {
  const std::optional<Dequantized> found = dequantized(view, value);
  return found ? network_type_name(found->code, view.release) : std::string_view();
}

std::optional<std::string> text_of_name(Op op, const NodeView& node) {
  const ModelView& view = node.view();
  switch (op) {
    case Op::node_name:
      return view.model.node_label(node.id());
    case Op::release_name:
      return view.release.name();
    case Op::gpu_name: {
      const ComputeCapability gpu = view.target.compute_capability.value_or(ComputeCapability{});
      return fmt::format("{}.{}", gpu.major_version, gpu.minor_version);
    }
    default:
      return std::nullopt;
  }
}

}  // namespace trtcheck::facts
