// Shape functions of the user.
#include <catch2/catch.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <trtcheck/error.hpp>

#include "inferred.hpp"

using trtcheck::check_shape_function;
using trtcheck::Error;
using trtcheck::InferOptions;
using trtcheck::ShapeAnswer;
using trtcheck::ShapeFunction;
using trtcheck::ShapeQuestion;
using trtcheck::test::Inferred;

namespace {

std::string model_of(const std::string& inputs, const std::string& nodes) {
  return "<ir_version: 10, opset_import: [\"\" : 17, \"my.domain\" : 1, \"com.microsoft\" : 1, \"ai.onnx.ml\" : 3]> g "
         "(" +
         inputs + ") => (y) { " + nodes + " }";
}

Inferred inferred(const std::string& inputs, const std::string& nodes, std::vector<ShapeFunction> functions) {
  InferOptions options;
  options.shape_functions = std::move(functions);
  return Inferred(model_of(inputs, nodes), 17, options);
}

ShapeFunction stated(std::string output, std::string op = "my.domain::Op") {
  return {.op = std::move(op), .outputs = {std::move(output)}, .place = "", .answer = nullptr};
}

struct LanguageCase {
  const char* output;
  const char* expected;  ///< of `my.domain.Op<k=3, to=10, pads=[1,2]>(x, w, s)`, x FLOAT[N,C,8], s INT64[2] {5, N}
};

const LanguageCase kLanguage[] = {
    {"in0", "FLOAT[N,C,8]"},
    {" in1 ", "FLOAT16[...]"},
    {"in7", "?"},
    {"?", "?"},
    {"INT64", "INT64[...]"},
    {"INT64[]", "INT64[]"},
    {"FLOAT[in0[0], 64, ?]", "FLOAT[N,64,?]"},
    {"?[in0[-1]]", "?[8]"},
    {"type(in1)[in0[1]]", "FLOAT16[C]"},
    {"attr.to[in0[0]]", "FLOAT16[N]"},
    {"attr.nothing[in0[0]]", "?[N]"},
    {"FLOAT[in0[0] * attr.k + 1]", "FLOAT[3*N + 1]"},
    {"FLOAT[(in0[0] + 2) * 2 - in0[0]]", "FLOAT[N + 4]"},
    {"FLOAT[-2 + in0[0]]", "FLOAT[N - 2]"},
    {"FLOAT[in0[2] / attr.k, ceil(in0[2] / attr.k), in0[2] % 3]", "FLOAT[2,3,2]"},
    {"FLOAT[in0[0] // 2]", "FLOAT[floor(N/2)]"},
    {"FLOAT[min(in0[2], 5), max(in0[2], 5)]", "FLOAT[5,8]"},
    {"FLOAT[attr.pads[0], attr.pads[-1], attr.pads[5]]", "FLOAT[1,2,?]"},
    {"FLOAT[attr.q or 7, attr.k or 7, attr.q]", "FLOAT[7,3,?]"},
    {"FLOAT[rank(in0), size(in0), rank(in1), size(in1)]", "FLOAT[3,8*C*N,?,?]"},
    {"FLOAT[value(in2)[0], value(in2)[1], value(in2)[2]]", "FLOAT[5,N,?]"},
    {"FLOAT[...in0]", "FLOAT[N,C,8]"},
    {"FLOAT[1, ...in0[1:], 2]", "FLOAT[1,C,8,2]"},
    {"FLOAT[...in0[:-1]]", "FLOAT[N,C]"},
    {"FLOAT[...in0[1:2], ...in0[:]]", "FLOAT[C,N,C,8]"},
    {"FLOAT[...in0[2:1]]", "FLOAT[]"},
    {"FLOAT[...in1]", "FLOAT[...]"},
    {"FLOAT[in1[0], in0[9]]", "FLOAT[?,?]"},
};

struct MalformedCase {
  const char* output;
  const char* cause;
};

const MalformedCase kMalformed[] = {
    {"", "a name is required before ``"},
    {"FLOTA[1]", "`FLOTA` is no element type of ONNX"},
    {"FLOAT[1", "`]` is missing at the end"},
    {"FLOAT[1,]", "`]` is nothing that a size is made of"},
    {"FLOAT[1] 2", "`2` is left over"},
    {"FLOAT[in0]", "`[` is required before `]`"},
    {"FLOAT[in0[x]]", "a whole number is required before `x]]`"},
    {"FLOAT[1 +]", "`]` is nothing that a size is made of"},
    {"FLOAT[1 + ", "a size is missing at the end"},
    {"FLOAT[N]", "`N]` is nothing that a size is made of"},
    {"FLOAT[min(1)]", "`,` is required before `)]`"},
    {"FLOAT[ceil(1, 2)]", "`/` is required before `, 2)]`"},
    {"FLOAT[...x]", "an input such as `in0` is required before `x]`"},
    {"FLOAT[attr.]", "a name is required before `]`"},
    {"FLOAT[99999999999999999999]", "a whole number is required before `99999999999999999999]`"},
    {"FLOAT[in99999[0]]", "there is no input 99999"},
    {"type(x)[1]", "an input such as `in0` is required before `x)[1]`"},
};

TEST_CASE("the language of shape functions") {
  for (const LanguageCase& c : kLanguage) {
    INFO(c.output);
    const Inferred made = inferred(
        "float[N,C,8] x, float16 w0",
        "w = Reshape(w0, open) open = my.domain.Unknown(x) shape = Shape<end=1>(x) five = Constant<value_ints=[5]>() "
        "s = Concat<axis=0>(five, shape) wf = Cast<to=10>(v) v = my.domain.Unknown(x) "
        "y = my.domain.Op<k=3, to=10, pads=[1,2]>(x, wf, s)",
        {stated(c.output)});
    CHECK(made.text("y") == c.expected);
  }
}

TEST_CASE("what is malformed is told with the text") {
  for (const MalformedCase& c : kMalformed) {
    INFO(c.output);
    ShapeFunction function = stated(c.output);
    function.place = "shapes.toml:3";
    try {
      check_shape_function(function);
      FAIL("accepted");
    } catch (const Error& error) {
      CHECK(error.path() == "shapes.toml:3");
      CHECK(error.cause() ==
            std::string("shape function of `my.domain::Op`: output 0: ") + c.cause + " in `" + c.output + "`");
    }
  }
}

TEST_CASE("deep and long texts are refused") {
  const std::string deep = "FLOAT[" + std::string(1000, '(') + "1" + std::string(1000, ')') + "]";
  CHECK_THROWS_WITH(check_shape_function(stated(deep)), Catch::Contains("too many brackets"));
  const std::string negative = "FLOAT[" + std::string(1000, '-') + "1]";
  CHECK_THROWS_WITH(check_shape_function(stated(negative)), Catch::Contains("too many brackets"));
  CHECK_THROWS_WITH(check_shape_function(stated("FLOAT[" + std::string(5000, ' ') + "1]")),
                    Catch::Contains("a shape of more than 4096 letters"));
}

TEST_CASE("operators are named with their domain, or alone where no domain has them") {
  const char* const nodes = "y = my.domain.Op(x)";
  CHECK(inferred("float[N] x", nodes, {stated("INT8[3]", "Op")}).text("y") == "INT8[3]");
  CHECK(inferred("float[N] x", "y = Op(x)", {stated("INT8[3]", "Op")}).text("y") == "INT8[3]");
  CHECK(inferred("float[N] x", nodes, {stated("INT8[3]", "Op"), stated("INT8[4]")}).text("y") == "INT8[4]");
  CHECK(inferred("float[N] x", nodes, {stated("INT8[3]", "other::Op")}).text("y") == "?");
  // They go before what is known of contrib operators and plugins, and only by their domain before what has a schema.
  CHECK(inferred("float[N] x", "y = com.microsoft.Gelu(x)", {stated("INT8[3]", "com.microsoft::Gelu")}).text("y") ==
        "INT8[3]");
  CHECK(inferred("float[N] x", "y = EfficientNMS_TRT(x)", {stated("INT8[3]", "EfficientNMS_TRT")}).text("y") ==
        "INT8[3]");
  CHECK(inferred("float[N,2] x", "y = ai.onnx.ml.Scaler(x)", {stated("INT8[3]", "Scaler")}).text("y") == "FLOAT[N,2]");
  CHECK_THROWS_WITH(check_shape_function(stated("in0", "Conv")), Catch::Contains("ONNX has an operator of that name"));
  CHECK_THROWS_WITH(check_shape_function(stated("in0", "")), Catch::Contains("an operator is named"));
  CHECK_THROWS_WITH(check_shape_function(stated("in0", "::Op")), Catch::Contains("an operator is named"));
  CHECK_THROWS_WITH(check_shape_function(stated("in0", "my::")), Catch::Contains("an operator is named"));
  CHECK_THROWS_WITH(inferred("float[N] x", nodes, {stated("in0"), stated("in0")}),
                    Catch::Contains("has two shape functions"));
}

TEST_CASE("a model-local function goes before a shape function") {
  InferOptions options;
  options.shape_functions.push_back(stated("INT8[3]"));
  const Inferred made(R"(<ir_version: 10, opset_import: ["" : 17, "my.domain" : 1]>
    g (float[N] x) => (y) { y = my.domain.Op(x) }
    <opset_import: ["" : 17], domain: "my.domain"> Op (a) => (b) { b = Relu(a) })",
                      17, options);
  CHECK(made.text("y") == "FLOAT[N]");
}

