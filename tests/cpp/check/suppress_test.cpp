// Findings that somebody does not want to hear of: by metadata of model and node, and by globs over nodes.
#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <set>

#include <fmt/core.h>

#include <trtcheck/trtcheck.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

#include "engine/order.hpp"
#include "proto_edits.hpp"
#include "suppress/ignore_entries.hpp"
#include "suppress/suppress.hpp"

using namespace trtcheck;
using Catch::Matchers::Contains;

namespace {

constexpr std::string_view kTwoFoos = R"(<ir_version: 10, opset_import: ["" : 17, "my" : 1]>
  agraph (bool c, float[N,3] x) => (float[N,3] y, float[N,3] z) {
  [first] y = my.Foo (x)
  [choice] z = If (c) <
    then_branch = yes () => (float[N,3] t) { [inner] t = my.Foo (x) },
    else_branch = no () => (float[N,3] e) { [other] e = Relu (x) }
  >
})";

onnx::NodeProto& inner_node(onnx::ModelProto& model) {
  for (onnx::AttributeProto& attribute : *model.mutable_graph()->mutable_node(1)->mutable_attribute()) {
    if (attribute.name() == "then_branch") return *attribute.mutable_g()->mutable_node(0);
  }
  throw std::logic_error("no then_branch");
}

std::string listed(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += std::string(finding.rule->code) + " " + finding.node + ", " + listed(finding.consequences);
  }
  return text;
}

/// "code node", what is left, consequences behind their cause, and then what is suppressed.
std::string told(const Report& report) {
  std::string text = listed(report.findings) + "|";
  for (const Suppressed& each : report.suppressions) {
    text += " " + std::string(each.finding.rule->code) + " " + each.finding.node + " " +
            std::string(to_string(each.by)) + " (" + each.reason + ")";
  }
  return text;
}

Report with_metadata(const std::function<void(onnx::ModelProto&)>& edit, const CheckOptions& options = {}) {
  return check(test::as_bytes(test::edited(kTwoFoos, edit)), options);
}

Report with_ignores(std::vector<NodeIgnore> ignores) {
  CheckOptions options;
  options.node_ignores = std::move(ignores);
  return check(test::as_bytes(test::onnx_bytes(kTwoFoos)), options);
}

}  // namespace

