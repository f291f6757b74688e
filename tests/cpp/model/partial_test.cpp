// Models of which some bytes were not fetched: their values are not available, and never zero.
#include <catch2/catch.hpp>

#include <onnx/onnx_pb.h>

#include "model/partial.hpp"
#include "model/tensor_values.hpp"
#include "support.hpp"

using namespace trtcheck;

namespace {

/// One initializer, whose payload starts where `payload` is found.
struct Remote {
  Remote(onnx::TensorProto tensor, std::string_view payload, std::size_t skip = 0,
         std::size_t length = std::string::npos)
      : bytes(serialize(std::move(tensor))),
        whole(read_model(test::as_bytes(bytes))),
        holes(bytes),
        partial(read_partial_model(test::as_bytes(holes), "s3://bucket/model.onnx", punch(payload, skip, length))) {}

  static std::string serialize(onnx::TensorProto tensor) {
    onnx::ModelProto proto;
    tensor.set_name("t");
    *proto.mutable_graph()->add_initializer() = std::move(tensor);
    return proto.SerializeAsString();
  }
  std::vector<ByteRange> punch(std::string_view payload, std::size_t skip, std::size_t length) {
    const std::size_t at = bytes.find(payload);
    REQUIRE(at != std::string::npos);
    length = std::min(length, payload.size() - skip);
    holes.replace(at + skip, length, length, '\0');
    return {{at + skip, length}};
  }

  std::string bytes;
  Model whole;
  std::string holes;
  Model partial;
};

onnx::TensorProto tensor_of(DataType type, std::int64_t count) {
  onnx::TensorProto tensor;
  tensor.set_data_type(static_cast<std::int32_t>(type));
  tensor.add_dims(count);
  return tensor;
}

constexpr TensorId kFirst{0};

}  // namespace

TEST_CASE("raw values of which a byte is missing are not available") {
  onnx::TensorProto tensor = tensor_of(DataType::int8, 8);
  tensor.set_raw_data("ABCDEFGH");
  for (const std::size_t skip : {std::size_t{0}, std::size_t{3}, std::size_t{7}}) {
    const Remote r(tensor, "ABCDEFGH", skip, 1);
    CHECK(decode_ints(r.whole, r.whole.tensor(kFirst), 100).has_value());
    CHECK_FALSE(decode_ints(r.partial, r.partial.tensor(kFirst), 100).has_value());
    CHECK_FALSE(decode_floats(r.partial, r.partial.tensor(kFirst), 100).has_value());
    CHECK(r.partial.tensor(kFirst).raw.length == 8);
  }
}

TEST_CASE("a tensor next to what is missing keeps its values") {
  onnx::ModelProto proto;
  for (const char* text : {"AAAAAAAA", "BBBBBBBB", "CCCCCCCC"}) {
    onnx::TensorProto* tensor = proto.mutable_graph()->add_initializer();
    *tensor = tensor_of(DataType::int8, 8);
    tensor->set_name(text);
    tensor->set_raw_data(text);
  }
  const std::string bytes = proto.SerializeAsString();
  const std::size_t second = bytes.rfind("BBBBBBBB");
  const Model model = read_partial_model(test::as_bytes(bytes), "x", {{second, 8}});
  CHECK(decode_ints(model, model.tensor(TensorId{0}), 100) == std::vector<std::int64_t>(8, 'A'));
  CHECK_FALSE(decode_ints(model, model.tensor(TensorId{1}), 100).has_value());
  CHECK(decode_ints(model, model.tensor(TensorId{2}), 100) == std::vector<std::int64_t>(8, 'C'));
  CHECK_FALSE(is_missing(model, {second - 1, 1}));
  CHECK(is_missing(model, {second - 1, 2}));
  CHECK(is_missing(model, {second + 7, 1}));
  CHECK_FALSE(is_missing(model, {second + 8, 1}));
  CHECK_FALSE(is_missing(model, {second, 0}));
}

