#include "model/fields.hpp"
#include "model/reader.hpp"
#include "model/unread.hpp"

namespace trtcheck {

Reader::ValueInfo Reader::read_value_info_entry(std::string_view text) {
  namespace f = field::value_info;
  ValueInfo result;
  wire::Message type;
  wire::Cursor c(text);
  while (c.next()) {
    switch (c.key()) {
      case wire::bytes(f::name):
        result.name = c.bytes();
        break;
      case wire::bytes(f::type):
        type.add(c.bytes());
        break;
      case wire::bytes(f::metadata_props):
        check_unread(MessageKind::plain, c.bytes());
        break;
      default:
        c.skip();
    }
  }
  if (!type.present()) return result;
  const TypeId id = read_type(type, 0);
  if (data_.types[id.index].kind != Type::Kind::none) result.type = id;
  return result;
}

DeclaredDim Reader::read_dim(std::string_view text) {
  DeclaredDim result;
  wire::Cursor c(text);
  while (c.next()) {
    switch (c.key()) {
      case wire::varint(field::dim::value):
        result = {DeclaredDim::Kind::value, c.int64(), {}};
        break;
      case wire::bytes(field::dim::param):
        result = {DeclaredDim::Kind::param, 0, c.bytes()};
        break;
      default:
        c.skip();
    }
  }
  if (result.kind == DeclaredDim::Kind::param && result.param.empty()) return {};
  return result;
}

void Reader::read_shape(const wire::Message& message, Type& type) {
  type.has_shape = message.present();
  declared_dims_.clear();
  wire::each_field(message, [&](wire::Cursor& c) {
    if (c.key() != wire::bytes(field::shape::dim)) return c.skip();
    declared_dims_.push_back(read_dim(c.bytes()));
  });
  if (declared_dims_.size() > limits_.rank) {
    throw wire::Malformed{
        message.part(0).data(),
        "a type has " + std::to_string(declared_dims_.size()) + " dims, more than " + std::to_string(limits_.rank),
        true};
  }
  type.dims = data_.keep(declared_dims_);
}

namespace {

Type::Kind kind_of(std::uint32_t key) {
  namespace f = field::type;
  switch (key) {
    case wire::bytes(f::tensor_type):
      return Type::Kind::tensor;
    case wire::bytes(f::sparse_tensor_type):
      return Type::Kind::sparse_tensor;
    case wire::bytes(f::sequence_type):
      return Type::Kind::sequence;
    case wire::bytes(f::optional_type):
      return Type::Kind::optional;
    case wire::bytes(f::map_type):
      return Type::Kind::map;
    case wire::bytes(f::opaque_type):
      return Type::Kind::opaque;
    default:
      return Type::Kind::none;
  }
}

MessageKind content_of(Type::Kind kind) {
  switch (kind) {
    case Type::Kind::tensor:
    case Type::Kind::sparse_tensor:
      return MessageKind::tensor_type;
    case Type::Kind::sequence:
    case Type::Kind::optional:
      return MessageKind::list_type;
    case Type::Kind::map:
      return MessageKind::map_type;
    default:
      return MessageKind::plain;
  }
}

}  // namespace

TypeId Reader::read_type(const wire::Message& message, std::uint32_t depth) {
  if (depth > limits_.type_depth) {
    throw wire::Malformed{message.part(0).data(),
                          "types are nested more than " + std::to_string(limits_.type_depth) + " deep", true};
  }
  Type type;
  wire::Message content;  // of the kind that was set last
  wire::each_field(message, [&](wire::Cursor& c) {
    const Type::Kind kind = kind_of(c.key());
    if (kind == Type::Kind::none) return c.skip();
    if (kind != type.kind) {
      for (std::size_t i = 0; i < content.size(); ++i) check_unread(content_of(type.kind), content.part(i));
      content.clear();
    }
    type.kind = kind;
    content.add(c.bytes());
  });

  wire::Message shape;
  wire::Message inner;
  wire::each_field(content, [&](wire::Cursor& c) {
    const bool is_tensor = type.kind == Type::Kind::tensor || type.kind == Type::Kind::sparse_tensor;
    const bool is_map = type.kind == Type::Kind::map;
    const bool is_list = type.kind == Type::Kind::sequence || type.kind == Type::Kind::optional;
    static_assert(field::tensor_type::elem_type == field::map_type::key_type);
    if ((is_tensor || is_map) && c.key() == wire::varint(field::tensor_type::elem_type)) {
      type.element = static_cast<DataType>(c.int32());
    } else if (is_tensor && c.key() == wire::bytes(field::tensor_type::shape)) {
      shape.add(c.bytes());
    } else if ((is_list && c.key() == wire::bytes(field::sequence_type::elem_type)) ||
               (is_map && c.key() == wire::bytes(field::map_type::value_type))) {
      inner.add(c.bytes());
    } else {
      c.skip();
    }
  });
  read_shape(shape, type);
  if (inner.present()) type.inner = read_type(inner, depth + 1);
  data_.types.push_back(type);
  return TypeId{static_cast<std::uint32_t>(data_.types.size() - 1)};
}

}  // namespace trtcheck
