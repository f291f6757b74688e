// The runner: order, consequences, selection, a rule that fails, several calls of one function.
#include <array>
#include <catch2/catch.hpp>
#include <stdexcept>

#include <fmt/core.h>
#include <trtcheck/error.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

#include "checked.hpp"
#include "engine/order.hpp"
#include "engine/run.hpp"
#include "rules/rule_context.hpp"
#include "view/inference_options.hpp"

using namespace trtcheck;
using Catch::Matchers::Contains;

namespace {

constexpr std::string_view kAnyOps[] = {"Relu", "Neg", "Abs", "Exp"};
constexpr std::string_view kEvidence[] = {"somewhere"};

void report_op(rules::RuleContext& context) { context.add(std::string(context.node().op_type)); }
void fail(rules::RuleContext& context) {
  context.add("found before it failed");
  context.add("half of it");
  throw std::runtime_error("out of luck");
}
Rule make_rule(std::string_view code, std::string_view name, void (*check)(rules::RuleContext&)) {
  Rule rule;
  rule.code = code;
  rule.name = name;
  rule.severity = Severity::error;
  rule.certainty = Certainty::proven;
  rule.evidence = kEvidence;
  rule.ops = kAnyOps;
  rule.check = check;
  return rule;
}

engine::RunResult run(std::string_view onnx, std::span<const Rule* const> list, const Target& target = {},
                      const engine::Selection& selection = {}) {
  const std::string bytes = test::onnx_bytes(onnx);
  const Model model = read_model(test::as_bytes(bytes));
  const Shapes shapes = infer(model, inference_options(model, target));
  return engine::run_rules({.model = model,
                            .shapes = shapes,
                            .target = target,
                            .selection = selection,
                            .releases = {&target.release, 1},
                            .rules = list})
      .front();
}

constexpr std::string_view kChain = R"(agraph (float[N,4] x) => (float[N,4] y, float[N,4] z) {
  a = Relu (x)
  b = Neg (a)
  y = Abs (b)
  z = Exp (b)
})";

}  // namespace

TEST_CASE("findings of rules that were not selected are counted") {
  const std::string model = "agraph (float[N] x) => (float[K] y) { t = Relu (u) y = Unique (t) }";
  const auto only = [&](std::vector<std::string> select, std::vector<std::string> ignore) {
    return run(model, all_rules(), {}, engine::Selection(select, ignore));
  };
  CHECK(only({}, {}).findings.size() == 2);
  CHECK(only({}, {}).suppressed == 0);
  CHECK(only({"OPS"}, {}).findings.size() == 1);
  CHECK(only({"OPS"}, {}).suppressed == 1);
  CHECK(only({"mdl103"}, {}).findings.at(0).rule->code == "MDL103");
  CHECK(only({"undefined-input", "OPS1"}, {}).findings.size() == 2);
  CHECK(only({"OPS"}, {"op-unsupported"}).findings.empty());
  CHECK(only({}, {"MDL", "OPS"}).suppressed == 2);
}

TEST_CASE("a word that selects nothing gets a suggestion") {
  const auto select = [](const char* word) { engine::Selection({{std::string(word)}}, {}); };
  CHECK_THROWS_WITH(select("op-unsuported"), Contains("did you mean `op-unsupported`?"));
  CHECK_THROWS_WITH(select("OPS190"), Contains("did you mean `OPS1"));
  CHECK_THROWS_WITH(select("OBS"), Contains("did you mean `OPS`?"));
  CHECK_THROWS_WITH(select("nothing like it at all"), !Contains("did you mean"));
  CHECK_THROWS_AS(select(""), Error);
  CHECK_THROWS_WITH(engine::Selection({}, {{std::string("XYZ")}}), Contains("ignore"));
}

TEST_CASE("a complete finding") {
  const auto findings = test::findings_of(R"(
    agraph (float[N,4] x, float[4] v) => (float[N,4] y) {
      [add1] y = Add (x, v, w)
    })");
  const auto it =
      std::ranges::find(findings, std::string_view("MDL103"), [](const Finding& f) { return f.rule->code; });
  REQUIRE(it != findings.end());
  CHECK(it->node == "add1");
  CHECK(it->op_type == "Add");
  CHECK(it->graph == "main");
  CHECK(it->value == "w");
  CHECK(it->signature == std::vector<std::string>{"x: FLOAT[N,4]", "v: FLOAT[4]", "w: ?"});
  CHECK(it->evidence.size() == it->rule->evidence.size());
  CHECK(it->certainty == Certainty::proven);
  CHECK_FALSE(it->source);
}

