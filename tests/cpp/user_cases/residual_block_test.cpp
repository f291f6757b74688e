// Case 1: a quantized residual block, allocator error in the fusion of Conv, Add and Relu (NVIDIA/TensorRT 3980).
#include <algorithm>

#include <catch2/catch.hpp>

#include "recipe.hpp"

using namespace trtcheck;
using namespace trtcheck::test;

namespace {

/// Lines for a convolution with Q/DQ on data and weights; `data` is quantized anew.
std::string quantized(const std::string& data, const std::string& weight, const std::string& out,
                      const std::string& attributes) {
  return pair(data, out + "_x", "a") + "\n" + pair(weight, out + "_w", weight + "_s", 0) + "\n" + out + " = Conv<" +
         attributes + ">(" + out + "_x, " + out + "_w)";
}

constexpr std::string_view kStride2 = "kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]";
constexpr std::string_view kSame = "kernel_shape=[3,3], pads=[1,1,1,1]";
constexpr std::string_view kShortcut = "kernel_shape=[1,1], strides=[2,2]";

/// The down-sample block of the recipe; `shortcut` makes `d`, `sum` makes `z0`.
Recipe block(const std::string& shortcut, const std::string& sum) {
  Recipe recipe;
  recipe.inputs = "float[1,16,32,32] x";
  recipe.constants = {constant("W1", {32, 16, 3, 3}),
                      constant("W2", {32, 32, 3, 3}),
                      constant("W3", {32, 32, 3, 3}),
                      constant("Wd", {32, 16, 1, 1}),
                      scale("a"),
                      scale("W1_s", 32),
                      scale("W2_s", 32),
                      scale("W3_s", 32),
                      scale("Wd_s", 32)};
  recipe.lines = {quantized("x", "W1", "c1", std::string(kStride2)),
                  "r1 = Relu(c1)",
                  quantized("r1", "W2", "c2", std::string(kSame)),
                  shortcut,
                  sum,
                  "z = Relu(z0)",
                  quantized("z", "W3", "y", std::string(kSame))};
  return recipe;
}

const std::string kFloatShortcut = "d = Conv<kernel_shape=[1,1], strides=[2,2]>(x, Wd)";
const std::string kInt8Shortcut = quantized("x", "Wd", "d", std::string(kShortcut));

}  // namespace

TEST_CASE("case 1: the shortcut left float, without residual Q/DQ") {
  const Report report = report_of(block(kFloatShortcut, "z0 = Add(c2, d)"));
  INFO(shown(report));
  CHECK(report.verdict() == Verdict::uncertain);
  const Finding add = only(report, "QDQ201");
  CHECK(add.op_type == "Add");
  CHECK(add.severity == Severity::warning);
  CHECK(mentions(add.message, "shortcut `d`"));
  CHECK(mentions(add.message, "may fail to build or fall back to float"));
  CHECK(has_note(add, "deallocateAsync"));
  CHECK(has_note(add, "stream-ordered memory pools"));
  const Finding branch = only(report, "QDQ203");
  CHECK(branch.severity == Severity::warning);
  CHECK(branch.certainty == Certainty::possible);
  CHECK(mentions(branch.message, "is float"));
  CHECK(mentions(branch.message, "may fail to build or fall back to float"));
  CHECK(has_note(branch, "nn.Sequential"));
}

TEST_CASE("case 1: the shortcut quantized, still without residual Q/DQ") {
  const Report report = report_of(block(kInt8Shortcut, "z0 = Add(c2, d)"));
  INFO(shown(report));
  CHECK(only(report, "QDQ201").severity == Severity::warning);
  CHECK(has_note(only(report, "QDQ201"), "two candidates"));
  CHECK(found(report, "QDQ203").empty());
}

TEST_CASE("case 1: Q/DQ on both operands, and on the wrong one") {
  const Report both =
      report_of(block(kInt8Shortcut, pair("c2", "c2d", "a") + "\n" + pair("d", "dd", "a") + "\nz0 = Add(c2d, dd)"));
  INFO(shown(both));
  CHECK(only(both, "QDQ202").severity == Severity::info);
  CHECK(mentions(only(both, "QDQ202").message, "both operands"));
  CHECK(found(both, "QDQ201").empty());

  const Report wrong = report_of(block(kInt8Shortcut, pair("c2", "c2d", "a") + "\nz0 = Add(c2d, d)"));
  CHECK(only(wrong, "QDQ202").severity == Severity::warning);
  CHECK(mentions(only(wrong, "QDQ202").message, "the other way round"));
}

