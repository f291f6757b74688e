// Every word of conditions, each answer that it can give. The conditions stand in words/*.toml.
#include <catch2/catch.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include <trtcheck/trtcheck.hpp>

#include <as_bytes.hpp>
#include <asked_node.hpp>
#include <onnx_text.hpp>

#include "facts/evaluate.hpp"
#include "facts/fact_data.hpp"
#include "target/releases.hpp"

using namespace trtcheck;

namespace trtcheck::facts {
namespace {
#include "words.inc"
}  // namespace
}  // namespace trtcheck::facts

namespace {

constexpr std::string_view kGemm = R"(agraph (float[N,3] x) => (float[N,5] y)
<float[3,5] w = {1,1,1,1,1, 1,1,1,1,1, 1,1,1,1,1}, float[5] b = {1.5, 2.5, 3, 4, 4}> {
  y = Gemm <alpha = 2.5> (x, w, b)
})";
constexpr std::string_view kResize = R"(agraph (float[1,3,8,8] x) => (float[1,3,16,16] y)
<float[4] s = {1, 1, 2, 2}> {
  y = Resize <mode = "linear"> (x, , s)
})";
constexpr std::string_view kConstantOfShape = R"(agraph (int64[2] s) => (int64[A,B] y) {
  y = ConstantOfShape <value = int64[1] {3}> (s)
})";
constexpr std::string_view kRandom = R"(agraph (float[2] x) => (float16[2] y) {
  y = RandomNormalLike <dtype = 10> (x)
})";

constexpr std::string_view kMaxPool = R"(agraph (float[1,3,8,8] x) => (float[1,3,6,7] y) {
  y = MaxPool <kernel_shape = [3, 2]> (x)
})";

constexpr std::string_view kIf = R"(agraph (bool c, float[2,3] x) => (y) {
  y = If <then_branch = t () => (float[2,3] p) { p = Relu (x) }, else_branch = e () => (float16[6] q) {
    s = Constant <value_ints = [6]> ()
    f = Cast <to = 10> (x)
    q = Reshape (f, s)
  }> (c)
})";
constexpr std::string_view kMatMul = R"(agraph (float[2,3] x, float[3,2] w) => (y)
<float a = {0.5}, int8 z = {0}> {
  y = MatMul (t, w)
  q = QuantizeLinear (x, a, z)
  d = DequantizeLinear (q, a, z)
  t = Identity (d)
})";
const std::map<std::string_view, std::string_view> kModels{{"Gemm", kGemm},
                                                           {"Resize", kResize},
                                                           {"ConstantOfShape", kConstantOfShape},
                                                           {"RandomNormalLike", kRandom},
                                                           {"MaxPool", kMaxPool},
                                                           {"If", kIf},
                                                           {"MatMul", kMatMul}};

constexpr auto kYes = Truth::yes;
constexpr auto kNo = Truth::no;
constexpr auto kUnknown = Truth::unknown;

const std::map<std::string_view, Truth> kExpected{
    {"always", kYes},
    {"predicate-in-message", kYes},
    {"given-there", kYes},
    {"given-absent", kNo},
    {"const-yes", kYes},
    {"const-no", kNo},
    {"folds-yes", kYes},
    {"type-equal", kYes},
    {"type-unequal", kNo},
    {"network-type", kYes},
    {"rank-two", kYes},
    {"dims-any", kYes},
    {"dims-all", kUnknown},
    {"dim-symbol", kUnknown},
    {"dim-last", kYes},
    {"dim-beyond", kUnknown},
    {"volume-symbol", kYes},
    {"volume-number", kYes},
    {"data-first", kYes},
    {"data-len", kYes},
    {"data-unknown", kUnknown},
    {"data-in", kYes},
    {"source-none", kYes},
    {"name-is", kYes},
    {"real-equal", kYes},
    {"real-default", kYes},
    {"real-less", kYes},
    {"attr-default", kYes},
    {"has-yes", kYes},
    {"has-no", kNo},
    {"opset-is", kYes},
    {"count-inputs", kYes},
    {"count-outputs", kYes},
    {"count-unnamed", kYes},
    {"fixed-no", kNo},
    {"fixed-yes", kYes},
    {"item-negative", kYes},
    {"item-beyond", kUnknown},
    {"slice-from", kYes},
    {"slice-to", kYes},
    {"slice-all", kYes},
    {"range-pairs", kYes},
    {"range-none", kNo},
    {"range-symbol", kUnknown},
    {"range-long", kUnknown},
    {"and-no", kNo},
    {"and-unknown", kUnknown},
    {"or-yes", kYes},
    {"or-unknown", kUnknown},
    {"not-unknown", kUnknown},
    {"less-bounds", kNo},
    {"less-equal-bounds", kYes},
    {"greater", kYes},
    {"greater-equal", kNo},
    {"chain", kYes},
    {"in-yes", kYes},
    {"in-no", kNo},
    {"not-in", kYes},
    {"in-unknown", kUnknown},
    {"add", kYes},
    {"subtract", kYes},
    {"multiply", kYes},
    {"floor-divide", kYes},
    {"floor-divide-symbol", kYes},
    {"modulo", kYes},
    {"divide-by-zero", kUnknown},
    {"nested-loops", kYes},
    {"output-rank", kYes},
    {"strings", kYes},
    {"string-default", kYes},
    {"absent-input", kUnknown},
    {"list-absent", kUnknown},
    {"tensor-attribute", kYes},
    {"named-type", kYes},
    {"ints", kYes},
    {"output-given", kNo},
    {"from-data", kYes},
    {"from-data-unknown", kUnknown},
    {"quantized-direct", kYes},
    {"quantized-not", kYes},
    {"quantized-otherwise", kNo},
};