TEST_CASE("outputs that nothing is said of are unknown, and negative sizes are no sizes") {
  const Inferred made = inferred("float[N] x", "y, z = my.domain.Op(x)", {stated("in0")});
  CHECK(made.text("z") == "?");
  CHECK(made.shapes()[made.value("z")].reason == "the shape function says nothing of it");
  CHECK(inferred("float[3] x", "y = my.domain.Op(x)", {stated("FLOAT[in0[0] - 5]")}).text("y") == "FLOAT[?]");
}

TEST_CASE("an answer in another language is asked for what is known of the node") {
  std::vector<ShapeQuestion::Input> seen;
  const auto answer = std::make_shared<const ShapeAnswer>([&](const ShapeQuestion& asked) {
    seen = asked.inputs;
    return std::vector<std::string>{"FLOAT[in0[0], " + std::to_string(*asked.inputs[0].dims[1]) + "]"};
  });
  const ShapeFunction function{.op = "my.domain::Op", .outputs = {}, .place = "", .answer = answer};
  CHECK(inferred("float[N,4] x", "y = my.domain.Op(x, , x)", {function}).text("y") == "FLOAT[N,4]");
  REQUIRE(seen.size() == 3);
  CHECK(seen[0].type == "FLOAT");
  CHECK(seen[0].dims[0] == std::nullopt);
  CHECK(seen[0].dims[1] == 4);
  CHECK_FALSE(seen[1].given);

  const auto wrong =
      std::make_shared<const ShapeAnswer>([](const ShapeQuestion&) { return std::vector<std::string>{"FLOAT[N]"}; });
  CHECK_THROWS_WITH(inferred("float[N] x", "y = my.domain.Op(x)",
                             {{.op = "my.domain::Op", .outputs = {}, .place = "", .answer = wrong}}),
                    Catch::Contains("shape function of `my.domain::Op`, node `") &&
                        Catch::Contains("is nothing that a size is made of"));
  const auto throws = std::make_shared<const ShapeAnswer>(
      [](const ShapeQuestion&) -> std::vector<std::string> { throw std::runtime_error("no"); });
  CHECK_THROWS_AS(inferred("float[N] x", "y = my.domain.Op(x)",
                           {{.op = "my.domain::Op", .outputs = {}, .place = "", .answer = throws}}),
                  std::runtime_error);
  CHECK_THROWS_WITH(check_shape_function({.op = "my.domain::Op", .outputs = {}, .place = "", .answer = nullptr}),
                    Catch::Contains("a function in Python does not go into another process"));
}

}  // namespace
