// The parts of a message are the bytes that protobuf writes, and long texts are not copied.
#include <catch2/catch.hpp>

#include <cstring>
#include <random>

#include "messages.hpp"

using namespace trtcheck;
using test::as_bytes;

namespace {

std::string all_of(const Parts& parts) {
  std::string made(static_cast<std::size_t>(parts.size()), '\0');
  parts.read(0, std::as_writable_bytes(std::span(made)));
  return made;
}

}  // namespace

TEST_CASE("parts joined are what protobuf writes") {
  const unsigned seed = GENERATE(1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U);
  CAPTURE(seed);
  std::mt19937 random(seed);
  // Around a window, a block, and what protobuf copies without asking.
  constexpr std::size_t kSizes[] = {0,    1,    15,   16,   127,   128,   1007,  1008,
                                    1023, 1024, 1025, 4096, 65535, 65536, 65537, 200'000};
  onnx::ModelProto message;
  for (int i = 0; i < 60; ++i) {
    onnx::TensorProto& tensor = *message.mutable_graph()->add_initializer();
    tensor.set_name(std::string(random() % 40, 'n'));
    tensor.set_raw_data(std::string(kSizes[random() % std::size(kSizes)], static_cast<char>('a' + i % 26)));
    for (std::size_t k = random() % 300; k > 0; --k) tensor.add_float_data(0.5F);
    if (random() % 3 == 0) tensor.set_doc_string(std::string(kSizes[random() % std::size(kSizes)], 'd'));
    onnx::NodeProto& node = *message.mutable_graph()->add_node();
    node.add_input(std::string(random() % 3000, 'i'));
    *node.add_attribute()->mutable_g() = onnx::GraphProto();
  }
  const proto::Written written(message);
  CHECK(all_of(written.parts()) == message.SerializeAsString());
  for (const onnx::TensorProto& tensor : message.graph().initializer()) {
    const auto offset = written.offset_of(tensor.raw_data());
    if (tensor.raw_data().size() > 1024) REQUIRE(offset);
    if (!offset) continue;
    std::string read(tensor.raw_data().size(), '\0');
    written.parts().read(*offset, std::as_writable_bytes(std::span(read)));
    CHECK(read == tensor.raw_data());
  }
}

TEST_CASE("an empty message has no parts") {
  const onnx::ModelProto message;
  CHECK(proto::Written(message).parts().size() == 0);
  CHECK_THROWS_WITH(check(message), "is empty, not an ONNX model");
}

TEST_CASE("a message without a graph is no model") {
  onnx::ModelProto message;
  message.set_ir_version(10);
  CHECK_THROWS_WITH(check(message), Catch::Contains("it has no graph"));
}

TEST_CASE("weights are read in the message: what is changed there is seen") {
  onnx::ModelProto message = test::repairable();
  const proto::Written written(message);
  onnx::TensorProto& tensor = test::weights(message, "w");
  char* const raw = tensor.mutable_raw_data()->data();
  raw[4000] = 'X';
  std::string seen(1, ' ');
  written.parts().read(*written.offset_of(tensor.raw_data()) + 4000, std::as_writable_bytes(std::span(seen)));
  CHECK(seen == "X");
}
