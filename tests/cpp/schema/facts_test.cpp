// The table says what the schemas of the onnx library say.
#include <algorithm>
#include <string>

#include <onnx/defs/data_type_utils.h>
#include <onnx/defs/operator_sets.h>
#include <onnx/defs/operator_sets_ml.h>
#include <onnx/defs/operator_sets_preview.h>
#include <onnx/defs/operator_sets_training.h>
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

TypeMask mask_of(const onnx::OpSchema::FormalParameter& input) {
  TypeMask mask = 0;
  for (const auto* type : input.GetTypes()) {
    const onnx::TypeProto& proto = onnx::Utils::DataTypeUtils::ToTypeProto(type);
    if (proto.has_tensor_type()) mask |= TypeMask{1} << proto.tensor_type().elem_type();
  }
  return mask;
}

std::uint8_t output_like_of(const onnx::OpSchema& schema, std::size_t output) {
  const auto& made = schema.outputs()[output];
  if (!made.GetIsHomogeneous() || !schema.typeConstraintMap().contains(made.GetTypeStr())) return InputFacts::kUnlike;
  for (std::size_t i = 0; i < schema.inputs().size(); ++i) {
    const auto& input = schema.inputs()[i];
    if (input.GetIsHomogeneous() && input.GetTypeStr() == made.GetTypeStr()) return static_cast<std::uint8_t>(i);
  }
  return InputFacts::kUnlike;
}

std::uint8_t like_of(const onnx::OpSchema& schema, std::size_t input) {
  const auto& inputs = schema.inputs();
  if (!inputs[input].GetIsHomogeneous()) return InputFacts::kUnlike;
  for (std::size_t i = 0; i < input; ++i) {
    if (inputs[i].GetIsHomogeneous() && inputs[i].GetTypeStr() == inputs[input].GetTypeStr()) {
      return static_cast<std::uint8_t>(i);
    }
  }
  return static_cast<std::uint8_t>(input);
}

void check_inputs(const SchemaFacts& facts, const onnx::OpSchema& schema) {
  REQUIRE(facts.inputs.size() == schema.inputs().size());
  for (std::size_t i = 0; i < facts.inputs.size(); ++i) {
    const InputFacts& input = facts.inputs[i];
    const auto& expected = schema.inputs()[i];
    INFO("input " << i);
    CHECK(input.name == expected.GetName());
    CHECK(input.optional == (expected.GetOption() == onnx::OpSchema::Optional));
    CHECK(input.variadic == (expected.GetOption() == onnx::OpSchema::Variadic));
    CHECK(input.like == like_of(schema, i));
    CHECK(input.types == mask_of(expected));
    CHECK((facts.required_inputs >> i & 1) == (!input.optional && !input.variadic ? 1 : 0));
  }
}

void check_attributes(const SchemaFacts& facts, const onnx::OpSchema& schema) {
  REQUIRE(facts.attributes.size() == schema.attributes().size());
  CHECK(std::ranges::is_sorted(facts.attributes, {}, &AttributeFacts::name));
  for (const AttributeFacts& attribute : facts.attributes) {
    INFO(attribute.name);
    const auto expected = schema.attributes().find(std::string(attribute.name));
    REQUIRE(expected != schema.attributes().end());
    CHECK(static_cast<int>(attribute.type) == static_cast<int>(expected->second.type));
    CHECK(attribute.required == expected->second.required);
  }
}

TEST_CASE("the table says what the schemas of the onnx library say, all of it") {
  onnx::RegisterOnnxOperatorSetSchema();
  onnx::RegisterOnnxMLOperatorSetSchema();
  onnx::RegisterOnnxPreviewOperatorSetSchema();
  onnx::RegisterOnnxTrainingOperatorSetSchema();
  const auto schemas = onnx::OpSchemaRegistry::get_all_schemas_with_history();
  CHECK(all_facts().size() == schemas.size());
  for (const onnx::OpSchema& schema : schemas) {
    const SchemaFacts* facts = schema_facts(schema.domain(), schema.Name(), schema.SinceVersion());
    INFO(schema.domain() << " " << schema.Name() << " " << schema.SinceVersion());
    REQUIRE(facts != nullptr);
    CHECK(facts->since == schema.SinceVersion());
    CHECK(facts->min_inputs == static_cast<std::uint32_t>(schema.min_input()));
    CHECK(facts->max_inputs == static_cast<std::uint32_t>(schema.max_input()));
    CHECK(facts->min_outputs == static_cast<std::uint32_t>(schema.min_output()));
    CHECK(facts->max_outputs == static_cast<std::uint32_t>(schema.max_output()));
    CHECK(facts->deprecated == schema.Deprecated());
    REQUIRE(facts->output_like.size() == schema.outputs().size());
    for (std::size_t i = 0; i < schema.outputs().size(); ++i) CHECK(facts->output_like[i] == output_like_of(schema, i));
    check_inputs(*facts, schema);
    check_attributes(*facts, schema);
  }
}

}  // namespace
}  // namespace trtcheck::schema
