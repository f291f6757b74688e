// A model whose bytes lie in several places reads as one that lies in one.
#include <catch2/catch.hpp>

#include <onnx/onnx_pb.h>

#include <random>

#include <trtcheck/parts.hpp>

#include "model/weight_parts.hpp"
#include "support.hpp"

using namespace trtcheck;

namespace {

/// Cut at random; some parts are empty.
Parts cut(const std::string& bytes, unsigned seed) {
  std::mt19937 random(seed);
  Parts parts;
  const std::span<const std::byte> all = test::as_bytes(bytes);
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t count = std::min<std::size_t>(random() % (all.size() / 8 + 2), all.size() - at);
    parts.add(all.subspan(at, count));
    at += count;
  }
  return parts;
}

std::string large_model() {
  onnx::ModelProto message;
  message.ParseFromString(test::onnx_bytes("agraph (float[N,300] x) => (float[N,2000] y) { y = MatMul (x, w) }"));
  onnx::TensorProto& tensor = *message.mutable_graph()->add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(onnx::TensorProto::UINT8);
  for (const int dim : {300, 4000}) tensor.add_dims(dim);
  std::string& raw = *tensor.mutable_raw_data();
  for (int i = 0; i < 300 * 4000; ++i) raw += static_cast<char>(i % 251);
  return message.SerializeAsString();
}

}  // namespace

TEST_CASE("parts are read across their borders") {
  const unsigned seed = GENERATE(1U, 2U, 3U, 4U);
  CAPTURE(seed);
  std::string bytes(5'000, ' ');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7 % 256);
  const Parts parts = cut(bytes, seed);
  REQUIRE(parts.size() == bytes.size());
  std::mt19937 random(seed);
  for (int i = 0; i < 200; ++i) {
    const std::size_t offset = random() % bytes.size();
    std::string read(random() % (bytes.size() - offset + 1), '\0');
    parts.read(offset, std::as_writable_bytes(std::span(read)));
    REQUIRE(read == bytes.substr(offset, read.size()));
  }
  parts.read(bytes.size(), {});
}

TEST_CASE("a model in parts is the model") {
  const std::string bytes = large_model();
  const unsigned seed = GENERATE(1U, 2U, 3U);
  CAPTURE(seed);
  Model model = read_model(cut(bytes, seed), "", {});  // the list of parts is gone by now, the bytes are not
  CHECK(model.path().empty());
  CHECK(model.node_count() == 1);
  CHECK(model.value_count() == 3);
  const Model moved = std::move(model);
  const Tensor& weights = moved.tensor(TensorId{0});
  CHECK(weights.name == "w");
  std::string seen;
  REQUIRE(each_part(moved, weights, [&](std::span<const std::byte> part) {
    seen.append(reinterpret_cast<const char*>(part.data()), part.size());
  }));
  CHECK(seen == bytes.substr(weights.raw.offset, weights.raw.length));
  const auto at_once = all_bytes(moved, weights);
  REQUIRE(at_once);
  CHECK(at_once->size() == seen.size());
}

TEST_CASE("parts that are no model are an error with its place") {
  CHECK_THROWS_WITH(read_model(Parts()), "is empty, not an ONNX model");
  std::string bytes = large_model();
  bytes.resize(bytes.size() - 1);
  try {
    const Model model = read_model(cut(bytes, 1));
    FAIL("it was read");
  } catch (const Error& error) {
    CHECK(error.path().empty());
    CHECK(error.offset());
  }
}
