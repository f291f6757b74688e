// Severities that the user overrides.
#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

#include <trtcheck/trtcheck.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

#include "check/severities.hpp"
#include "engine/order.hpp"

using namespace trtcheck;
using Catch::Matchers::Contains;

namespace {

Finding finding(const char* rule, Severity severity, std::uint32_t node, NodeId caused_by = {}) {
  Finding made;
  made.rule = find_rule(rule);
  made.severity = severity;
  made.node_id = NodeId{node};
  made.caused_by = caused_by;
  return made;
}

using Words = std::vector<SeverityOverride>;

/// As a check goes on with them.
std::vector<Finding> changed(const Words& words, std::vector<Finding> findings) {
  Severities(words).apply(findings);
  engine::sort_findings(findings);
  engine::fold_consequences(findings);
  return findings;
}

}  // namespace

TEST_CASE("the most specific word counts, of equals the last") {
  struct Row {
    Words words;
    Severity expected;
  };
  constexpr auto kInfo = Severity::info;
  constexpr auto kError = Severity::error;
  const Row rows[] = {
      {{}, Severity::warning},
      {{{"WGT", kInfo}}, Severity::warning},
      {{{"QDQ", kInfo}}, kInfo},
      {{{"qdq1", kInfo}}, kInfo},
      {{{"QDQ", kInfo}, {"QDQ1", kError}}, kError},
      {{{"QDQ104", kError}, {"QDQ1", kInfo}}, kError},
      {{{"scale-length", kError}, {"Q", kInfo}}, kError},
      {{{"scale-length", kError}, {"QDQ104", kInfo}}, kInfo},
      {{{"QDQ104", kInfo}, {"scale-length", kError}}, kError},
  };
  for (const Row& row : rows) {
    const auto result = changed(row.words, {finding("QDQ104", Severity::warning, 0)});
    CHECK(result.at(0).severity == row.expected);
  }
}

TEST_CASE("findings are sorted and folded as their new severities say") {
  const std::vector<Finding> findings{finding("WGT101", Severity::error, 0),
                                      finding("QDQ104", Severity::warning, 1, NodeId{0}),
                                      finding("SHP101", Severity::warning, 2)};

  const auto risen = changed({{"QDQ104", Severity::error}, {"WGT101", Severity::warning}}, findings);
  REQUIRE(risen.size() == 3);  // nothing severe hides behind something mild
  CHECK(risen[0].rule->code == "QDQ104");
  CHECK(risen[1].rule->code == "WGT101");
  CHECK(risen[2].rule->code == "SHP101");

  const auto mild = changed({{"QDQ", Severity::info}, {"SHP", Severity::error}}, findings);
  REQUIRE(mild.size() == 2);
  CHECK(mild[0].rule->code == "WGT101");
  REQUIRE(mild[0].consequences.size() == 1);
  CHECK(mild[0].consequences[0].severity == Severity::info);
  CHECK(mild[1].severity == Severity::error);
}

TEST_CASE("a rule that failed keeps its severity") {
  const auto result = changed({{"MDL", Severity::info}}, {finding("internal-error", Severity::error, 0)});
  CHECK(result.at(0).severity == Severity::error);
}

TEST_CASE("counts and verdict follow, and words that match no rule are an error") {
  const std::string model = test::onnx_bytes("agraph (float[N,3] x) => (float[N,3] y) { y = Foo (x) }");
  CheckOptions options;
  CHECK(check(test::as_bytes(model), options).verdict() == Verdict::refused);
  options.severities = {{"OPS", Severity::warning}};
  const Report report = check(test::as_bytes(model), options);
  CHECK(report.verdict() == Verdict::uncertain);
  CHECK(report.count(Severity::warning) == 1);
  CHECK(report.count(Severity::error) == 0);
  options.severities = {{"OPX", Severity::warning}};
  CHECK_THROWS_WITH(check(test::as_bytes(model), options), Contains("severity: `OPX` is no rule"));
}

TEST_CASE("profiles of inputs that a model lacks") {
  const std::string model = test::onnx_bytes("agraph (float[N,3] x) => (float[N,3] y) { y = Relu (x) }");
  CheckOptions options;
  options.target.profile = {parse_profile("x=1x3:2x3:4x3"), parse_profile("mask=1")};
  CHECK_THROWS_WITH(check(test::as_bytes(model), options), Contains("no input `mask`"));
  options.skip_unknown_inputs = true;
  const Report report = check(test::as_bytes(model), options);
  CHECK(report.unmatched == std::vector<std::string>{"profile `mask`"});
  REQUIRE(report.target.profile.size() == 1);
  CHECK(report.target.profile[0].name == "x");
}
