// A message that is repaired in its place is the repaired file, and weights are moved.
#include <catch2/catch.hpp>

#include <algorithm>

#include <google/protobuf/arena.h>

#include "messages.hpp"

using namespace trtcheck;
using test::as_bytes;
namespace fs = std::filesystem;

namespace {

/// As protobuf orders the fields.
std::string normal(const std::string& bytes) { return test::parsed(bytes).SerializeAsString(); }

/// Says that the model is made of these bytes, whatever stands in it.
struct Changed {
  std::string bytes;
  [[nodiscard]] std::string bytes_without(std::span<const ByteRange>, std::string_view) const { return bytes; }
};

}  // namespace

TEST_CASE("a message is repaired as its file is, and large weights stay where they are") {
  onnx::ModelProto message = test::repairable();
  const std::string bytes = message.SerializeAsString();
  const Fixed expected = fix(as_bytes(bytes), test::repairs());
  const char* const raw = test::weights(message, "w").raw_data().data();
  const FixedProto fixed = fix(message, test::repairs());
  REQUIRE(fixed.applied.size() == 1);
  CHECK(fixed.applied[0].cure == "argument-retyped");
  CHECK(message.SerializeAsString() == normal(expected.bytes()));
  CHECK(test::weights(message, "w").raw_data().data() == raw);
  CHECK(test::json(fixed.before) == test::json(expected.before()));
  CHECK(test::json(fixed.after) == test::json(expected.after()));
  CHECK(test::json(check(message, test::repairs().check)) == test::json(fixed.after));
  CHECK(fixed.left.size() == expected.left().size());
}

TEST_CASE("a message that needs no repair stays as it is") {
  onnx::ModelProto message = test::parsed(test::onnx_bytes("agraph (float[N,3] x) => (float[N,3] y) { y = Relu (x) }"));
  const onnx::GraphProto* const graph = &message.graph();
  CHECK(fix(message).applied.empty());
  CHECK(simplify(message).applied.empty());
  CHECK(&message.graph() == graph);
}

TEST_CASE("an error leaves the message as it was") {
  onnx::ModelProto message = test::repairable();
  const std::string before = message.SerializeAsString();
  FixOptions options;
  options.cures = {"no-cure"};
  CHECK_THROWS_AS(fix(message, options), Error);
  CHECK_THROWS_WITH(proto::take_over(message, proto::Written(message), Changed{"\x0a\xff"}),
                    "protobuf cannot read the changed model");
  CHECK(message.SerializeAsString() == before);
}

TEST_CASE("every example is repaired and simplified as its file is") {
  std::size_t repaired = 0;
  std::size_t simplified = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(TRTCHECK_SOURCE_DIR) / "examples/models")) {
    CAPTURE(entry.path());
    const std::string bytes = test::parsed(test::content(entry.path())).SerializeAsString();
    FixOptions options;
    options.check.target.release = parse_release("10.13");
    onnx::ModelProto message = test::parsed(bytes);
    repaired += fix(message, options).applied.empty() ? 0U : 1U;
    CHECK(message.SerializeAsString() == normal(fix(as_bytes(bytes), options).bytes()));

    message = test::parsed(bytes);
    const SimplifiedProto simple = simplify(message);
    const Simplified expected = simplify(as_bytes(bytes));
    simplified += simple.applied.empty() ? 0U : 1U;
    CHECK(simple.applied.size() == expected.applied().size());
    CHECK(simple.after.nodes == expected.after().nodes);
    CHECK(message.SerializeAsString() == normal(expected.bytes()));
  }
  CHECK(repaired >= 1);
  CHECK(simplified >= 1);
}

