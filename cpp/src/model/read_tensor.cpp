#include <algorithm>

#include "model/fields.hpp"
#include "model/reader.hpp"
#include "model/unread.hpp"

namespace trtcheck {
namespace {

constexpr std::int32_t kExternal = 1;  // TensorProto.DataLocation
// Longer lists of varints are checked when somebody decodes them: checking means touching weights.
constexpr std::size_t kCheckedBytes = 4096;

void check_packed_varints(std::string_view packed) {
  if (packed.empty()) return;
  if ((static_cast<unsigned char>(packed.back()) & 0x80U) != 0) {
    throw wire::Malformed{packed.data() + packed.size(), "a packed list is cut off"};
  }
  if (packed.size() > kCheckedBytes) return;
  wire::Cursor c(packed);
  while (!c.done()) c.number();
}

void check_packed_fixed(std::string_view packed, std::size_t width) {
  if (packed.size() % width != 0) throw wire::Malformed{packed.data(), "a packed list is cut off"};
}

void read_ints(wire::Cursor& c, std::vector<std::int64_t>& into) {
  wire::Cursor packed(c.bytes());
  while (!packed.done()) into.push_back(packed.int64());
}

}  // namespace

StringPair Reader::read_pair(std::string_view text) {
  StringPair result;
  wire::Cursor c(text);
  while (c.next()) {
    switch (c.key()) {
      case wire::bytes(field::pair::key):
        result.key = c.bytes();
        break;
      case wire::bytes(field::pair::value):
        result.value = c.bytes();
        break;
      default:
        c.skip();
    }
  }
  return result;
}

OpsetImport Reader::read_opset_import(std::string_view text) {
  OpsetImport result;
  wire::Cursor c(text);
  while (c.next()) {
    switch (c.key()) {
      case wire::bytes(field::opset::domain):
        result.domain = c.bytes();
        break;
      case wire::varint(field::opset::version):
        result.version = c.int64();
        break;
      default:
        c.skip();
    }
  }
  if (result.domain == "ai.onnx") result.domain = {};
  return result;
}

TensorId Reader::read_tensor(const wire::Message& message) {
  namespace f = field::tensor;
  Tensor tensor;
  dims_.clear();
  pairs_scratch_.clear();
  bool has_raw = false;
  bool has_typed = false;
  std::int32_t location = 0;
  wire::each_field(message, [&](wire::Cursor& c) {
    switch (c.key()) {
      case wire::varint(f::dims):
        dims_.push_back(c.int64());
        break;
      case wire::bytes(f::dims):
        read_ints(c, dims_);
        break;
      case wire::varint(f::data_type):
        tensor.type = static_cast<DataType>(c.int32());
        break;
      case wire::bytes(f::name):
        tensor.name = c.bytes();
        break;
      case wire::bytes(f::raw_data): {
        const std::string_view raw = c.bytes();
        tensor.raw = {static_cast<std::uint64_t>(raw.data() - base_), raw.size()};
        has_raw = true;
        break;
      }
      case wire::bytes(f::external_data):
        pairs_scratch_.push_back(read_pair(c.bytes()));
        break;
      case wire::varint(f::data_location): {
        if (const std::int32_t number = c.int32(); number == 0 || number == kExternal) location = number;
        break;
      }
      case wire::bytes(f::float_data):
        check_packed_fixed(typed_list(c, has_typed), sizeof(float));
        break;
      case wire::bytes(f::double_data):
        check_packed_fixed(typed_list(c, has_typed), sizeof(double));
        break;
      case wire::bytes(f::int32_data):
      case wire::bytes(f::int64_data):
      case wire::bytes(f::uint64_data):
        check_packed_varints(typed_list(c, has_typed));
        break;
      case wire::varint(f::int32_data):
      case wire::varint(f::int64_data):
      case wire::varint(f::uint64_data):
      case wire::fixed32(f::float_data):
      case wire::fixed64(f::double_data):
      case wire::bytes(f::string_data):
        has_typed = true;
        c.skip();
        break;
      case wire::bytes(f::segment):
      case wire::bytes(f::metadata_props):
        check_unread(MessageKind::plain, c.bytes());
        break;
      default:
        c.skip();
    }
  });
  if (dims_.size() > limits_.rank) {
    throw wire::Malformed{
        message.part(0).data(),
        "a tensor has " + std::to_string(dims_.size()) + " dims, more than " + std::to_string(limits_.rank), true};
  }
  if (data_.tensors.size() >= limits_.tensors) {
    throw wire::Malformed{nullptr, "the model has more than " + std::to_string(limits_.tensors) + " tensors", true};
  }
  tensor.dims = data_.keep(dims_);
  tensor.external = data_.keep(pairs_scratch_);
  if (location == kExternal) {
    tensor.data = Tensor::Data::external;
  } else if (has_raw && (tensor.raw.length != 0 || !has_typed)) {
    tensor.data = Tensor::Data::raw;
  } else if (has_typed) {
    tensor.data = Tensor::Data::typed;
    const std::span<ByteRange> parts = data_.allocate<ByteRange>(message.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string_view part = message.part(i);
      parts[i] = {static_cast<std::uint64_t>(part.data() - base_), part.size()};
    }
    tensor.messages = parts;
  }
  data_.tensors.push_back(tensor);
  return TensorId{static_cast<std::uint32_t>(data_.tensors.size() - 1)};
}

std::string_view Reader::typed_list(wire::Cursor& c, bool& has_typed) {
  const std::string_view packed = c.bytes();
  has_typed = has_typed || !packed.empty();
  return packed;
}

TensorId Reader::read_sparse_tensor(const wire::Message& message) {
  namespace f = field::sparse_tensor;
  wire::Message values;
  wire::Message indices;
  std::vector<std::int64_t> dims;
  wire::each_field(message, [&](wire::Cursor& c) {
    switch (c.key()) {
      case wire::bytes(f::values):
        values.add(c.bytes());
        break;
      case wire::bytes(f::indices):
        indices.add(c.bytes());
        break;
      case wire::varint(f::dims):
        dims.push_back(c.int64());
        break;
      case wire::bytes(f::dims):
        read_ints(c, dims);
        break;
      default:
        c.skip();
    }
  });
  if (dims.size() > limits_.rank) {
    throw wire::Malformed{
        message.part(0).data(),
        "a sparse tensor has " + std::to_string(dims.size()) + " dims, more than " + std::to_string(limits_.rank),
        true};
  }
  if (indices.present()) {
    read_tensor(indices);  // for its errors only
    data_.tensors.pop_back();
  }
  const TensorId id = read_tensor(values);
  Tensor& tensor = data_.tensors[id.index];
  tensor.is_sparse = true;
  tensor.dims = data_.keep(dims);
  return id;
}

}  // namespace trtcheck