TEST_CASE("a rule that throws becomes a finding, and hides nothing but what it was saying") {
  const Rule broken = make_rule("WGT998", "broken", fail);
  const Rule* const list[] = {&broken, find_rule("MDL103")};
  const auto result = run("agraph (float[N] x) => (float[N] y) { y = Relu (u) }", list);
  REQUIRE(result.findings.size() == 3);
  const auto found = [&](std::string_view name) {
    const auto it = std::ranges::find(result.findings, name, [](const Finding& f) { return f.rule->name; });
    REQUIRE(it != result.findings.end());
    return it->message;
  };
  CHECK_FALSE(found("undefined-input").empty());
  CHECK_THAT(found("broken"), Contains("found before it failed"));
  CHECK_THAT(found("internal-error"), Contains("`broken`") && Contains("out of luck"));
}

TEST_CASE("the same finding in several calls of a function is told once") {
  const auto findings = test::findings_of(R"(
    <ir_version: 10, opset_import: ["" : 17, "m" : 1]>
    agraph (float[2,2] x) => (float y, float z, float v) {
      y = m.F (x)
      z = m.F (x)
      v = m.F (x)
    }
    <domain: "m", opset_import: ["" : 17]>
    F (a) => (b) { b = Cast (a) })");
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].graph == "main/F_0");
  REQUIRE(findings[0].notes.size() == 1);
  CHECK(findings[0].notes[0].message == "the same in 2 other calls of this function");
}

TEST_CASE("consequences are folded into the first cause, chains lie flat, nothing severe hides behind something mild") {
  const Rule rule = make_rule("MDL998", "a-rule", report_op);
  const std::string bytes = test::onnx_bytes(kChain);
  const Model model = read_model(test::as_bytes(bytes));
  const auto at = [&](std::uint32_t node, Severity severity, NodeId cause) {
    Finding finding;
    finding.rule = &rule;
    finding.severity = severity;
    finding.node_id = NodeId{node};
    finding.message = std::to_string(node);
    finding.caused_by = cause;
    return finding;
  };
  const auto folded = [&](std::vector<Finding> findings) {
    engine::sort_findings(findings);
    engine::fold_consequences(findings);
    std::string text;
    for (const Finding& finding : findings) {
      text += finding.message + "(";
      for (const Finding& consequence : finding.consequences) text += consequence.message;
      text += ")";
    }
    return text;
  };
  const NodeId none;
  CHECK(folded({at(0, Severity::error, none), at(1, Severity::warning, NodeId{0}), at(2, Severity::info, NodeId{1})}) ==
        "0(12)");
  // Node 3 has no finding: what follows from it stands alone.
  CHECK(folded({at(0, Severity::error, NodeId{3})}) == "0()");
  // An error is not hidden behind a warning.
  CHECK(folded({at(0, Severity::warning, none), at(1, Severity::error, NodeId{0})}) == "1()0()");
  // Two findings at the cause: the more severe one takes it.
  CHECK(folded({at(0, Severity::info, none), at(0, Severity::error, none), at(1, Severity::info, NodeId{0})}) ==
        "0(1)0()");
  // A circle hangs on nobody: both stay.
  CHECK(folded({at(0, Severity::error, NodeId{1}), at(1, Severity::error, NodeId{0})}) == "0()1()");
  // Of its own node.
  CHECK(folded({at(0, Severity::error, NodeId{0})}) == "0()");
}

