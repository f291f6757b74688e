// Two versions of a model.
#include <catch2/catch.hpp>

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include <trtcheck/diff.hpp>
#include <trtcheck/trtcheck.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

using namespace trtcheck;
using Catch::Matchers::Contains;

namespace {

Diff compared(const std::string& before, const std::string& after, const CheckOptions& options = {}) {
  const std::string old_bytes = test::onnx_bytes(before), new_bytes = test::onnx_bytes(after);
  const Model old_model = read_model(test::as_bytes(old_bytes)), new_model = read_model(test::as_bytes(new_bytes));
  return diff(old_model, check(old_model, options), new_model, check(new_model, options));
}

std::string codes(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    CHECK(finding.consequences.empty());
    text += (text.empty() ? "" : " ") + std::string(finding.rule->code) + ":" + finding.node;
  }
  return text;
}

std::string interface_text(const std::string& before, const std::string& after) {
  std::string text;
  for (const InterfaceChange& change : compared(before, after).interface) {
    text += std::string(text.empty() ? "" : "; ") + std::string(to_string(change.kind)) + " " + change.name + ": " +
            change.before + " -> " + change.after;
  }
  return text;
}

std::string model(const std::string& nodes, const std::string& inputs = "float[N,3] x",
                  const std::string& outputs = "float[N,3] y",
                  const std::string& header = "ir_version: 10, opset_import: [\"\" : 17, \"my\" : 1]") {
  return "<" + header + "> agraph (" + inputs + ") => (" + outputs + ") { " + nodes + " }";
}

std::string rendered(const Diff& diff, Format format) { return render(diff, {.format = format}); }

}  // namespace

TEST_CASE("findings are new, gone or kept") {
  const std::string two = model("[a] t = my.Foo (x) [b] y = my.Bar (t)");
  struct Row {
    std::string before, after, fresh, gone, kept;
  };
  const Row rows[] = {
      {two, two, "", "", "OPS103:a OPS103:b"},
      {two, model("[c] s = my.Foo (x) [d] y = my.Bar (s)"), "", "", "OPS103:c OPS103:d"},
      {two, model("[a] y = my.Foo (x)"), "", "OPS103:b", "OPS103:a"},
      {model("[a] y = my.Foo (x)"), two, "OPS103:b", "", "OPS103:a"},
      {model("[a] y = my.Foo (x)"), model("[a] y = my.Foo <k = 1> (x)"), "OPS103:a", "OPS103:a", ""},
      // One of two that share a fingerprint is gone.
      {model("[a] y = my.Foo (x) [b] z = my.Foo (x)", "float[N,3] x", "float[N,3] y, float[N,3] z"),
       model("[b] y = my.Foo (x)"), "", "OPS103:b", "OPS103:b"},
      {model("y = Relu (x)"), two, "OPS103:a OPS103:b", "", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.before, row.after);
    const Diff made = compared(row.before, row.after);
    CHECK(codes(made.fresh) == row.fresh);
    CHECK(codes(made.gone) == row.gone);
    CHECK(codes(made.kept) == row.kept);
    CHECK(made.has_new(Severity::error) == !row.fresh.empty());
  }
}

TEST_CASE("a finding that becomes more severe is new") {
  const Report mild = [] {
    Report report;
    Finding finding;
    finding.rule = find_rule("OPS103");
    finding.severity = Severity::warning;
    finding.fingerprint = "0123456789abcdef";
    report.findings = {finding};
    return report;
  }();
  Report severe = mild;
  severe.findings[0].severity = Severity::error;
  const std::string bytes = test::onnx_bytes(model("y = Relu (x)"));
  const Model relu = read_model(test::as_bytes(bytes));
  const Diff worse = diff(relu, mild, relu, severe);
  CHECK(worse.fresh.size() == 1);
  CHECK(worse.gone.size() == 1);
  CHECK(worse.has_new(Severity::error));
  const Diff better = diff(relu, severe, relu, mild);
  CHECK_FALSE(better.has_new(Severity::error));
  CHECK(better.has_new(Severity::warning));
}

TEST_CASE("changes of the interface") {
  const std::string relu = "y = Relu (x)";
  const std::string base = model(relu);
  const auto to = [&](const std::string& inputs, const std::string& outputs = "float[N,3] y") {
    return interface_text(base, model(relu, inputs, outputs));
  };
  CHECK(interface_text(base, base).empty());
  CHECK(to("float[M,3] x") == "input x: FLOAT[N,3] -> FLOAT[M,3]");
  CHECK(to("float[1,3] x") == "input x: FLOAT[N,3] -> FLOAT[1,3]");
  CHECK(to("float16[N,3] x") == "input x: FLOAT[N,3] -> FLOAT16[N,3]");
  CHECK(to("float[N,3,1] x") == "input x: FLOAT[N,3] -> FLOAT[N,3,1]");
  CHECK(to("float[N,?] x") == "input x: FLOAT[N,3] -> FLOAT[N,?]");
  CHECK(to("float[] x") == "input x: FLOAT[N,3] -> FLOAT");
  CHECK(to("float[N,3] x, bool mask") == "input mask:  -> BOOL[]");
  CHECK(to("float[N,3] x", "float[N,3] y, float[N,3] x") == "output x:  -> FLOAT[N,3]");
  CHECK(to("seq(float[N]) x") == "input x: FLOAT[N,3] -> sequence of FLOAT[N]");
  // A new name is another input: nothing is guessed.
  CHECK(interface_text(base, model("y = Relu (z)", "float[N,3] z")) ==
        "input x: FLOAT[N,3] -> ; input z:  -> FLOAT[N,3]");
  CHECK(interface_text(model("y = Add (a, b)", "float a, float b"), model("y = Add (a, b)", "float b, float a")) ==
        "order of inputs : a, b -> b, a");
  CHECK(interface_text(base, model(relu, "float[N,3] x", "float[N,3] y",
                                   "ir_version: 9, opset_import: [\"\" : 18, \"my\" : 1, \"com.microsoft\" : 1], "
                                   "producer_name: \"pytorch\", producer_version: \"2.9\"")) ==
        "opset ai.onnx: 17 -> 18; opset com.microsoft:  -> 1; IR version : 10 -> 9; producer :  -> pytorch 2.9");
}

