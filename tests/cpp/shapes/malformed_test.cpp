// Nodes of any kind, however absurd, never crash or hang: random nodes of every ONNX operator with extreme attributes,
// missing and superfluous inputs, and initializers full of extreme numbers.
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <onnx/onnx_pb.h>
#include <catch2/catch.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

#include "as_bytes.hpp"
#include "inferred.hpp"
#include "schema/facts.hpp"

namespace trtcheck::test {
namespace {

using Random = std::mt19937;

std::int64_t number(Random& random) {
  static constexpr std::int64_t kNumbers[] = {0,
                                              1,
                                              1,
                                              2,
                                              2,
                                              3,
                                              4,
                                              5,
                                              7,
                                              -1,
                                              -1,
                                              -2,
                                              -3,
                                              16,
                                              100,
                                              std::int64_t{1} << 31,
                                              std::int64_t{1} << 40,
                                              -(std::int64_t{1} << 40),
                                              std::numeric_limits<std::int64_t>::max(),
                                              std::numeric_limits<std::int64_t>::min(),
                                              std::numeric_limits<std::int64_t>::max() - 1,
                                              std::numeric_limits<std::int32_t>::max()};
  return kNumbers[random() % std::size(kNumbers)];
}

std::int64_t small(Random& random) { return static_cast<std::int64_t>(random() % 6); }

void add_tensor(Random& random, onnx::TensorProto& tensor, bool is_vector) {
  static constexpr int kTypes[] = {onnx::TensorProto::INT64, onnx::TensorProto::INT32, onnx::TensorProto::FLOAT,
                                   onnx::TensorProto::BOOL};
  tensor.set_data_type(random() % 2 == 0 ? onnx::TensorProto::INT64 : kTypes[random() % std::size(kTypes)]);
  const std::int64_t count = is_vector ? small(random) : 1;
  if (is_vector) tensor.add_dims(count);
  for (std::int64_t i = 0; i < count; ++i) {
    if (tensor.data_type() == onnx::TensorProto::FLOAT) {
      tensor.add_float_data(random() % 3 == 0 ? std::numeric_limits<float>::infinity()
                                              : static_cast<float>(small(random)) * 0.5F);
    } else if (tensor.data_type() == onnx::TensorProto::INT64) {
      tensor.add_int64_data(random() % 3 == 0 ? number(random) : small(random) - 1);
    } else {
      tensor.add_int32_data(static_cast<std::int32_t>(small(random) - 1));
    }
  }
}

void add_value(Random& random, onnx::GraphProto& graph, int index) {
  const std::string name = "v" + std::to_string(index);
  if (random() % 3 == 0) {
    auto& tensor = *graph.add_initializer();
    tensor.set_name(name);
    add_tensor(random, tensor, random() % 4 != 0);
    return;
  }
  auto& input = *graph.add_input();
  input.set_name(name);
  auto& type = *input.mutable_type()->mutable_tensor_type();
  type.set_elem_type(random() % 3 == 0 ? static_cast<int>(random() % 24) : onnx::TensorProto::FLOAT);
  if (random() % 8 == 0) return;
  type.mutable_shape();
  for (std::int64_t i = small(random); i > 0; --i) {
    auto& dim = *type.mutable_shape()->add_dim();
    switch (random() % 5) {
      case 0:
        dim.set_dim_param(std::string(1, static_cast<char>('A' + random() % 3)));
        break;
      case 1:
        break;
      case 2:
        dim.set_dim_value(random() % 4 == 0 ? number(random) : 1);
        break;
      default:
        dim.set_dim_value(small(random));
        break;
    }
  }
}

void add_attribute(Random& random, onnx::NodeProto& node, const schema::AttributeFacts& facts) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(std::string(facts.name));
  const bool is_wrong = random() % 16 == 0;
  const auto type =
      is_wrong ? onnx::AttributeProto::INTS : static_cast<onnx::AttributeProto::AttributeType>(facts.type);
  attribute.set_type(type);
  switch (type) {
    case onnx::AttributeProto::FLOAT:
      attribute.set_f(static_cast<float>(number(random)));
      break;
    case onnx::AttributeProto::INT:
      attribute.set_i(random() % 2 == 0 ? number(random) : small(random));
      break;
    case onnx::AttributeProto::STRING: {
      static constexpr const char* kWords[] = {"",          "SAME_UPPER", "VALID", "floor",  "round_prefer_ceil",
                                               "ab,bc->ac", "...i->i",    "LSTM",  "reverse"};
      attribute.set_s(kWords[random() % std::size(kWords)]);
      break;
    }
    case onnx::AttributeProto::INTS:
      for (std::int64_t i = small(random); i > 0; --i)
        attribute.add_ints(random() % 3 == 0 ? number(random) : small(random) - 1);
      break;
    case onnx::AttributeProto::FLOATS:
      for (std::int64_t i = small(random); i > 0; --i) attribute.add_floats(static_cast<float>(small(random)));
      break;
    case onnx::AttributeProto::TENSOR:
      add_tensor(random, *attribute.mutable_t(), random() % 2 == 0);
      break;
    case onnx::AttributeProto::GRAPH: {
      auto& body = *attribute.mutable_g();
      for (std::int64_t i = small(random); i > 0; --i) body.add_input()->set_name("b" + std::to_string(i));
      for (std::int64_t i = small(random); i > 0; --i) body.add_output()->set_name("b" + std::to_string(i));
      break;
    }
    default:
      break;
  }
}

onnx::ModelProto random_model(Random& random) {
  onnx::ModelProto model;
  model.set_ir_version(10);
  for (const char* domain : {"", "ai.onnx.ml", "ai.onnx.preview.training"}) {
    auto& import = *model.add_opset_import();
    import.set_domain(domain);
    import.set_version(std::string_view(domain).empty() ? 1 + static_cast<int>(random() % 25) : 3);
  }
  auto& graph = *model.mutable_graph();
  const int values = 6;
  for (int i = 0; i < values; ++i) add_value(random, graph, i);
  int made = values;
  const auto all = schema::all_facts();
  for (int i = 0; i < 12; ++i) {
    const schema::SchemaFacts& facts = all[random() % all.size()];
    auto& node = *graph.add_node();
    node.set_op_type(std::string(facts.op));
    node.set_domain(std::string(facts.domain));
    const std::uint32_t most = std::min(facts.max_inputs, facts.min_inputs + 4);
    std::uint32_t inputs = facts.min_inputs + static_cast<std::uint32_t>(random() % (most - facts.min_inputs + 1));
    if (random() % 20 == 0) inputs += 1;
    for (std::uint32_t k = 0; k < inputs; ++k) {
      const int from = static_cast<int>(random() % static_cast<unsigned>(made));
      node.add_input(random() % 20 == 0 ? std::string() : "v" + std::to_string(from));
    }
    const std::uint32_t outputs = std::max<std::uint32_t>(1, facts.min_outputs) + random() % 2;
    for (std::uint32_t k = 0; k < outputs; ++k) {
      node.add_output(random() % 20 == 0 ? std::string() : "v" + std::to_string(made++));
    }
    for (const schema::AttributeFacts& attribute : facts.attributes) {
      if (random() % 3 != 0 || attribute.required) add_attribute(random, node, attribute);
    }
  }
  return model;
}

void infer_random(std::uint32_t seed) {
  INFO("seed " << seed);
  Random random(seed);
  const onnx::ModelProto proto = random_model(random);
  const std::string bytes = proto.SerializeAsString();
  const Model model = read_model(as_bytes(bytes));
  const Shapes shapes = infer(model, {.ranges = {}, .as_tensorrt = seed % 2 == 1});
  for (std::uint32_t i = 0; i < model.value_count(); ++i) {
    const ValueShape& shape = shapes[ValueId{i}];
    if (shape.kind == ValueShape::Kind::unknown) {
      INFO("value " << model.value(ValueId{i}).name);
      // Values of graphs that are never run have no reason.
      if (model.value(ValueId{i}).graph == GraphId{0}) CHECK_FALSE(shape.reason.empty());
    }
    for (const Dim dim : shape.dims) {
      if (dim.is_literal()) CHECK(dim.value() >= 0);
    }
    if (shape.is_known) CHECK(shape.rank() <= 1);
    (void)shapes.text(shape);
  }
}

TEST_CASE("random nodes of all operators never crash inference, and whatever is unknown has a reason") {
  const char* more = std::getenv("TRTCHECK_RANDOM_MODELS");
  const std::uint32_t count = more != nullptr ? static_cast<std::uint32_t>(std::atoi(more)) : 2000;
  for (std::uint32_t seed = 1; seed <= count; ++seed) infer_random(seed);
}

TEST_CASE("malformed nodes are told apart from unknown ones") {
  const Inferred few("g (float[2] x) => (y) { y = Add(x) }");
  const auto reason = [](const Inferred& inferred) {
    return std::string(inferred.shapes()[inferred.value("y")].reason);
  };
  CHECK(reason(few) == "malformed node: 1 inputs, at least 2 are required");
  CHECK(reason(Inferred("g (float[2] x) => (y) { y = Relu(x, x) }")) ==
        "malformed node: 2 inputs, at most 1 are allowed");
  CHECK(reason(Inferred("g (float[2] x) => (y) { y = Gemm(\"\", x) }")) == "malformed node: input 0 is required");
  CHECK(reason(Inferred("g (float[2] x) => (y) { y = Concat(x) }")) == "malformed node: attribute `axis` is required");
  CHECK(reason(Inferred("g (float[2] x) => (y) { y = Concat<axis = 1.5>(x) }")) ==
        "malformed node: attribute `axis` has the wrong type");
  CHECK(reason(Inferred("g (float[2] x) => (y) { y = Foo(x) }")) == "operator `Foo` is not known");
  CHECK(reason(Inferred("g (float[2] x) => (y) { y = Gelu(x) }", 17)) == "operator `Gelu` does not exist at opset 17");
  CHECK(reason(Inferred("g (float[2] x) => (y) { y = com.acme.Foo(x) }", 17)) == "domain `com.acme` is not imported");
}

}  // namespace
}  // namespace trtcheck::test
