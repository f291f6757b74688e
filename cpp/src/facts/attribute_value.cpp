#include "facts/attribute_value.hpp"

#include "target/network_types.hpp"

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

}  // namespace trtcheck::facts
