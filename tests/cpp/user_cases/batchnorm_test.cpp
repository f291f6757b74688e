// Case 4: "shift weights has count 16 but 64 was expected" (pytorch/TensorRT 3180).
#include <catch2/catch.hpp>

#include "recipe.hpp"

using namespace trtcheck;
using namespace trtcheck::test;

namespace {

Recipe norm(const std::string& input, const Extents& counts,
            const std::string& line = "y = BatchNormalization(x, g, b, m, v)") {
  Recipe recipe;
  recipe.inputs = input;
  recipe.constants = {constant("g", {counts[0]}), constant("b", {counts[1]}), constant("m", {counts[2]}),
                      constant("v", {counts[3]})};
  recipe.lines = {line};
  return recipe;
}

const Extents k16{16, 16, 16, 16};

}  // namespace

TEST_CASE("case 4: the count is not the number of channels") {
  const Report report = report_of(norm("float[N,64,32,32] x", k16));
  INFO(shown(report));
  CHECK(report.verdict() == Verdict::refused);
  REQUIRE(report.findings.size() == 1);
  CHECK(mentions(only(report, "WGT201").message, "count 16 but 64 was expected"));
}

TEST_CASE("case 4: channels-last data") {
  const Finding finding = only(report_of(norm("float[1,64,64,64,16] x", k16)), "WGT201");
  CHECK(finding.severity == Severity::error);
  CHECK(has_note(finding, "looks like channels-last"));
  CHECK(mentions(finding.fix->title, "Transpose"));
}

TEST_CASE("case 4: near misses") {
  SECTION("the shape of the report, in ONNX") {
    CHECK(report_of(norm("float[N,16,64,64,64] x", k16)).findings.empty());
  }
  SECTION("all axes equal") { CHECK(report_of(norm("float[N,16,16,16] x", k16)).findings.empty()); }
  SECTION("BatchNorm1d is information only") {
    const Report report = report_of(norm("float[N,16] x", k16));
    CHECK(is_quiet(report));
    CHECK(only(report, "WGT207").severity == Severity::info);
  }
  SECTION("a channel that inference knows") {
    Recipe recipe = norm("float[N,3,H,W] x", k16);
    recipe.constants.push_back(constant("w", {16, 3, 3, 3}));
    recipe.lines = {"c = Conv<kernel_shape=[3,3]>(x, w)", "y = BatchNormalization(c, g, b, m, v)"};
    CHECK(report_of(recipe).findings.empty());
  }
}

TEST_CASE("case 4: the four parameters among themselves") {
  CHECK(only(report_of(norm("float[1,3,8,8] x", {3, 3, 3, 4})), "WGT202").severity == Severity::error);
  CHECK(only(report_of(norm("float[1,3,8,8] x", {3, 3, 3, 4}), {"8.6", {}}), "WGT202").severity == Severity::warning);
}

TEST_CASE("case 4: training mode, further outputs, computed parameters, unknown channels") {
  CHECK(only(report_of(norm("float[1,3,8,8] x", {3, 3, 3, 3}, "y, r1, r2, s1, s2 = BatchNormalization(x, g, b, m, v)")),
             "WGT204")
            .severity == Severity::error);

  const Finding unknown = only(report_of(norm("float[1,C,8,8] x", {3, 3, 3, 3})), "WGT206");
  CHECK(unknown.severity == Severity::warning);
  CHECK(unknown.certainty == Certainty::likely);

  Recipe computed = norm("float[1,C,8,8] x", {3, 3, 3, 3}, "g2 = Identity(g)\ny = BatchNormalization(x, g2, b, m, v)");
  const Report report = report_of(computed);
  CHECK(is_quiet(report));
  CHECK(only(report, "WGT205").severity == Severity::info);
}
