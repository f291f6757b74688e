#include "edit/declare.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <protozero/pbf_writer.hpp>

#include "edit/encode.hpp"
#include "model/fields.hpp"
#include "model/wire.hpp"

namespace trtcheck::edit {
namespace {

namespace f = field;

Pieces field_with(std::uint32_t number, std::string_view content) {
  Pieces pieces;
  pieces.add(content);
  return wrapped(number, pieces);
}

Pieces number_with(std::uint32_t number, std::uint64_t value) {
  Pieces pieces;
  std::string out;
  protozero::pbf_writer(out).add_uint64(number, value);
  pieces.add(out);
  return pieces;
}

/// What the field says, with protobuf's rule that the last one counts.
bool says(const Message& message, std::uint32_t field, std::int64_t value) {
  const auto last = message.last_field(wire::varint(field));
  return last && static_cast<std::int64_t>(message.number(*last)) == value;
}

void declare_dim(Message& dim, const DimValue& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  const auto* name = std::get_if<std::string>(&value);
  const bool has_number = dim.last_field(wire::varint(f::dim::value)).has_value();
  const bool has_name = dim.last_field(wire::bytes(f::dim::param)).has_value();
  if (number != nullptr && !has_name && says(dim, f::dim::value, *number)) return;
  if (name != nullptr && !has_number && has_name && dim.text(wire::bytes(f::dim::param)) == *name) return;
  // What an earlier edit put there goes too.
  dim.replace(f::dim::value,
              number == nullptr ? Pieces{} : number_with(f::dim::value, static_cast<std::uint64_t>(*number)));
  Pieces text;
  if (name != nullptr) text.add(text_field(f::dim::param, *name));
  dim.replace(f::dim::param, text);
}

/// The shape within the encoded type.
std::string encode_shape_of(const TypeValue& type) {
  const std::string whole = encode_type(type);
  Message read(whole, {ByteRange{0, whole.size()}});
  Message* tensor = read.open_single(wire::bytes(f::type::tensor_type));
  return std::string(tensor->text(wire::bytes(f::tensor_type::shape)));
}

/// The type of what holds values of a type.
std::string encode_holder(Holder holder, std::string_view held) {
  if (holder == Holder::sequence) {
    return text_field(f::type::sequence_type, text_field(f::sequence_type::elem_type, held));
  }
  if (holder == Holder::optional) {
    return text_field(f::type::optional_type, text_field(f::sequence_type::elem_type, held));
  }
  const DataType key = holder == Holder::map_by_string ? DataType::string : DataType::int64;
  return text_field(f::type::map_type, number_field(f::map_type::key_type, static_cast<std::uint32_t>(key)) +
                                           text_field(f::map_type::value_type, held));
}

void declare_dims(Message& tensor, const TypeValue& type) {
  if (!type.dims) return tensor.replace(f::tensor_type::shape, {});
  Message* shape = tensor.open_single(wire::bytes(f::tensor_type::shape));
  const std::vector<std::size_t> dims =
      shape == nullptr ? std::vector<std::size_t>{} : shape->fields(wire::bytes(f::shape::dim));
  if (shape == nullptr || dims.size() != type.dims->size()) {
    return tensor.replace(f::tensor_type::shape, field_with(f::tensor_type::shape, encode_shape_of(type)));
  }
  for (std::size_t axis = 0; axis < dims.size(); ++axis) declare_dim(shape->open(dims[axis]), (*type.dims)[axis]);
}

}  // namespace

std::string encode_declared(const Declaration& declaration) {
  std::string out = encode_type(declaration.type);
  for (auto holder = declaration.within.rbegin(); holder != declaration.within.rend(); ++holder) {
    out = encode_holder(*holder, out);
  }
  return out;
}

std::string encode_declaration(const Declaration& declaration) {
  return text_field(f::value_info::name, declaration.name) +
         text_field(f::value_info::type, encode_declared(declaration));
}

void declare(Message& value_info, const Declaration& declaration) {
  const TypeValue& type = declaration.type;
  Message* old = value_info.open_single(wire::bytes(f::value_info::type));
  Message* tensor = old == nullptr ? nullptr : old->open_single(wire::bytes(f::type::tensor_type));
  if (tensor == nullptr || !declaration.within.empty()) {
    return value_info.replace(f::value_info::type, field_with(f::value_info::type, encode_declared(declaration)));
  }
  const auto element = static_cast<std::int64_t>(type.type);
  if (!says(*tensor, f::tensor_type::elem_type, element)) {
    tensor->replace(f::tensor_type::elem_type,
                    number_with(f::tensor_type::elem_type, static_cast<std::uint64_t>(element)));
  }
  declare_dims(*tensor, type);
}

}  // namespace trtcheck::edit