TEST_CASE("weights of bodies, functions and attributes come back") {
  onnx::ModelProto message = test::repairable();
  onnx::GraphProto& graph = *message.mutable_graph();
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type("If");
  node.add_input("c");
  node.add_output("o");
  graph.add_input()->CopyFrom(graph.input(0));
  graph.mutable_input(1)->set_name("c");
  graph.mutable_input(1)->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::BOOL);
  graph.mutable_input(1)->mutable_type()->mutable_tensor_type()->mutable_shape()->clear_dim();
  *graph.add_output() = graph.output(0);
  graph.mutable_output(1)->set_name("o");
  for (const char* branch : {"then_branch", "else_branch"}) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(branch);
    attribute.set_type(onnx::AttributeProto::GRAPH);
    onnx::GraphProto& body = *attribute.mutable_g();
    body.set_name(branch);
    test::add_weights(body, "inner", {300, 70});
    onnx::NodeProto& inner = *body.add_node();
    inner.set_op_type("MatMul");
    for (const char* name : {"x", "inner"}) inner.add_input(name);
    inner.add_output("made");
    body.add_output()->set_name("made");
    onnx::NodeProto& constant = *body.add_node();
    constant.set_op_type("Constant");
    constant.add_output(std::string("k_") + branch);
    onnx::AttributeProto& value = *constant.add_attribute();
    value.set_name("value");
    value.set_type(onnx::AttributeProto::TENSOR);
    onnx::GraphProto scratch;
    *value.mutable_t() = test::add_weights(scratch, "", {40, 50}, 2);
  }
  onnx::FunctionProto& function = *message.add_functions();
  function.set_name("unused");
  function.set_domain("local");
  onnx::NodeProto& in_function = *function.add_node();
  in_function.set_op_type("Constant");
  in_function.add_output("k");
  onnx::GraphProto scratch;
  onnx::AttributeProto& value = *in_function.add_attribute();
  value.set_name("value");
  value.set_type(onnx::AttributeProto::TENSOR);
  *value.mutable_t() = test::add_weights(scratch, "", {60, 50}, 3);

  const std::string bytes = message.SerializeAsString();
  proto::Weights counted(message, proto::Written(message));
  CHECK(counted.ranges().size() == 6);
  CHECK_FALSE(fix(message, test::repairs()).applied.empty());
  CHECK(message.SerializeAsString() == normal(fix(as_bytes(bytes), test::repairs()).bytes()));
}

TEST_CASE("a tensor that looks like a mark is not taken for one") {
  onnx::ModelProto message = test::repairable();
  for (const char* raw : {"\x01trtcheck0:0", "\x01trtcheck1:0", "\x01trtcheck", "\x01trtcheck0:x"}) {
    onnx::TensorProto& tensor = *message.mutable_graph()->add_initializer();
    tensor.set_name(std::string("t") + raw);
    tensor.set_data_type(onnx::TensorProto::UINT8);
    tensor.set_raw_data(raw);
    tensor.add_dims(static_cast<std::int64_t>(tensor.raw_data().size()));
    message.mutable_graph()->add_output()->set_name(tensor.name());
  }
  const std::string bytes = message.SerializeAsString();
  CHECK(proto::Weights(message, proto::Written(message)).mark() == "\x01trtcheck2:");
  CHECK_FALSE(fix(message, test::repairs()).applied.empty());
  CHECK(message.SerializeAsString() == normal(fix(as_bytes(bytes), test::repairs()).bytes()));
}

TEST_CASE("weights that two tensors share are copied for all but the last") {
  onnx::ModelProto message = test::repairable();
  const std::string raw = test::weights(message, "w").raw_data();
  const char* const place = test::weights(message, "w").raw_data().data();
  onnx::ModelProto made = message;
  *made.mutable_graph()->add_initializer() = test::weights(made, "w");
  made.mutable_graph()->mutable_initializer(2)->set_name("twin");
  const std::string expected = made.SerializeAsString();
  for (const char* name : {"w", "twin"}) test::weights(made, name).set_raw_data("\x01trtcheck0:0");
  proto::take_over(message, proto::Written(message), Changed{made.SerializeAsString()});
  CHECK(message.SerializeAsString() == expected);
  CHECK(test::weights(message, "twin").raw_data().data() == place);
  CHECK(test::weights(message, "w").raw_data() == raw);
}

TEST_CASE("a message on an arena keeps its weights where they are") {
  google::protobuf::Arena arena;
  auto* const message = google::protobuf::Arena::CreateMessage<onnx::ModelProto>(&arena);
  message->CopyFrom(test::repairable());
  const std::string bytes = message->SerializeAsString();
  const char* const raw = test::weights(*message, "w").raw_data().data();
  CHECK_FALSE(fix(*message, test::repairs()).applied.empty());
  CHECK(test::weights(*message, "w").raw_data().data() == raw);
  CHECK(message->SerializeAsString() == normal(fix(as_bytes(bytes), test::repairs()).bytes()));
}

TEST_CASE("fields that this onnx does not know are kept") {
  onnx::ModelProto message = test::repairable();
  const std::string bytes = message.SerializeAsString() + std::string("\xf2\x3f\x03new", 6);  // field 1022
  message = test::parsed(bytes);
  CHECK_FALSE(fix(message, test::repairs()).applied.empty());
  CHECK(message.SerializeAsString().find("\xf2\x3f\x03new") != std::string::npos);
}