TEST_CASE("errors first, then place, then code") {
  const std::string bytes = test::onnx_bytes(kChain);
  const Model model = read_model(test::as_bytes(bytes));
  const Rule a = make_rule("MDL998", "a", report_op);
  const Rule b = make_rule("WGT998", "b", report_op);
  const auto make = [&](const Rule& rule, Severity severity, NodeId node, const char* message) {
    Finding finding;
    finding.rule = &rule;
    finding.severity = severity;
    finding.node_id = node;
    finding.graph = "main";
    finding.message = message;
    return finding;
  };
  std::vector<Finding> findings{make(b, Severity::warning, NodeId{0}, "6"), make(b, Severity::error, NodeId{1}, "4"),
                                make(a, Severity::error, NodeId{1}, "3"),   make(a, Severity::error, NodeId{0}, "2"),
                                make(a, Severity::error, NodeId{}, "1"),    make(a, Severity::warning, NodeId{0}, "5"),
                                make(a, Severity::info, NodeId{}, "7")};
  engine::sort_findings(findings);
  std::string order;
  for (const Finding& finding : findings) order += finding.message;
  CHECK(order == "1234567");
}

TEST_CASE("branches that are never taken and functions that are shadowed are not visited") {
  CHECK(test::findings_of(R"(
    agraph (float[2,2] x) => (float y)
    <bool c = {1}> {
      y = If (c) <
        then_branch = t () => (float a) { a = ReduceMax <keepdims = 0> (x) },
        else_branch = e () => (float b) { b = Det (x) }
      >
    })")
            .empty());
}

TEST_CASE("a branch that is never taken is imported where its condition is computed, and not compiled") {
  // how the condition is decided, what stands in the branch, whether it is refused
  struct Row {
    const char* condition;
    const char* branch;
    bool refused;
  };
  const char* const integers = "c = Equal (two, three)";
  const char* const reals = "q = Mul (half, half) c = Less (half, q)";
  const char* const data = "z = ReduceSum <keepdims = 0> (x) c = Less (z, half)";
  const char* const constant = "c = Constant <value = bool {0}> ()";
  const char* const kernels = "a = Exp (i)";     // no kernel for INT8
  const char* const parser = "a = Hardmax (i)";  // the parser looks at the type
  const Row rows[] = {
      {integers, kernels, false}, {integers, parser, true},   {reals, kernels, true},    {data, kernels, true},
      {data, parser, true},       {constant, kernels, false}, {constant, parser, false},
  };
  for (const Row& row : rows) {
    INFO(row.condition << " / " << row.branch);
    const std::string model = fmt::format(R"(
      <ir_version: 8, opset_import: ["" : 17]>
      agraph (float[2] x, int8[2] i, int8[2] j) => (int8[2] y)
      <int64 two = {{2}}, int64 three = {{3}}, float half = {{0.5}}> {{
        {}
        y = If (c) <then_branch = t () => (int8[2] a) {{ {} }}, else_branch = e () => (int8[2] b) {{ b = Identity (j) }}>
      }})",
                                          row.condition, row.branch);
    const auto findings = test::findings_of(model, "target=11.5");
    CHECK(std::ranges::any_of(findings, [](const Finding& f) { return f.severity == Severity::error; }) == row.refused);
  }
}

TEST_CASE("handlers, in the order of each release") {
  // name, in the model as function, user plugin, release -> what is found
  struct Row {
    const char* options;
    bool refused;
  };
  const std::string model = R"(
    <ir_version: 10, opset_import: ["" : 17, "m" : 1]>
    agraph (float[2,2] x) => (float[2,2] y) { y = m.Twice (x) }
    <domain: "m", opset_import: ["" : 17]>
    Twice (a) => (b) { b = Det (a) })";
  const Row rows[] = {
      {"target=8.6", true},                 // the function is not expanded
      {"target=9.0", true},                 // expanded: Det in its body is refused
      {"target=10.6 plugin=Twice", true},   // the function goes before the plugin
      {"target=10.7 plugin=Twice", false},  // the plugin goes first
      {"target=10.14 plugin=Twice", false},
      {"target=10.15 plugin=Twice", true},  // the function again
      {"target=8.6 plugin=Twice", false},   // functions are not known, the plugin is
  };
  for (const Row& row : rows) {
    INFO(row.options);
    const auto findings = test::findings_of(model, row.options);
    CHECK(std::ranges::any_of(findings, [](const Finding& f) { return f.severity == Severity::error; }) == row.refused);
  }
}
