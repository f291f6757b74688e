// Prints the facts of all ONNX schemas as C++ tables (included by src/schema/facts.cpp), and names and defaults as JSON
// (read by embed_checks.py). Runs at build time.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <onnx/defs/data_type_utils.h>
#include <onnx/defs/operator_sets.h>
#include <onnx/defs/operator_sets_ml.h>
#include <onnx/defs/operator_sets_preview.h>
#include <onnx/defs/operator_sets_training.h>
#include <onnx/defs/schema.h>

namespace {

using onnx::OpSchema;

/// Element types of plain tensors, bit N for TensorProto::DataType N.
std::uint64_t type_mask(const OpSchema::FormalParameter& input) {
  std::uint64_t mask = 0;
  for (const auto* type : input.GetTypes()) {
    const onnx::TypeProto& proto = onnx::Utils::DataTypeUtils::ToTypeProto(type);
    if (proto.has_tensor_type()) mask |= std::uint64_t{1} << proto.tensor_type().elem_type();
  }
  return mask;
}

/// The first input that has its type in common with this one, itself perhaps; InputFacts::kUnlike when its values may
/// differ among themselves.
std::size_t like(const OpSchema& schema, std::size_t input) {
  const auto& inputs = schema.inputs();
  if (!inputs[input].GetIsHomogeneous()) return 255;
  for (std::size_t i = 0; i < input; ++i) {
    if (inputs[i].GetIsHomogeneous() && inputs[i].GetTypeStr() == inputs[input].GetTypeStr()) return i;
  }
  return input;
}

/// The first input that has the type of this output; InputFacts::kUnlike: none has, or each value has its own.
std::size_t like_output(const OpSchema& schema, std::size_t output) {
  const auto& inputs = schema.inputs();
  const auto& made = schema.outputs()[output];
  if (!made.GetIsHomogeneous() || schema.typeConstraintMap().count(made.GetTypeStr()) == 0) return 255;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].GetIsHomogeneous() && inputs[i].GetTypeStr() == made.GetTypeStr()) return i;
  }
  return 255;
}

std::string count(int n) {
  return n == std::numeric_limits<int>::max() ? "SchemaFacts::kUnbounded" : std::to_string(n);
}

struct Pools {
  std::vector<std::string> inputs;
  std::vector<std::string> attributes;
  std::vector<std::string> outputs;
};

std::string row(const OpSchema& schema, Pools& pools) {
  const std::size_t first_input = pools.inputs.size();
  std::uint64_t required = 0;
  for (std::size_t i = 0; i < schema.inputs().size(); ++i) {
    const auto& input = schema.inputs()[i];
    const bool variadic = input.GetOption() == OpSchema::Variadic;
    const bool optional = input.GetOption() == OpSchema::Optional;
    if (!variadic && !optional && i < 64) required |= std::uint64_t{1} << i;
    pools.inputs.push_back("{\"" + input.GetName() + "\", " + (optional ? "true" : "false") + ", " +
                           (variadic ? "true" : "false") + ", " + std::to_string(like(schema, i)) + ", " +
                           std::to_string(type_mask(input)) + "U}");
  }
  const std::size_t first_attribute = pools.attributes.size();
  for (const auto& [name, attribute] : schema.attributes()) {
    pools.attributes.push_back("{\"" + name + "\", AttributeType{" + std::to_string(static_cast<int>(attribute.type)) +
                               "}, " + (attribute.required ? "true" : "false") + "}");
  }
  const std::size_t first_output = pools.outputs.size();
  for (std::size_t i = 0; i < schema.outputs().size(); ++i) {
    pools.outputs.push_back(std::to_string(like_output(schema, i)));
  }
  const auto span = [](const char* pool, std::size_t first, std::size_t end) {
    return first == end ? std::string("{}")
                        : "std::span(" + std::string(pool) + ").subspan(" + std::to_string(first) + ", " +
                              std::to_string(end - first) + ")";
  };
  return "{\"" + schema.domain() + "\", \"" + schema.Name() + "\", " + std::to_string(schema.SinceVersion()) + ", " +
         count(schema.min_input()) + ", " + count(schema.max_input()) + ", " + count(schema.min_output()) + ", " +
         count(schema.max_output()) + ", " + (schema.Deprecated() ? "true" : "false") + ", " +
         std::to_string(required) + "U, " + span("kInputs", first_input, pools.inputs.size()) + ", " +
         span("kAttributes", first_attribute, pools.attributes.size()) + ", " +
         span("kOutputs", first_output, pools.outputs.size()) + "}";
}