TEST_CASE("entries of trtcheck.ignore") {
  struct Row {
    const char* text;
    const char* parsed;  ///< "rules: reason", ! before a mistake
  };
  const Row rows[] = {
      {"", ""},
      {" ;\n; ", ""},
      {"WGT101: why", "[WGT101: why]"},
      {"WGT101:why", "[WGT101: why]"},
      {" wgt101 , QDQ,residual-not-quantized :  several words  ", "[wgt101 QDQ residual-not-quantized: several words]"},
      {"WGT101: see https://example.org/1", "[WGT101: see https://example.org/1]"},
      {"WGT101: a; QDQ: b\nOPS:c\r\n", "[WGT101: a][QDQ: b][OPS: c]"},
      {"WGT101,: a", "[WGT101: a]"},
      {"WGT101", "[: !`WGT101` gives no reason, it has to be of the form `RULES: reason`]"},
      {"WGT101:  ", "[: !`WGT101:` gives no reason, it has to be of the form `RULES: reason`]"},
      {": why", "[: why!`: why` names no rule, it has to be of the form `RULES: reason`]"},
      {"WGT999: why", "[: why!`WGT999` is no rule code, prefix, name or fact"},
      {"WGT101 QDQ: why", "[: why!`WGT101 QDQ` is no rule code, prefix, name or fact"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    std::string made;
    for (const IgnoreEntry& entry : parse_ignore_entries(row.text, 10)) {
      std::string rules;
      for (std::string_view rule : entry.rules) rules.append(rules.empty() ? "" : " ").append(rule);
      made += "[" + rules + ": " + std::string(entry.reason);
      for (const std::string& mistake : entry.mistakes) made += "!" + mistake;
      made += "]";
    }
    CHECK(made.starts_with(row.parsed));
    CHECK((made.size() == std::string_view(row.parsed).size() || made.find("no rule code") != std::string::npos));
  }
}

TEST_CASE("metadata of the model suppresses everywhere, that of a node there and in its bodies") {
  CHECK(told(with_metadata([](auto&) {})) == "OPS103 first, OPS103 inner, |");
  CHECK(told(with_metadata([](auto& m) { test::add_metadata(m, "trtcheck.ignore", "OPS103: a"); })) ==
        "| OPS103 first model (a) OPS103 inner model (a)");
  const auto at_node = [](int node, const char* text) {
    return [=](auto& m) { test::add_metadata(*m.mutable_graph()->mutable_node(node), "trtcheck.ignore", text); };
  };
  CHECK(told(with_metadata(at_node(0, "OPS: a"))) == "OPS103 inner, | OPS103 first node (a)");
  CHECK(told(with_metadata(at_node(1, "OPS: a"))) == "OPS103 first, | OPS103 inner node (a)");
  CHECK(told(with_metadata([](auto& m) { test::add_metadata(inner_node(m), "trtcheck.ignore", "OPS: a"); })) ==
        "OPS103 first, | OPS103 inner node (a)");
  CHECK(told(with_metadata(at_node(0, "QDQ: a"))) == "OPS103 first, OPS103 inner, MDL902 first, |");
  CHECK(told(with_metadata(at_node(0, "OPS103"))) == "OPS103 first, OPS103 inner, MDL901 first, |");
}

TEST_CASE("the closest reason is the one that is kept, and all that match are used") {
  const Report report = with_metadata([](auto& m) {
    test::add_metadata(m, "trtcheck.ignore", "OPS103: of the model");
    test::add_metadata(*m.mutable_graph()->mutable_node(1), "trtcheck.ignore", "OPS103: of the If");
    test::add_metadata(inner_node(m), "trtcheck.ignore", "plugin-missing: of the node");
    test::add_metadata(inner_node(m), "trtcheck.ignore", "OPS: again");
  });
  CHECK(told(report) == "| OPS103 first model (of the model) OPS103 inner node (of the node)");
  CHECK(report.suppressed == 2);
  CHECK(report.verdict() == Verdict::clean);
}

TEST_CASE("what is not selected is not called unused") {
  CheckOptions options;
  options.select = {"OPS", "MDL9"};
  const auto edit = [](auto& m) { test::add_metadata(m, "trtcheck.ignore", "QDQ104: a; OPS103: b; OPS101: c"); };
  const Report report = with_metadata(edit, options);
  REQUIRE(report.findings.size() == 1);
  CHECK_THAT(report.findings[0].message, Contains("`OPS101`"));
  CHECK(report.findings[0].severity == Severity::info);
  CHECK(report.findings[0].fingerprint.size() == 16);

  options.ignore = {"suppression-unused"};
  const Report quiet = with_metadata(edit, options);
  CHECK(quiet.findings.empty());
  CHECK(quiet.suppressed == report.suppressed + 1);
}

TEST_CASE("in a function every call counts, and an entry is told once") {
  const auto model = [](const char* text) {
    const std::string bytes = test::edited(R"(
      <ir_version: 10, opset_import: ["" : 17, "m" : 1]>
      agraph (float[2,2] x) => (float y, float z) {
        y = m.F (x)
        z = m.F (x)
      }
      <domain: "m", opset_import: ["" : 17]>
      F (a) => (b) { b = Cast (a) })",
                                           [&](onnx::ModelProto& m) {
                                             auto& node = *m.mutable_functions(0)->mutable_node(0);
                                             test::add_metadata(node, "trtcheck.ignore", text);
                                           });
    return told(check(test::as_bytes(bytes), {}));
  };
  CHECK(model("OPS302: a") == "| OPS302 Cast_0 node (a)");
  CHECK(model("OPS302: a; QDQ: b") == "MDL902 Cast_0, | OPS302 Cast_0 node (a)");
  // The metadata of one call does not count for the others.
  const std::string bytes = test::edited(R"(
    <ir_version: 10, opset_import: ["" : 17, "m" : 1]>
    agraph (float[2,2] x) => (float y) { [call] y = m.F (x) }
    <domain: "m", opset_import: ["" : 17]>
    F (a) => (b) { b = Cast (a) })",
                                         [](onnx::ModelProto& m) {
                                           auto& node = *m.mutable_graph()->mutable_node(0);
                                           test::add_metadata(node, "trtcheck.ignore", "OPS302: a");
                                         });
  CHECK(told(check(test::as_bytes(bytes), {})) == "OPS302 Cast_0, MDL902 call, |");
}