TEST_CASE("what gates may ask") {
  const std::string base = model("y = Relu (x)");
  CHECK(compared(base, model("y = Relu (x)", "float[M,3] x")).changes_interface());
  CHECK_FALSE(compared(base, model("t = Neg (x) y = Relu (t)")).changes_interface());
  CHECK_FALSE(compared(base,
                       "<ir_version: 9, opset_import: [\"\" : 18, \"my\" : 1]> agraph (float[N,3] x) => (float[N,3] y) "
                       "{ y = Relu (x) }")
                  .changes_interface());
}

TEST_CASE("operators are counted in bodies, calls of functions once") {
  const std::string before = R"(<ir_version: 10, opset_import: ["" : 17, "m" : 1]>
    agraph (bool c, float[N] x) => (float[N] y) {
      a = m.Twice (x)
      y = If (c) < then_branch = t () => (float[N] u) { u = Relu (a) }, else_branch = e () => (float[N] v) { v = Neg (a) } >
    }
    <domain: "m", opset_import: ["" : 17]>
    Twice (p) => (q) { q = Add (p, p) })";
  const Diff made = compared(before, model("y = Relu (x)", "bool c, float[N] x", "float[N] y"));
  std::string text;
  for (const OperatorChange& change : made.operators) {
    text += fmt::format("{} {} {}; ", change.op_type, change.before, change.after);
  }
  CHECK(text == "If 1 0; Neg 1 0; m.Twice 1 0; ");
}

TEST_CASE("the formats") {
  const Diff made = compared(model("[gone] s = my.Bar (x) y = Relu (s)"),
                             model("[fresh] y = my.Foo (x, flag)", "float[N,3] x, bool flag"));
  CHECK(rendered(made, Format::concise) == "new: error[OPS103] " + made.fresh[0].message + " (fresh)\n" +
                                               "gone: error[OPS103] " + made.gone[0].message + " (gone)\n" +
                                               "input `flag`: new: BOOL[]\n");
  const std::string full = rendered(made, Format::full);
  CHECK_THAT(full, Catch::StartsWith("before: <model>: refused for TensorRT"));
  CHECK_THAT(full, Contains("\nnew (1 error):\n\nerror[OPS103] plugin-missing: "));
  CHECK_THAT(full, Contains("   = node: Foo `fresh`\n"));
  CHECK_THAT(full, Contains("\ngone (1 error):\n  error[OPS103] "));
  CHECK_THAT(full, Contains("\ninterface:\n  input `flag`: new: BOOL[]\n"));
  CHECK_THAT(full, Contains("\noperators:\n  Relu 1 -> 0, my.Bar 1 -> 0, my.Foo 0 -> 1\n"));
  CHECK_THAT(full, Catch::EndsWith("\n1 new, 1 gone, 0 kept; the interface changed\n"));

  const auto json = nlohmann::json::parse(rendered(made, Format::json));
  CHECK(json["new"][0]["node"] == "fresh");
  CHECK(json["new"][0]["fingerprint"] == made.fresh[0].fingerprint);
  CHECK(json["gone"][0]["node"] == "gone");
  CHECK(json["kept"].empty());
  CHECK(json["interface"][0] ==
        nlohmann::json{{"kind", "input"}, {"name", "flag"}, {"before", nullptr}, {"after", "BOOL[]"}});
  CHECK(json["before"]["verdict"] == "refused");

  const std::string markdown = rendered(made, Format::markdown);
  CHECK_THAT(markdown, Catch::StartsWith("## trtcheck: 1 new, 1 gone, 0 kept; the interface changed\n"));
  CHECK_THAT(markdown, Contains("\n### New: 1 error\n\n| severity | rule | node | finding |\n|---|---|---|---|\n"
                                "| error | OPS103 | <code>fresh</code> | "));
  CHECK_THAT(markdown, Contains("\n| input <code>flag</code> |  | <code>BOOL"));
  CHECK_THROWS_WITH(rendered(made, Format::sarif), Contains("full, concise, json and markdown"));

  const std::string same = rendered(compared(model("y = Relu (x)"), model("y = Relu (x)")), Format::full);
  CHECK_THAT(same, Catch::EndsWith("\n\n0 new, 0 gone, 0 kept\n"));
}

TEST_CASE("hostile names are escaped in every format") {
  Diff made = compared(model("y = Relu (x)"), model("[n] y = my.Foo (x)"));
  const std::string evil = "\x1b[2J\xff\n| <script> ![x](http://a) @all `";
  made.before.path = made.after.path = evil;
  made.interface = {{InterfaceChange::Kind::input, evil, evil, evil}};
  made.operators = {{evil, 1, 2}};
  made.fresh[0].node = made.fresh[0].message = evil;
  made.gone = made.kept = made.fresh;
  const std::string markdown = rendered(made, Format::markdown);
  CHECK(markdown.find("<script>") == std::string::npos);
  CHECK(markdown.find("![x](") == std::string::npos);
  CHECK(markdown.find("@all") == std::string::npos);
  for (const Format format : {Format::full, Format::concise, Format::json, Format::markdown}) {
    const std::string text = rendered(made, format);
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\xff') == std::string::npos);
    CHECK(text.find("\n| <script>") == std::string::npos);
  }
}