TEST_CASE("case 1: the recommended form is silent") {
  const Report report = report_of(block(kInt8Shortcut, pair("d", "dd", "a") + "\nz0 = Add(c2, dd)"));
  INFO(shown(report));
  CHECK(report.findings.empty());
  const Report turned = report_of(block(kInt8Shortcut, pair("d", "dd", "a") + "\nz0 = Add(dd, c2)"));
  CHECK(turned.findings.empty());
}

TEST_CASE("case 1: an identity block whose pair also feeds the next convolution is silent") {
  Recipe recipe;
  recipe.inputs = "float[1,32,16,16] x";
  recipe.constants = {constant("W1", {32, 32, 3, 3}), constant("W2", {32, 32, 3, 3}), scale("a"), scale("W1_s", 32),
                      scale("W2_s", 32)};
  recipe.lines = {quantized("x", "W1", "c1", std::string(kSame)), "r1 = Relu(c1)",
                  quantized("r1", "W2", "c2", std::string(kSame)), "z0 = Add(c2, c1_x)", "y = Relu(z0)"};
  INFO(shown(report_of(recipe)));
  CHECK(report_of(recipe).findings.empty());
  recipe.lines[3] = "z0 = Add(c2, x)";
  const Finding costs = only(report_of(recipe), "QDQ201");
  CHECK(costs.severity == Severity::info);
  CHECK(mentions(costs.message, "the sum is written in float"));
}

TEST_CASE("case 1: float blocks, constants and broadcasts are no residual blocks") {
  Recipe recipe;
  recipe.inputs = "float[1,32,16,16] x";
  recipe.constants = {constant("W1", {32, 32, 3, 3}),
                      constant("W2", {32, 32, 3, 3}),
                      constant("k", {1, 32, 1, 1}),
                      scale("a"),
                      scale("W1_s", 32),
                      scale("W2_s", 32)};
  const std::vector<std::string> int8 = {quantized("x", "W1", "c1", std::string(kSame)), "r1 = Relu(c1)",
                                         quantized("r1", "W2", "c2", std::string(kSame))};
  SECTION("float") {
    recipe.lines = {"c1 = Conv<kernel_shape=[3,3], pads=[1,1,1,1]>(x, W1)", "r1 = Relu(c1)",
                    "c2 = Conv<kernel_shape=[3,3], pads=[1,1,1,1]>(r1, W2)", "z0 = Add(c2, x)", "y = Relu(z0)"};
  }
  SECTION("constant operand") {
    recipe.lines = int8;
    recipe.lines.emplace_back("y = Add(c2, k)");
  }
  SECTION("broadcast Add") {
    recipe.lines = int8;
    recipe.lines.emplace_back("p = GlobalAveragePool(x)\ny = Add(c2, p)");
  }
  INFO(shown(report_of(recipe)));
  // The recipe holds constants for all sections.
  CHECK(std::ranges::all_of(report_of(recipe).findings, [](const Finding& f) { return f.rule->code == "MDL401"; }));
}

TEST_CASE("case 1: pairs inside of a fused chain, half quantized layers, several scales, unfolded normalization") {
  Recipe recipe;
  recipe.inputs = "float[1,32,16,16] x";
  recipe.constants = {constant("W1", {32, 32, 3, 3}),
                      scale("a"),
                      scale("a2"),
                      scale("W1_s", 32),
                      constant("g", {32}),
                      constant("o", {32})};
  recipe.constants[2] = "float a2 = {0.1}, int8 a2_zero = {0}";
  const std::string conv = quantized("x", "W1", "c1", std::string(kSame));
  struct Row {
    std::string lines;
    std::string_view code;
  };
  const Row rows[] = {
      {conv + "\n" + pair("c1", "q", "a") + "\ny = Relu(q)", "QDQ204"},
      {conv + "\n" + pair("c1", "q", "a") + "\ny = BatchNormalization(q, g, o, o, g)", "QDQ204"},
      {pair("W1", "wd", "W1_s", 0) + "\ny = Conv<kernel_shape=[3,3], pads=[1,1,1,1]>(x, wd)", "QDQ205"},
      {pair("x", "xd", "a") + "\ny = Conv<kernel_shape=[3,3], pads=[1,1,1,1]>(xd, W1)", "QDQ205"},
      {conv + "\n" + pair("x", "x2", "a2") + "\ny = Add(c1, x2)", "QDQ206"},
      {conv + "\ny = BatchNormalization(c1, g, o, o, g)", "QDQ207"},
  };
  for (const Row& row : rows) {
    recipe.lines = {row.lines};
    const Report report = report_of(recipe);
    INFO(row.lines);
    CHECK(only(report, row.code).severity == Severity::info);
    CHECK(is_quiet(report));
  }
}