void print_table(std::ostream& out, const char* type, const char* name, const std::vector<std::string>& rows) {
  out << "constexpr " << type << " " << name << "[] = {\n";
  for (const std::string& text : rows) out << "    " << text << ",\n";
  out << "};\n\n";
}

/// Names of schemas are letters, digits and the like; defaults may hold more.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

template <class Values>
std::string listed(const Values& values) {
  std::ostringstream out;
  out.precision(std::numeric_limits<float>::max_digits10);
  out << '[';
  for (auto value = values.begin(); value != values.end(); ++value)
    out << (value == values.begin() ? "" : ",") << *value;
  return out.str() + "]";
}

/// The default as JSON, always a list; null: there is none, or it is a tensor or a graph.
std::string default_of(const OpSchema::Attribute& attribute) {
  using onnx::AttributeProto;
  const AttributeProto& value = attribute.default_value;
  std::vector<std::string> texts;
  switch (value.type()) {
    case AttributeProto::INT:
      return listed(std::vector<std::int64_t>{value.i()});
    case AttributeProto::FLOAT:
      return listed(std::vector<float>{value.f()});
    case AttributeProto::STRING:
      return listed(std::vector<std::string>{quoted(value.s())});
    case AttributeProto::INTS:
      return listed(value.ints());
    case AttributeProto::FLOATS:
      return listed(value.floats());
    case AttributeProto::STRINGS:
      for (const std::string& text : value.strings()) texts.push_back(quoted(text));
      return listed(texts);
    default:
      return "null";
  }
}

template <class Parameters>
std::string names(const Parameters& parameters) {
  std::vector<std::string> texts;
  for (const auto& parameter : parameters) texts.push_back(quoted(parameter.GetName()));
  return listed(texts);
}

std::string json_row(const OpSchema& schema) {
  std::string attributes;
  for (const auto& [name, attribute] : schema.attributes()) {
    attributes += (attributes.empty() ? "" : ",") + quoted(name) +
                  ":{\"type\":" + std::to_string(static_cast<int>(attribute.type)) +
                  ",\"default\":" + default_of(attribute) + "}";
  }
  return "{\"op\":" + quoted(schema.Name()) + ",\"since\":" + std::to_string(schema.SinceVersion()) +
         ",\"deprecated\":" + (schema.Deprecated() ? "true" : "false") + ",\"inputs\":" + names(schema.inputs()) +
         ",\"outputs\":" + names(schema.outputs()) + ",\"attributes\":{" + attributes + "}}";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: schema_facts TABLES NAMES_JSON\n";
    return 2;
  }
  onnx::RegisterOnnxOperatorSetSchema();
  onnx::RegisterOnnxMLOperatorSetSchema();
  onnx::RegisterOnnxPreviewOperatorSetSchema();
  onnx::RegisterOnnxTrainingOperatorSetSchema();
  std::vector<OpSchema> schemas = onnx::OpSchemaRegistry::get_all_schemas_with_history();
  std::sort(schemas.begin(), schemas.end(), [](const OpSchema& a, const OpSchema& b) {
    return std::make_tuple(a.domain(), a.Name(), a.SinceVersion()) <
           std::make_tuple(b.domain(), b.Name(), b.SinceVersion());
  });
  Pools pools;
  std::vector<std::string> rows;
  rows.reserve(schemas.size());
  for (const OpSchema& schema : schemas) rows.push_back(row(schema, pools));
  std::ofstream out(argv[1]);
  print_table(out, "InputFacts", "kInputs", pools.inputs);
  print_table(out, "AttributeFacts", "kAttributes", pools.attributes);
  print_table(out, "std::uint8_t", "kOutputs", pools.outputs);
  print_table(out, "SchemaFacts", "kFacts", rows);
  std::ofstream json(argv[2]);
  json << "[\n";
  bool is_first = true;
  for (const OpSchema& schema : schemas) {
    if (!schema.domain().empty()) continue;
    json << (is_first ? "" : ",\n") << json_row(schema);
    is_first = false;
  }
  json << "\n]\n";
  return out.good() && json.good() ? 0 : 1;
}
