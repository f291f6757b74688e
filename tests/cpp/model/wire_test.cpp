// Semantics of the wire format, on messages of a few bytes.
#include <catch2/catch.hpp>

#include "support.hpp"
#include "wire_text.hpp"

using namespace trtcheck;
using namespace trtcheck::test;
using namespace std::string_literals;

namespace {

std::string refusal(const std::string& text, const Limits& limits = {}) {
  try {
    (void)read_model(as_bytes(text), {}, limits);
    return "read";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("of a scalar that occurs twice the last one counts") {
  const std::string text = varint(1, 3) + bytes(2, "old") + bytes(7, bytes(2, "g")) + bytes(2, "new") + varint(1, 8);
  const Model model = read_model(as_bytes(text));
  CHECK(model.ir_version() == 8);
  CHECK(model.producer_name() == "new");
}

TEST_CASE("a message that occurs twice is merged") {
  const std::string first = bytes(1, bytes(4, "A")) + bytes(2, "one");
  const std::string second = bytes(1, bytes(4, "B")) + bytes(2, "two");
  const std::string text = bytes(7, first) + bytes(7, second);
  const Model model = read_model(as_bytes(text));
  REQUIRE(model.node_count() == 2);
  CHECK(model.node(NodeId{1}).op_type == "B");
  CHECK(model.graph().name == "two");

  const std::string tensor =
      model_with_attribute(bytes(5, varint(1, 2) + varint(2, 7)) + bytes(5, varint(1, 3)) + varint(20, 4));
  const Model merged = read_model(as_bytes(tensor));
  const Tensor& t = merged.tensor(merged.node(NodeId{0}).attribute("a")->t());
  CHECK(std::vector<std::int64_t>(t.dims.begin(), t.dims.end()) == std::vector<std::int64_t>{2, 3});
  CHECK(t.type == DataType::int64);
}

TEST_CASE("repeated numbers count packed and unpacked") {
  const std::string text =
      model_with_attribute(varint(8, 1) + bytes(8, number(2) + number(300)) + varint(8, 4) + varint(20, 7));
  const Model model = read_model(as_bytes(text));
  const auto ints = model.node(NodeId{0}).attribute("a")->ints();
  CHECK(std::vector<std::int64_t>(ints.begin(), ints.end()) == std::vector<std::int64_t>{1, 2, 300, 4});
}

TEST_CASE("of a oneof the last one counts, and its occurrences are merged") {
  const auto dim = [](std::string_view d) { return bytes(1, varint(1, 1) + bytes(2, bytes(1, d))); };
  struct Row {
    std::string dim;
    DeclaredDim::Kind kind;
  };
  const Row rows[] = {
      {varint(1, 5) + bytes(2, "N"), DeclaredDim::Kind::param},
      {bytes(2, "N") + varint(1, 5), DeclaredDim::Kind::value},
      {varint(1, 0), DeclaredDim::Kind::value},
      {bytes(2, ""), DeclaredDim::Kind::unknown},
      {"", DeclaredDim::Kind::unknown},
  };
  for (const Row& row : rows) {
    const std::string text = model_with_type(dim(row.dim));
    const Model model = read_model(as_bytes(text));
    REQUIRE(model.value(ValueId{0}).declared);
    CHECK(model.type(model.value(ValueId{0}).declared).dims[0].kind == row.kind);
  }
  // tensor(float), then sequence, then tensor again without an element type: only the last one is left.
  const std::string text = model_with_type(bytes(1, varint(1, 1)) + bytes(4, "") + bytes(1, bytes(2, "")));
  const Model model = read_model(as_bytes(text));
  const Type& type = model.type(model.value(ValueId{0}).declared);
  CHECK(type.kind == Type::Kind::tensor);
  CHECK(type.element == DataType::undefined);
  CHECK(type.has_shape);
}

TEST_CASE("an attribute without a type has the type of its only content") {
  const std::string one = model_with_attribute(varint(3, 7));
  const Model of_one = read_model(as_bytes(one));
  CHECK(of_one.node(NodeId{0}).attribute("a")->i() == 7);
  const std::string two = model_with_attribute(varint(3, 7) + bytes(4, "s"));
  const Model of_two = read_model(as_bytes(two));
  CHECK(of_two.node(NodeId{0}).attribute("a")->type == AttributeType::undefined);
}

TEST_CASE("a known field with another wire type is an unknown field") {
  const std::string text = bytes(1, "not a version") + bytes(7, varint(2, 9));
  const Model model = read_model(as_bytes(text));
  CHECK(model.ir_version() == 0);
  CHECK(model.graph().name.empty());
}

TEST_CASE("malformed messages are refused with cause and place") {
  struct Row {
    std::string text;
    std::string error;
  };
  const Row rows[] = {
      {"", "is empty, not an ONNX model"},
      {varint(1, 8), "not an ONNX model: it has no graph"},
      {varint(1, 8) + "\x0b\x0c", "malformed ONNX model: a group, which ONNX does not use (at byte 2)"},
      {varint(1, 8) + "\x0e", "malformed ONNX model: a field has an unknown wire type (at byte 2)"},
      {varint(1, 8) + "\x02\x01x", "malformed ONNX model: a field has the number 0 (at byte 2)"},
      {varint(1, 8) + "\x80\x80\x80\x80\x80\x01",
       "malformed ONNX model: a field tag is longer than five bytes (at byte 2)"},
      {"\x08" + std::string(10, '\xff') + "\x01",
       "malformed ONNX model: a number is longer than ten bytes (at byte 1)"},
      {"\x08\xff", "malformed ONNX model: a number is cut off (at byte 1)"},
      {varint(1, 8) + "\x3a\x05" + "ab", "malformed ONNX model: a field is longer than what is left (at byte 3)"},
      {varint(1, 8) + "\x3a\x81\x80\x80\x80\x80\x00"s + "a",
       "malformed ONNX model: a length is longer than five bytes (at byte 3)"},
      {model_with_attribute("\x15\x00\x00"s), "malformed ONNX model: a number is cut off (at byte 16)"},
      {model_with_attribute(bytes(7, "abc")), "malformed ONNX model: a packed list is cut off (at byte 17)"},
      {model_of(bytes(5, bytes(4, "abc"))), "malformed ONNX model: a packed list is cut off (at byte 8)"},
      {model_of(bytes(5, bytes(7, "\x80"))), "malformed ONNX model: a packed list is cut off (at byte 9)"},
      // Parts that nobody reads.
      {varint(1, 8) + bytes(7, "") + bytes(20, bytes(1, bytes(1, "\x0a\x05"))),
       "malformed ONNX model: a field is longer than what is left (at byte 12)"},
      {model_with_attribute(varint(20, 2) + bytes(6, bytes(1, "\x0a\x05"))),
       "malformed ONNX model: a field is longer than what is left (at byte 23)"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(refusal(row.text) == row.error);
  }
}

TEST_CASE("limits") {
  const auto nested = [](int depth) {
    std::string graph;
    for (int i = 0; i < depth; ++i) graph = bytes(1, bytes(5, bytes(1, "body") + bytes(6, graph) + varint(20, 5)));
    return model_of(graph);
  };
  for (const int depth : {0, 1, 34, 35, 64}) {
    const std::string text = nested(depth);
    const Model model = read_model(as_bytes(text));
    CHECK(model.graph_depth() == static_cast<std::uint32_t>(depth));
    CHECK(model.graph_count() == static_cast<std::size_t>(depth) + 1);
    CHECK(model.graph(GraphId{static_cast<std::uint32_t>(depth)}).depth == static_cast<std::uint32_t>(depth));
  }
  CHECK(refusal(nested(65)).starts_with("not read: graphs are nested more than 64 deep"));
  CHECK(refusal(nested(20'000)).starts_with("not read: graphs are nested more than 64 deep"));
  CHECK(refusal(nested(3), {.graph_depth = 2}).starts_with("not read: graphs are nested more than 2 deep"));

  const auto sequence = [](int depth) {
    std::string type = bytes(1, varint(1, 1));
    for (int i = 0; i < depth; ++i) type = bytes(4, bytes(1, type));
    return model_with_type(type);
  };
  CHECK(refusal(sequence(32)) == "read");
  CHECK(refusal(sequence(33)).starts_with("not read: types are nested more than 32 deep"));

  const auto ranked = [](std::size_t rank) {
    return model_of(bytes(5, bytes(1, std::string(rank, '\x01')) + varint(2, 1)));
  };
  CHECK(refusal(ranked(1024)) == "read");
  CHECK(refusal(ranked(1025)).starts_with("not read: a tensor has 1025 dims, more than 1024"));
  std::string dims;
  for (int i = 0; i < 1025; ++i) dims += bytes(1, "");
  CHECK(
      refusal(model_with_type(bytes(1, bytes(2, dims)))).starts_with("not read: a type has 1025 dims, more than 1024"));

  std::string nodes;
  for (int i = 0; i < 10; ++i) nodes += bytes(1, "") + bytes(5, "");
  CHECK(refusal(model_of(nodes), {.nodes = 11}) == "read");
  CHECK(refusal(model_of(nodes), {.nodes = 10}) == "not read: the model has more than 10 nodes and graphs");
  CHECK(refusal(model_of(nodes), {.tensors = 9}) == "not read: the model has more than 9 tensors");
}

TEST_CASE("names that are not UTF-8, negative and overflowing dims are kept as they are") {
  const auto name = "\xff\xfe\x00x"s;
  const std::string text =
      model_of(bytes(1, bytes(1, name) + bytes(2, "y") + bytes(4, "Op")) + bytes(11, bytes(1, name)) +
               bytes(5, varint(1, static_cast<std::uint64_t>(-3)) + bytes(8, "neg") + varint(2, 1)) +
               bytes(5, varint(1, 1ULL << 62U) + varint(1, 4) + bytes(8, "big") + varint(2, 99)));
  const Model model = read_model(as_bytes(text));
  CHECK(model.value(ValueId{0}).name == name);
  CHECK(model.node(NodeId{0}).inputs[0] == ValueId{0});
  CHECK_FALSE(model.tensor(TensorId{0}).element_count());
  CHECK(model.tensor(TensorId{0}).dims[0] == -3);
  CHECK_FALSE(model.tensor(TensorId{1}).element_count());
  CHECK(to_string(model.tensor(TensorId{1}).type) == "UNDEFINED(99)");
}

TEST_CASE("a long chain of nodes") {
  std::string graph;
  constexpr int kCount = 200'000;
  for (int i = 0; i < kCount; ++i)
    graph += bytes(1, bytes(1, std::to_string(i)) + bytes(2, std::to_string(i + 1)) + bytes(4, "Op"));
  graph += bytes(11, bytes(1, "0"));
  const std::string text = model_of(graph);
  const Model model = read_model(as_bytes(text));
  CHECK(model.node_count() == kCount);
  CHECK(model.value_count() == kCount + 1);
  CHECK(model.defects().empty());
}