TEST_CASE("hostile metadata takes no time") {
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += "WGT101: a;";
  for (int i = 0; i < 100'000; ++i) many += "wgt,";
  const auto start = std::chrono::steady_clock::now();
  const Report report = with_metadata([&](auto& m) {
    test::add_metadata(m, "trtcheck.ignore", "OPS103: a\n" + std::string(1'000'000, 'x') + ": b\n" + many);
    test::add_metadata(*m.mutable_graph()->mutable_node(0), "trtcheck.ignore", many);
  });
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
  std::ptrdiff_t malformed = 0, unused = 0;
  for (const Finding& finding : report.findings) {
    if (finding.rule->code == "MDL901") ++malformed;
    if (finding.rule->code == "MDL902") ++unused;
    CHECK(finding.message.size() < 400);
  }
  CHECK(malformed == 1);  // the others stand behind the limit
  CHECK(unused == 2000);
}

/// A Concat of so many inputs that nothing produces: a finding for each of them.
Report report_of_many(int inputs) {
  std::string names;
  for (int i = 0; i < inputs; ++i) names += (i == 0 ? "u" : ", u") + std::to_string(i);
  const std::string bytes =
      test::onnx_bytes("agraph (float[N] x) => (float[N] y) { y = Concat <axis = 0> (" + names + ") }");
  CheckOptions options;
  options.most_of_a_rule = 0;
  return check(test::as_bytes(bytes), options);
}

TEST_CASE("many findings at one node are told apart in no time") {
  std::set<std::string> prints;
  const Report report = report_of_many(10'000);
  for (const Finding& finding : report.findings) prints.insert(finding.fingerprint);
  CHECK(report.findings.size() == 10'000);
  CHECK(prints.size() == 10'000);

  const auto start = std::chrono::steady_clock::now();
  CHECK(report_of_many(30'000).findings.size() == 30'000);  // inputs from the 10,000th on count as one place
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
}

TEST_CASE("per-node-ignores") {
  CHECK(told(with_ignores({{"first", {}, "a"}})) == "OPS103 inner, | OPS103 first settings (a)");
  CHECK(told(with_ignores({{"*", {"OPS103"}, "a"}})) == "| OPS103 first settings (a) OPS103 inner settings (a)");
  CHECK(told(with_ignores({{"i*", {"OPS"}, "a"}, {"?nner", {"plugin-missing"}, "b"}})) ==
        "OPS103 first, | OPS103 inner settings (a)");
  const Report report = with_ignores({{"first", {"QDQ", "WGT101"}, "a"}, {"nothing*", {}, "b"}, {"first", {}, "c"}});
  CHECK(told(report) == "OPS103 inner, | OPS103 first settings (c)");
  CHECK(report.unmatched == std::vector<std::string>{"per-node-ignores `first`", "per-node-ignores `nothing*`"});
  CHECK_THROWS_WITH(with_ignores({{"*", {"OPS199"}, "a"}}), Contains("per-node-ignores: `OPS199` is no rule"));
  CHECK_THROWS_WITH(with_ignores({{"*", {}, ""}}), Contains("`*` gives no reason"));
  CHECK_THROWS_WITH(with_ignores({{"[a", {}, "a"}}), Contains("per-node-ignores: `[a`: "));
}

TEST_CASE("what follows from a suppressed finding moves up, or into the next cause") {
  constexpr Rule kRule = [] {
    Rule rule;
    rule.code = "WGT997";
    rule.name = "a-rule";
    return rule;
  }();
  const auto at = [&](std::uint32_t node, NodeId cause) {
    Finding finding;
    finding.rule = &kRule;
    finding.severity = Severity::error;
    finding.node_id = NodeId{node};
    finding.message = std::to_string(node);
    finding.caused_by = cause;
    return finding;
  };
  const auto without = [&](std::string_view gone) {
    Report report;
    report.findings = {at(0, {}), at(1, NodeId{0}), at(2, NodeId{1}), at(3, NodeId{0})};
    suppress(report, [&](const Finding& finding) {
      return gone.find(finding.message) == std::string_view::npos
                 ? std::nullopt
                 : std::optional(SuppressedBecause{Suppressed::By::baseline, "r"});
    });
    engine::fold_consequences(report.findings);
    std::string text;
    for (const Finding& finding : report.findings) {
      text += finding.message + "(";
      for (const Finding& consequence : finding.consequences) text += consequence.message;
      text += ")";
    }
    CHECK(report.suppressed == gone.size());
    CHECK(report.suppressions.size() == gone.size());
    for (const Suppressed& each : report.suppressions) CHECK(each.finding.consequences.empty());
    return text;
  };
  CHECK(without("") == "0(123)");
  CHECK(without("0") == "1(2)3()");
  CHECK(without("1") == "0(3)2()");
  CHECK(without("3") == "0(12)");
  CHECK(without("01") == "2()3()");
  CHECK(without("0123").empty());
}

TEST_CASE("suppressed findings take nobody's place among those that are listed") {
  std::string text = "agraph (float[N] x) => (float[N] y) {";
  std::string made;
  for (int i = 0; i < 30; ++i) {
    text += fmt::format(" [{0}{1}] {0}{1} = Foo{1} (x)", i < 20 ? "known" : "new", i);
    made += fmt::format(", {}{}", i < 20 ? "known" : "new", i);
  }
  const std::string bytes = test::onnx_bytes(text + " y = Sum (x" + made + ") }");
  const auto counts = [&](std::size_t most, bool ignores) {
    CheckOptions options;
    options.select = {"OPS102"};
    options.most_of_a_rule = most;
    if (ignores) options.node_ignores = {{"known*", {}, "seen"}};
    const Report report = check(test::as_bytes(bytes), options);
    const std::size_t unlisted = report.unlisted.empty() ? 0 : report.unlisted.at(0).count;
    CHECK(report.verdict() == Verdict::refused);
    CHECK(report.count(Severity::error) == report.findings.size() + unlisted);
    return fmt::format("{}+{}, {} of {}", report.findings.size(), unlisted, report.suppressions.size(),
                       report.suppressed);
  };
  CHECK(counts(0, false) == "30+0, 0 of 0");
  CHECK(counts(8, false) == "8+22, 0 of 0");
  CHECK(counts(8, true) == "8+2, 8 of 20");
  CHECK(counts(10, true) == "10+0, 10 of 20");
  CHECK(counts(0, true) == "10+0, 20 of 20");
}