TEST_CASE("packed lists of which a byte is missing are not available") {
  SECTION("floats: counted all the same") {
    onnx::TensorProto tensor = tensor_of(DataType::float32, 4);
    for (int i = 0; i < 4; ++i) tensor.add_float_data(0x1.010101p+1F);
    const std::string payload(reinterpret_cast<const char*>(tensor.float_data().data()), 16);
    const Remote r(tensor, payload, 4, 4);
    CHECK(decode_floats(r.whole, r.whole.tensor(kFirst), 100).has_value());
    CHECK_FALSE(decode_floats(r.partial, r.partial.tensor(kFirst), 100).has_value());
    CHECK(typed_element_count(r.partial, r.partial.tensor(kFirst)) == 4);
  }
  SECTION("integers: not even counted") {
    onnx::TensorProto tensor = tensor_of(DataType::int64, 4);
    for (int i = 0; i < 4; ++i) tensor.add_int64_data(0x41 + i);
    const Remote r(tensor, "ABCD", 1, 1);
    CHECK(typed_element_count(r.whole, r.whole.tensor(kFirst)) == 4);
    CHECK_FALSE(decode_ints(r.partial, r.partial.tensor(kFirst), 100).has_value());
    CHECK_FALSE(typed_element_count(r.partial, r.partial.tensor(kFirst)).has_value());
  }
  SECTION("another field of the same tensor does not matter") {
    onnx::TensorProto tensor = tensor_of(DataType::float32, 4);
    for (int i = 0; i < 4; ++i) tensor.add_float_data(1.5F);
    for (int i = 0; i < 4; ++i) tensor.add_double_data(0x1.3243F6A8885A3p+1);
    const std::string payload(reinterpret_cast<const char*>(tensor.double_data().data()), 32);
    const Remote r(tensor, payload);
    CHECK(decode_floats(r.partial, r.partial.tensor(kFirst), 100) == std::vector<double>(4, 1.5));
  }
}

TEST_CASE("strings of which a byte is missing are not available") {
  onnx::TensorProto tensor = tensor_of(DataType::string, 2);
  tensor.add_string_data("first");
  tensor.add_string_data("second");
  const Remote r(tensor, "second", 2, 1);
  CHECK(decode_strings(r.whole, r.whole.tensor(kFirst), 100).has_value());
  CHECK_FALSE(decode_strings(r.partial, r.partial.tensor(kFirst), 100).has_value());
}

TEST_CASE("a partial model has the path that it was given and no folder") {
  onnx::TensorProto tensor = tensor_of(DataType::int8, 8);
  tensor.set_raw_data("ABCDEFGH");
  const Remote r(tensor, "ABCDEFGH");
  CHECK(r.partial.path() == "s3://bucket/model.onnx");
  CHECK(r.partial.base_dir().empty());
}

TEST_CASE("ranges come in any order, may overlap, and lie in the file") {
  const std::string bytes = Remote::serialize(tensor_of(DataType::int8, 8)) + std::string("\x0a\x40", 2) +
                            std::string(64, 'x');  // ModelProto has no field 1 of this type
  const auto read = [&](std::vector<ByteRange> missing) {
    return read_partial_model(test::as_bytes(bytes), "x", std::move(missing));
  };
  const std::uint64_t size = bytes.size();
  const Model model = read({{size - 8, 8}, {size - 40, 20}, {size - 30, 4}, {size - 20, 0}});
  CHECK(is_missing(model, {size - 21, 1}));
  CHECK_FALSE(is_missing(model, {size - 20, 12}));
  CHECK(is_missing(model, {size - 40, 1}));
  CHECK_THROWS_WITH(read({{size, 1}}), Catch::Contains("outside of the file"));
  CHECK_THROWS_WITH(read({{2, ~std::uint64_t{0}}}), Catch::Contains("outside of the file"));
}
