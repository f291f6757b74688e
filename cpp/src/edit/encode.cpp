#include "edit/encode.hpp"

#include <protozero/pbf_writer.hpp>

#include "model/fields.hpp"

namespace trtcheck::edit {
namespace {

namespace f = field;
using Writer = protozero::pbf_writer;

constexpr int number_of(AttributeType type) { return static_cast<int>(type); }

/// Writes the field that holds the value, and says which type that is.
struct WriteValue {
  Writer& writer;
  AttributeType operator()(float number) const {
    writer.add_float(f::attribute::f, number);
    return AttributeType::float_;
  }
  AttributeType operator()(std::int64_t number) const {
    writer.add_int64(f::attribute::i, number);
    return AttributeType::int_;
  }
  AttributeType operator()(const std::string& text) const {
    writer.add_bytes(f::attribute::s, text);
    return AttributeType::string;
  }
  AttributeType operator()(const std::vector<float>& numbers) const {
    for (const float number : numbers) writer.add_float(f::attribute::floats, number);
    return AttributeType::floats;
  }
  AttributeType operator()(const std::vector<std::int64_t>& numbers) const {
    for (const std::int64_t number : numbers) writer.add_int64(f::attribute::ints, number);
    return AttributeType::ints;
  }
  AttributeType operator()(const std::vector<std::string>& texts) const {
    for (const std::string& text : texts) writer.add_bytes(f::attribute::strings, text);
    return AttributeType::strings;
  }
  AttributeType operator()(const TensorValue& tensor) const {
    writer.add_message(f::attribute::t, encode_tensor({}, tensor));
    return AttributeType::tensor;
  }
};

std::string encode_dim(const DimValue& dim) {
  std::string out;
  Writer writer(out);
  if (const auto* number = std::get_if<std::int64_t>(&dim)) writer.add_int64(f::dim::value, *number);
  if (const auto* name = std::get_if<std::string>(&dim)) writer.add_bytes(f::dim::param, *name);
  return out;
}

}  // namespace

std::string encode_attribute(const AttributeValue& attribute) {
  std::string out;
  Writer writer(out);
  writer.add_bytes(f::attribute::name, attribute.name);
  const AttributeType type = std::visit(WriteValue{writer}, attribute.value);
  writer.add_enum(f::attribute::type, number_of(type));
  return out;
}

std::string encode_tensor(std::string_view name, const TensorValue& tensor) {
  std::string out;
  Writer writer(out);
  // Not packed: as onnx's own writer has them.
  for (const std::int64_t dim : tensor.dims) writer.add_int64(f::tensor::dims, dim);
  writer.add_enum(f::tensor::data_type, static_cast<std::int32_t>(tensor.type));
  if (!name.empty()) writer.add_bytes(f::tensor::name, name.data(), name.size());
  writer.add_bytes(f::tensor::raw_data, tensor.bytes);
  return out;
}

std::string encode_type(const TypeValue& type) {
  std::string tensor;
  Writer writer(tensor);
  writer.add_enum(f::tensor_type::elem_type, static_cast<std::int32_t>(type.type));
  if (type.dims) {
    std::string shape;
    for (const DimValue& dim : *type.dims) Writer(shape).add_message(f::shape::dim, encode_dim(dim));
    writer.add_message(f::tensor_type::shape, shape);
  }
  std::string out;
  Writer(out).add_message(f::type::tensor_type, tensor);
  return out;
}

std::string encode_value_info(std::string_view name, const TypeValue& type) {
  std::string out;
  Writer writer(out);
  writer.add_bytes(f::value_info::name, name.data(), name.size());
  writer.add_message(f::value_info::type, encode_type(type));
  return out;
}

std::string encode_opset(std::string_view domain, std::int64_t version) {
  std::string out;
  Writer writer(out);
  writer.add_bytes(f::opset::domain, domain.data(), domain.size());
  writer.add_int64(f::opset::version, version);
  return out;
}

std::string encode_pair(std::string_view key, std::string_view value) {
  std::string out;
  Writer writer(out);
  writer.add_bytes(f::pair::key, key.data(), key.size());
  writer.add_bytes(f::pair::value, value.data(), value.size());
  return out;
}

std::string text_field(std::uint32_t field, std::string_view text) {
  std::string out;
  Writer(out).add_bytes(field, text.data(), text.size());
  return out;
}

std::string number_field(std::uint32_t field, std::uint32_t number) {
  std::string out;
  Writer(out).add_uint32(field, number);
  return out;
}

std::string text_fields(std::uint32_t field, const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += text_field(field, text);
  return out;
}

}  // namespace trtcheck::edit
