// The table made at build time says what the schemas of the onnx library say.
#include <string>

#include <onnx/defs/operator_sets.h>
#include <onnx/defs/schema.h>
#include <catch2/catch.hpp>

#include "schema/facts.hpp"

namespace trtcheck::schema {
namespace {

TEST_CASE("facts hold from their version on, until the next one") {
  REQUIRE(schema_facts("", "Clip", 6) != nullptr);
  CHECK(schema_facts("", "Clip", 6)->since == 6);
  CHECK(schema_facts("", "Clip", 10)->max_inputs == 1);
  CHECK(schema_facts("", "Clip", 11)->max_inputs == 3);
  CHECK(schema_facts("", "Clip", 1000)->since == 13);
  CHECK(schema_facts("", "Gelu", 19) == nullptr);
  CHECK(schema_facts("", "Gelu", 20) != nullptr);
  CHECK(was_ever_known("", "Gelu"));
  CHECK_FALSE(was_ever_known("", "Foo"));
  CHECK_FALSE(was_ever_known("com.acme", "Conv"));
  CHECK(schema_facts("ai.onnx.ml", "LabelEncoder", 2) != nullptr);
}

TEST_CASE("arity, required attributes, types") {
  const SchemaFacts& concat = *schema_facts("", "Concat", 13);
  CHECK(concat.max_inputs == SchemaFacts::kUnbounded);
  REQUIRE(concat.attributes.size() == 1);
  CHECK(concat.attributes[0].name == "axis");
  CHECK(concat.attributes[0].required);
  CHECK(concat.attributes[0].type == AttributeType::int_);
  const SchemaFacts& resize = *schema_facts("", "Resize", 13);
  CHECK(resize.required_inputs == 1);
  CHECK(resize.inputs[1].optional);
  const SchemaFacts& conv = *schema_facts("", "Conv", 11);
  CHECK(conv.required_inputs == 3);
  CHECK((conv.inputs[0].types >> static_cast<int>(DataType::float16) & 1) == 1);
  CHECK((conv.inputs[0].types >> static_cast<int>(DataType::int8) & 1) == 0);
  CHECK(schema_facts("", "Upsample", 10)->deprecated);
}

TEST_CASE("outputs have the type of an input, or one of their own") {
  CHECK(schema_facts("", "Add", 14)->input_like_output(0) == 0);
  CHECK(schema_facts("", "Where", 16)->input_like_output(0) == 1);
  CHECK(schema_facts("", "OneHot", 11)->input_like_output(0) == 2);
  CHECK(schema_facts("", "QuantizeLinear", 21)->input_like_output(0) == 2);
  CHECK(schema_facts("", "DequantizeLinear", 21)->input_like_output(0) == 1);
  CHECK_FALSE(schema_facts("", "DequantizeLinear", 13)->input_like_output(0));  // FLOAT
  CHECK_FALSE(schema_facts("", "Cast", 13)->input_like_output(0));
  CHECK_FALSE(schema_facts("", "Equal", 13)->input_like_output(0));
  CHECK_FALSE(schema_facts("", "Loop", 16)->input_like_output(0));
  CHECK(schema_facts("", "TopK", 11)->input_like_output(0) == 0);
  CHECK_FALSE(schema_facts("", "TopK", 11)->input_like_output(1));
  CHECK_FALSE(schema_facts("", "Add", 14)->input_like_output(1));  // there is none
}

TEST_CASE("every schema has its row") {
  onnx::RegisterOnnxOperatorSetSchema();
  std::size_t count = 0;
  for (const onnx::OpSchema& schema : onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
    const SchemaFacts* facts = schema_facts(schema.domain(), schema.Name(), schema.SinceVersion());
    INFO(schema.domain() << " " << schema.Name() << " " << schema.SinceVersion());
    REQUIRE(facts != nullptr);
    CHECK(facts->since == schema.SinceVersion());
    CHECK(facts->min_inputs == static_cast<std::uint32_t>(schema.min_input()));
    CHECK(facts->deprecated == schema.Deprecated());
    CHECK(facts->attributes.size() == schema.attributes().size());
    CHECK(facts->output_like.size() == schema.outputs().size());
    ++count;
  }
  CHECK(count > 500);
}

}  // namespace
}  // namespace trtcheck::schema
