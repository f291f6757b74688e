// A message that is annotated in its place is the annotated file.
#include <catch2/catch.hpp>

#include "messages.hpp"

using namespace trtcheck;
using test::as_bytes;

TEST_CASE("a message is annotated as its file is, and weights stay where they are") {
  onnx::ModelProto message = test::repairable();
  const std::string bytes = message.SerializeAsString();
  const Annotated expected = annotate(as_bytes(bytes));
  const char* const raw = test::weights(message, "w").raw_data().data();
  const AnnotatedProto annotated = annotate(message);
  CHECK(annotated.added == 2);  // y and i
  CHECK(annotated.added == expected.added());
  CHECK(annotated.refined == expected.refined());
  CHECK(annotated.unknown.empty());
  CHECK(annotated.contradictions.empty());
  CHECK(annotated.impossible.empty());
  CHECK(message.SerializeAsString() == test::parsed(expected.bytes()).SerializeAsString());
  CHECK(test::weights(message, "w").raw_data().data() == raw);
  REQUIRE(message.graph().value_info_size() == 2);
  const onnx::TensorShapeProto& shape = message.graph().value_info(0).type().tensor_type().shape();
  REQUIRE(shape.dim_size() == 2);
  CHECK(shape.dim(0).dim_param() == "N");
  CHECK(shape.dim(1).dim_value() == 400);

  // Once more: nothing is left to do.
  const std::string once = message.SerializeAsString();
  CHECK(annotate(message).added == 0);
  CHECK(message.SerializeAsString() == once);
}

TEST_CASE("what a message declares otherwise stays, and is reported") {
  onnx::ModelProto message = test::repairable();
  annotate(message);
  message.mutable_graph()
      ->mutable_value_info(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->mutable_dim(1)
      ->set_dim_value(399);
  const std::string before = message.SerializeAsString();
  const AnnotatedProto annotated = annotate(message);
  REQUIRE(annotated.contradictions.size() == 1);
  CHECK(annotated.contradictions[0].value == "y");
  CHECK(message.SerializeAsString() == before);
}