facts::Fact fact_of(const facts::FactData& data) {
  facts::Fact fact;
  fact.condition = data.condition;
  fact.message = std::span(facts::kPieces).subspan(data.message, data.message_count);
  return fact;
}

}  // namespace

TEST_CASE("every word gives the answer that its condition asks for") {
  CHECK(std::size(facts::kFacts) == kExpected.size());
  for (const facts::FactData& data : facts::kFacts) {
    INFO(data.op << ": " << data.id << ": " << data.words);
    const test::AskedNode asked(kModels.at(data.op));
    const facts::Outcome outcome = facts::evaluate(fact_of(data), asked.node, facts::kExpressions);
    REQUIRE(kExpected.contains(data.id));
    CHECK(static_cast<int>(outcome.holds) == static_cast<int>(kExpected.at(data.id)));
    CHECK(outcome.is_absent == (data.id == "absent-input" || data.id == "list-absent"));
    CHECK_FALSE(outcome.is_claimed);
  }
}

TEST_CASE("a message is filled in") {
  const facts::FactData& data = facts::kFacts[0];
  const test::AskedNode asked(kModels.at(data.op));
  CHECK(facts::message(fact_of(data), asked.node, facts::kExpressions) ==
        std::string(data.op) + " " + asked.model.node_label(NodeId{0}) + " " + full_name(asked.target.release));
}

TEST_CASE("what rests on a declared shape is marked") {
  const std::string bytes = test::onnx_bytes(R"(agraph (float[4,3] x) => (float[A,B] y)
<float[4,3] u, float[3,5] w = {1,1,1,1,1, 1,1,1,1,1, 1,1,1,1,1}> {
  u = NotKnown(x)
  y = Gemm(u, w)
})");
  const Model model = read_model(test::as_bytes(bytes));
  const Shapes shapes = infer(model);
  const Target target;
  const TensorView tensors(model);
  const std::vector<NodeId> nodes = test::all_nodes(model);
  const ModelView view(model, shapes, target, tensors, nodes);
  const auto rank = std::ranges::find(facts::kFacts, std::string_view("rank-two"), &facts::FactData::id);
  const facts::Outcome outcome = facts::evaluate(fact_of(*rank), NodeView(view, NodeId{1}), facts::kExpressions);
  CHECK(outcome.holds == Truth::yes);
  CHECK(outcome.is_claimed);
}

TEST_CASE("a parameter of a function is what its call gives it") {
  const std::string bytes = test::onnx_bytes(R"(<ir_version: 10, opset_import: ["" : 17, "local" : 1]>
agraph (float[4,3] x) => (float[A,B] y)
<float[3,5] w = {1,1,1,1,1, 1,1,1,1,1, 1,1,1,1,1}> {
  y = local.product(x, w)
}
<domain: "local", opset_import: ["" : 17]>
product (a, b) => (c) {
  c = Gemm(a, b)
})");
  const Model model = read_model(test::as_bytes(bytes));
  const Shapes shapes = infer(model);
  const Target target;
  const TensorView tensors(model);
  const std::vector<NodeId> nodes = test::all_nodes(model);
  const ModelView view(model, shapes, target, tensors, nodes);
  const auto is_const = std::ranges::find(facts::kFacts, std::string_view("const-yes"), &facts::FactData::id);
  for (std::uint32_t i = 0; i < model.node_count(); ++i) {
    const Node& node = model.node(NodeId{i});
    if (node.op_type != "Gemm" || model.graph(node.graph).kind != Graph::Kind::function_call) continue;
    CHECK(facts::evaluate(fact_of(*is_const), NodeView(view, NodeId{i}), facts::kExpressions).holds == Truth::yes);
    return;
  }
  FAIL("no call");
}
