#include "schema/protos.hpp"

#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "model/external_files.hpp"
#include "model/partial.hpp"

namespace trtcheck::schema {

namespace {

// Data that an inference function may ask for: sizes, axes, scales. Weights never go through here.
constexpr std::uint64_t kMaxBytes = 65536;

std::string name_of(std::int64_t index) { return "d" + std::to_string(index); }

onnx::TensorProto head_of(const Tensor& tensor) {
  onnx::TensorProto proto;
  proto.set_data_type(static_cast<std::int32_t>(tensor.type));
  for (const std::int64_t dim : tensor.dims) proto.add_dims(dim);
  return proto;
}

std::optional<onnx::TensorProto> tensor_proto(const Model& model, TensorId id) {
  const Tensor& tensor = model.tensor(id);
  const auto* bytes = reinterpret_cast<const char*>(model.bytes().data());
  onnx::TensorProto proto;
  if (tensor.data == Tensor::Data::raw) {
    if (tensor.raw.length > kMaxBytes || is_missing(model, tensor.raw)) return std::nullopt;
    proto = head_of(tensor);
    proto.set_raw_data(bytes + tensor.raw.offset, tensor.raw.length);
    return proto;
  }
  if (tensor.data == Tensor::Data::external) {
    if (bytes_needed(tensor).value_or(kMaxBytes + 1) > kMaxBytes) return std::nullopt;
    std::optional<std::string> content = external_bytes(model, tensor);
    if (!content) return std::nullopt;
    proto = head_of(tensor);
    proto.set_raw_data(std::move(*content));
    return proto;
  }
  if (tensor.data != Tensor::Data::typed || tensor.is_sparse) return std::nullopt;
  std::string whole;
  for (const ByteRange& range : tensor.messages) {
    if (range.length > kMaxBytes - whole.size() || is_missing(model, range)) return std::nullopt;
    whole.append(bytes + range.offset, range.length);
  }
  if (!proto.ParseFromString(whole)) return std::nullopt;
  return proto;
}

void set_dim(onnx::TensorShapeProto::Dimension& out, const CarriedDim& dim) {
  if (dim.kind == CarriedDim::Kind::literal) out.set_dim_value(dim.value);
  if (dim.kind == CarriedDim::Kind::name) out.set_dim_param(name_of(dim.value));
}

CarriedDim carried_dim(const onnx::TensorShapeProto::Dimension& dim) {
  if (dim.has_dim_value()) return {CarriedDim::Kind::literal, dim.dim_value()};
  const std::string& name = dim.dim_param();
  CarriedDim out;
  if (name.size() < 2 || name.front() != 'd') return out;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), out.value);
  if (error == std::errc() && end == name.data() + name.size()) out.kind = CarriedDim::Kind::name;
  return out;
}

}  // namespace

onnx::AttributeProto to_proto(const Model& model, const Attribute& attribute) {
  onnx::AttributeProto proto;
  proto.set_name(std::string(attribute.name));
  proto.set_type(static_cast<onnx::AttributeProto::AttributeType>(attribute.type));
  switch (attribute.type) {
    case AttributeType::float_:
      proto.set_f(attribute.f());
      break;
    case AttributeType::int_:
      proto.set_i(attribute.i());
      break;
    case AttributeType::string:
      proto.set_s(std::string(attribute.s()));
      break;
    case AttributeType::floats:
      for (const float value : attribute.floats()) proto.add_floats(value);
      break;
    case AttributeType::ints:
      for (const std::int64_t value : attribute.ints()) proto.add_ints(value);
      break;
    case AttributeType::strings:
      for (const std::string_view value : attribute.strings()) proto.add_strings(std::string(value));
      break;
    case AttributeType::tensor:
      if (attribute.t()) {
        if (auto tensor = tensor_proto(model, attribute.t())) *proto.mutable_t() = std::move(*tensor);
      }
      break;
    default:
      break;
  }
  return proto;
}

onnx::TypeProto type_proto(const CarriedValue& value) {
  onnx::TypeProto proto;
  if (value.kind == CarriedValue::Kind::absent) return proto;
  onnx::TypeProto* tensor =
      value.kind == CarriedValue::Kind::sequence ? proto.mutable_sequence_type()->mutable_elem_type() : &proto;
  tensor->mutable_tensor_type()->set_elem_type(static_cast<std::int32_t>(value.type));
  if (value.has_rank) *tensor->mutable_tensor_type()->mutable_shape() = shape_proto(value.dims);
  return proto;
}

onnx::TensorShapeProto shape_proto(std::span<const CarriedDim> dims) {
  onnx::TensorShapeProto proto;
  for (const CarriedDim& dim : dims) set_dim(*proto.add_dim(), dim);
  return proto;
}

std::optional<onnx::TensorProto> data_proto(const Model& model, const CarriedValue& value) {
  if (value.constant) return tensor_proto(model, value.constant);
  const bool is_index = value.type == DataType::int64 || value.type == DataType::int32;
  if (!value.has_contents || !value.has_rank || !is_index) return std::nullopt;
  onnx::TensorProto proto;
  proto.set_data_type(static_cast<std::int32_t>(value.type));
  for (const CarriedDim& dim : value.dims) proto.add_dims(dim.value);
  for (const CarriedDim& element : value.contents) {
    if (element.kind != CarriedDim::Kind::literal) return std::nullopt;
    if (value.type == DataType::int64) {
      proto.add_int64_data(element.value);
    } else {
      proto.add_int32_data(static_cast<std::int32_t>(element.value));
    }
  }
  return proto;
}

CarriedValue carried(const onnx::TypeProto& type) {
  CarriedValue out;
  const bool is_sequence = type.has_sequence_type() && type.sequence_type().elem_type().has_tensor_type();
  if (!is_sequence && !type.has_tensor_type()) return out;
  out.kind = is_sequence ? CarriedValue::Kind::sequence : CarriedValue::Kind::tensor;
  const auto& tensor = is_sequence ? type.sequence_type().elem_type().tensor_type() : type.tensor_type();
  out.type = DataType{tensor.elem_type()};
  out.has_rank = !is_sequence && tensor.has_shape();
  if (!out.has_rank) return out;
  for (const auto& dim : tensor.shape().dim()) out.dims.push_back(carried_dim(dim));
  return out;
}

}  // namespace trtcheck::schema
