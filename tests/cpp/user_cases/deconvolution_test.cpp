// Case 2: quantized transposed convolution as last layer, expected 64, got 10 (pytorch/TensorRT 2723).
#include <catch2/catch.hpp>

#include "recipe.hpp"

using namespace trtcheck;
using namespace trtcheck::test;

namespace {

struct Deconvolution {
  std::int64_t in = 64;
  std::int64_t out = 10;
  std::int64_t scales = 0;  // 0: one for all weights
  int axis = -1;
  std::int64_t bias = 10;
  std::string_view op = "ConvTranspose";
};

Recipe layer(const Deconvolution& what) {
  Recipe recipe;
  recipe.inputs = "float[1," + std::to_string(what.in) + ",16,16] x";
  const Extents weight = what.op == "Conv" ? Extents{what.out, what.in, 1, 1} : Extents{what.in, what.out, 1, 1};
  recipe.constants = {constant("W", weight), constant("B", {what.bias}), scale("a"), scale("w_s", what.scales)};
  recipe.lines = {pair("x", "xd", "a"), pair("W", "wd", "w_s", what.axis),
                  "y = " + std::string(what.op) + "<kernel_shape=[1,1]>(xd, wd, B)"};
  return recipe;
}

}  // namespace

TEST_CASE("case 2: the axis of the scales by target release") {
  struct Row {
    std::string_view release;
    int axis;
    bool risky;
  };
  const Row rows[] = {{"8.2", 1, true},   {"8.6", 1, true},   {"9.1", 1, true},   {"9.3", 1, false},
                      {"10.1", 1, true},  {"10.2", 1, false}, {"10.3", 1, false}, {"11.1", 1, false},
                      {"8.2", 0, false},  {"8.6", 0, false},  {"9.1", 0, false},  {"9.3", 0, true},
                      {"10.1", 0, false}, {"10.2", 0, true},  {"10.3", 0, true},  {"11.1", 0, true}};
  for (const Row& row : rows) {
    // Square, so that nothing else is at stake.
    const Report report =
        report_of(layer({.in = 64, .out = 64, .scales = 64, .axis = row.axis, .bias = 64}), {row.release, {}});
    INFO(row.release << " axis " << row.axis << "\n" << shown(report));
    CHECK(found(report, "QDQ301").size() == (row.risky ? 1 : 0));
    // What only the toolkit of a release speaks for is information.
    const bool is_told_softly = row.release == "9.1" || row.release == "10.1";
    CHECK(is_quiet(report) == (!row.risky || is_told_softly));
    CHECK(report.count(Severity::error) == 0);
  }
}

TEST_CASE("case 2: the layer of the report") {
  CHECK(only(report_of(layer({.scales = 64, .axis = 0}), {"10.3", {}}), "QDQ301").severity == Severity::warning);
  CHECK(only(report_of(layer({.scales = 64, .axis = 0}), {"9.3", {}}), "QDQ301").severity == Severity::warning);
  CHECK(only(report_of(layer({.scales = 10, .axis = 1}), {"8.6", {}}), "QDQ301").severity == Severity::warning);
  CHECK(found(report_of(layer({.scales = 10, .axis = 1})), "QDQ301").empty());
  CHECK(is_quiet(report_of(layer({.scales = 10, .axis = 1}))));
}

TEST_CASE("case 2: unequal channels with several scales up to 8.4") {
  const Finding refused = only(report_of(layer({.scales = 10, .axis = 1}), {"8.0", {}}), "QDQ301");
  CHECK(refused.severity == Severity::error);
  CHECK(mentions(refused.message, "64 input and 10 output channels"));
  CHECK(only(report_of(layer({.scales = 64, .axis = 0}), {"8.4", {}}), "QDQ301").severity == Severity::warning);
  CHECK(found(report_of(layer({.scales = 64, .axis = 0}), {"8.5", {}}), "QDQ301").empty());
}

TEST_CASE("case 2: the bias is sized by the wrong axis") {
  const Finding finding = only(report_of(layer({.bias = 64})), "WGT105");
  CHECK(finding.severity == Severity::error);
  CHECK(mentions(finding.message, "bias `B` has 64 values"));
  CHECK(mentions(finding.message, "needs 10"));
  CHECK(has_note(finding, "64 is axis 0 of weight"));
}

TEST_CASE("case 2: scale length against the axis, axis left out") {
  // Two: the QuantizeLinear, and its DequantizeLinear as a consequence.
  const std::vector<Finding> wrong = found(report_of(layer({.scales = 64, .axis = 1})), "QDQ104");
  REQUIRE(wrong.size() == 2);
  CHECK(mentions(wrong[0].message, "has 64 values, axis 1 of `W` has 10"));

  for (std::string_view release : {"8.6", "10.3", "10.12"}) {
    const std::vector<Finding> hits = found(report_of(layer({.scales = 10}), {release, {}}), "QDQ104");
    REQUIRE(hits.size() == 2);  // the QuantizeLinear, and its DequantizeLinear as a consequence
    CHECK(hits[0].severity == Severity::error);
    CHECK(mentions(hits[0].message, "has 10 values, axis 0 of `W` has 64"));
    CHECK(has_note(hits[0], "ONNX means 1, TensorRT " + std::string(release) + " reads 0"));
  }
  // From 10.13 on the parser's default is that of ONNX.
  const Report newer = report_of(layer({.scales = 10}), {"10.13", {}});
  CHECK(found(newer, "QDQ104").empty());
  CHECK(found(newer, "QDQ110").size() == 2);
  CHECK(is_quiet(newer));
}

TEST_CASE("case 2: a quantized layer that writes a graph output is told as information") {
  const Report report = report_of(layer({}));
  INFO(shown(report));
  CHECK(only(report, "QDQ303").severity == Severity::info);
}

TEST_CASE("case 2: near misses") {
  SECTION("one scale for all weights is fine in every version") {
    for (TrtVersion release : known_releases()) {
      const Report report = report_of(layer({}), {to_string(release), {}});
      INFO(to_string(release) << "\n" << shown(report));
      CHECK(is_quiet(report));
    }
  }
  SECTION("the same layer as a convolution") {
    const Report report = report_of(layer({.scales = 10, .axis = 0, .op = "Conv"}));
    INFO(shown(report));
    CHECK(report.findings.empty());
  }
  SECTION("equal channels build either way, the numbers may differ") {
    const Finding finding =
        only(report_of(layer({.in = 64, .out = 64, .scales = 64, .axis = 0, .bias = 64})), "QDQ301");
    CHECK(finding.severity == Severity::warning);
    CHECK(has_note(finding, "nothing stops the build"));
  }
}

TEST_CASE("case 2: a convolution has its scales on axis 0") {
  const Finding finding = only(report_of(layer({.scales = 64, .axis = 1, .op = "Conv"})), "QDQ302");
  CHECK(finding.severity == Severity::warning);
}
