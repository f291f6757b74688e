// Elements of constant tensors: every element type, raw and typed, packed and not.
#include <catch2/catch.hpp>

#include <onnx/onnx_pb.h>

#include <cmath>
#include <limits>

#include "model/tensor_values.hpp"
#include "support.hpp"

using namespace trtcheck;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Loaded {
  explicit Loaded(const onnx::TensorProto& tensor)
      : bytes(serialize(tensor)), model(read_model(test::as_bytes(bytes))) {}
  static std::string serialize(const onnx::TensorProto& tensor) {
    onnx::ModelProto proto;
    *proto.mutable_graph()->add_initializer() = tensor;
    // Raw data starts at an odd place, as it does in files.
    proto.set_producer_name("x");
    return proto.SerializeAsString();
  }
  [[nodiscard]] const Tensor& tensor() const { return model.tensor(TensorId{0}); }
  std::string bytes;
  Model model;
};

onnx::TensorProto make(DataType type, const std::vector<std::int64_t>& dims) {
  onnx::TensorProto tensor;
  tensor.set_name("t");
  tensor.set_data_type(static_cast<std::int32_t>(type));
  for (const std::int64_t dim : dims) tensor.add_dims(dim);
  return tensor;
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace

TEST_CASE("raw data of every numeric type") {
  using std::string_literals::operator""s;
  struct Row {
    DataType type;
    std::string raw;
    std::vector<double> values;
  };
  const Row rows[] = {
      {DataType::float32, "\0\0\x80\x3f\0\0\0\xc0"s, {1, -2}},
      {DataType::float64, "\0\0\0\0\0\0\xf8\x3f"s, {1.5}},
      {DataType::float16, "\x00\x3c\x00\x7c\x01\x00\x00\xc0"s, {1, kInf, 0x1p-24, -2}},
      {DataType::bfloat16, "\x80\x3f\xc0\x7f"s, {1, kNan}},
      {DataType::float8e4m3fn, "\x38\x7e\x7f\x01\xb8"s, {1, 448, kNan, 0x1p-9, -1}},
      {DataType::float8e4m3fnuz, "\x40\x7f\x80\x01"s, {1, 240, kNan, 0x1p-10}},
      {DataType::float8e5m2, "\x3c\x7b\x7c\xfc\x7d\x01"s, {1, 57344, kInf, -kInf, kNan, 0x1p-16}},
      {DataType::float8e5m2fnuz, "\x40\x7f\x80\x01"s, {1, 57344, kNan, 0x1p-17}},
      {DataType::float8e8m0, "\x7f\x80\x00\xff"s, {1, 2, 0x1p-127, kNan}},
      {DataType::float4e2m1, "\x21\x97\x0f"s, {0.5, 1, 6, -0.5, -6}},
      {DataType::float6e2m3, "\x08\xf0\x07"s, {1, 0, -7.5, 0.125}},
      {DataType::int8, "\xff\x7f"s, {-1, 127}},
      {DataType::uint8, "\xff\x7f"s, {255, 127}},
      {DataType::int16, "\xfe\xff"s, {-2}},
      {DataType::uint16, "\xfe\xff"s, {65534}},
      {DataType::int32, "\xfd\xff\xff\xff"s, {-3}},
      {DataType::uint32, "\xff\xff\xff\xff"s, {4294967295.0}},
      {DataType::int64, "\xfc\xff\xff\xff\xff\xff\xff\xff"s, {-4}},
      {DataType::uint64, "\xff\xff\xff\xff\xff\xff\xff\xff"s, {0x1p64}},
      {DataType::boolean, "\x00\x01\x02"s, {0, 1, 1}},
      {DataType::int4, "\xf1\x08"s, {1, -1, -8}},
      {DataType::uint4, "\xf1\x08"s, {1, 15, 8}},
      {DataType::int2, "\xe4\x03"s, {0, 1, -2, -1, -1}},
      {DataType::uint2, "\xe4\x03"s, {0, 1, 2, 3, 3}},
  };
  for (const Row& row : rows) {
    INFO(to_string(row.type));
    onnx::TensorProto proto = make(row.type, {static_cast<std::int64_t>(row.values.size())});
    proto.set_raw_data(row.raw);
    const Loaded loaded(proto);
    CHECK(loaded.tensor().data == Tensor::Data::raw);
    const auto values = decode_floats(loaded.model, loaded.tensor(), 100);
    REQUIRE(values);
    CHECK(same(*values, row.values));
    const auto ints = decode_ints(loaded.model, loaded.tensor(), 100);
    const std::string name = to_string(row.type);
    const bool is_float = name.find("FLOAT") != std::string::npos || name == "DOUBLE";
    CHECK(ints.has_value() == (!is_float && row.type != DataType::uint64));
    if (ints) CHECK(std::vector<double>(ints->begin(), ints->end()) == row.values);

    CHECK_FALSE(decode_floats(loaded.model, loaded.tensor(), static_cast<std::int64_t>(row.values.size()) - 1));
    proto.set_raw_data(row.raw + "x");
    const Loaded too_long(proto);
    CHECK_FALSE(decode_floats(too_long.model, too_long.tensor(), 100));
  }
}

TEST_CASE("typed data") {
  using Numbers = std::vector<std::int32_t>;
  struct Row {
    DataType type;
    Numbers int32_data;
    std::vector<double> values;
  };
  const Row rows[] = {
      {DataType::int32, {-1, 7}, {-1, 7}},
      {DataType::int8, {-1, 127}, {-1, 127}},
      {DataType::uint8, {255}, {255}},
      {DataType::int16, {-300}, {-300}},
      {DataType::uint16, {65535}, {65535}},
      {DataType::boolean, {0, 1}, {0, 1}},
      {DataType::float16, {0x3c00, 0xc000}, {1, -2}},
      {DataType::bfloat16, {0x3f80, 0xc000}, {1, -2}},
      {DataType::float8e4m3fn, {0x38}, {1}},
      {DataType::int4, {0xf1, 0x08}, {1, -1, -8}},
      {DataType::uint4, {0xf1, 0x08}, {1, 15, 8}},
      {DataType::float4e2m1, {0x21}, {0.5, 1}},
      {DataType::uint2, {0xe4, 0x03}, {0, 1, 2, 3, 3}},
      {DataType::float6e2m3, {0x08, 0x1f}, {1, 7.5}},
  };
  for (const Row& row : rows) {
    INFO(to_string(row.type));
    onnx::TensorProto proto = make(row.type, {static_cast<std::int64_t>(row.values.size())});
    for (const std::int32_t number : row.int32_data) proto.add_int32_data(number);
    const Loaded loaded(proto);
    CHECK(loaded.tensor().data == Tensor::Data::typed);
    const auto values = decode_floats(loaded.model, loaded.tensor(), 100);
    REQUIRE(values);
    CHECK(same(*values, row.values));
    proto.add_int32_data(0);
    const Loaded too_long(proto);
    CHECK_FALSE(decode_floats(too_long.model, too_long.tensor(), 100));
  }

  onnx::TensorProto ints = make(DataType::int64, {2});
  ints.add_int64_data(-5);
  ints.add_int64_data(std::numeric_limits<std::int64_t>::max());
  const Loaded loaded_ints(ints);
  CHECK(decode_ints(loaded_ints.model, loaded_ints.tensor(), 2) ==
        std::vector<std::int64_t>{-5, std::numeric_limits<std::int64_t>::max()});

  onnx::TensorProto doubles = make(DataType::float64, {2});
  doubles.add_double_data(0.25);
  doubles.add_double_data(-1);
  const Loaded loaded_doubles(doubles);
  CHECK(decode_floats(loaded_doubles.model, loaded_doubles.tensor(), 2) == std::vector<double>{0.25, -1});

  onnx::TensorProto unsigned32 = make(DataType::uint32, {1});
  unsigned32.add_uint64_data(4000000000U);
  const Loaded loaded_unsigned(unsigned32);
  CHECK(decode_ints(loaded_unsigned.model, loaded_unsigned.tensor(), 1) == std::vector<std::int64_t>{4000000000});

  onnx::TensorProto strings = make(DataType::string, {2});
  strings.add_string_data("a");
  strings.add_string_data("");
  const Loaded loaded_strings(strings);
  CHECK(decode_strings(loaded_strings.model, loaded_strings.tensor(), 2) == std::vector<std::string_view>{"a", ""});
  CHECK_FALSE(decode_ints(loaded_strings.model, loaded_strings.tensor(), 2));

  onnx::TensorProto complex = make(DataType::complex64, {2});
  for (int i = 0; i < 4; ++i) complex.add_float_data(1);
  const Loaded loaded_complex(complex);
  CHECK(typed_element_count(loaded_complex.model, loaded_complex.tensor()) == 2);
  CHECK_FALSE(decode_floats(loaded_complex.model, loaded_complex.tensor(), 2));
}

TEST_CASE("what cannot be decoded") {
  onnx::TensorProto empty = make(DataType::int64, {0, 3});
  const Loaded no_elements(empty);
  CHECK(decode_ints(no_elements.model, no_elements.tensor(), 0) == std::vector<std::int64_t>{});
  const Loaded no_data(make(DataType::int64, {3}));
  CHECK_FALSE(decode_ints(no_data.model, no_data.tensor(), 9));
  onnx::TensorProto negative = make(DataType::int64, {-1});
  negative.set_raw_data(std::string(8, '\0'));
  const Loaded negative_dim(negative);
  CHECK_FALSE(decode_ints(negative_dim.model, negative_dim.tensor(), 9));
  const std::int64_t huge = std::int64_t{1} << 32;
  const Loaded overflow(make(DataType::int8, {huge, huge}));
  CHECK_FALSE(overflow.tensor().element_count());
  CHECK_FALSE(decode_ints(overflow.model, overflow.tensor(), std::numeric_limits<std::int64_t>::max()));
  onnx::TensorProto large = make(DataType::int2, {std::numeric_limits<std::int64_t>::max()});
  large.set_raw_data("x");
  const Loaded large_count(large);
  CHECK_FALSE(decode_ints(large_count.model, large_count.tensor(), std::numeric_limits<std::int64_t>::max()));
  onnx::TensorProto external = make(DataType::int64, {1});
  external.set_data_location(onnx::TensorProto::EXTERNAL);
  const Loaded outside(external);
  CHECK(outside.tensor().data == Tensor::Data::external);
  CHECK_FALSE(decode_ints(outside.model, outside.tensor(), 9));
}
