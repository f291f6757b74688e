// What a witness refuses and nothing predicted becomes a finding; the witnesses are scripts.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include <fmt/format.h>

#include <trtcheck/confirm.hpp>

#include "scripted.hpp"

using namespace trtcheck;
using namespace trtcheck::test;
using Catch::Matchers::Contains;

TEST_CASE("what the witness refuses and nothing predicted is a finding") {
  Witnesses all;
  const std::string path = all.model(kRelu);
  const Witness refuses = all.saying(answer(false, "null", parser_error("no such thing", "act")));
  struct Row {
    const char* release;
    Severity severity;
    Certainty certainty;
  };
  for (const Row& row :
       {Row{"rtx-1.7", Severity::error, Certainty::proven}, Row{"11.4", Severity::error, Certainty::likely},
        Row{"11.5", Severity::error, Certainty::likely}, Row{"10.13", Severity::warning, Certainty::possible}}) {
    INFO(row.release);
    const Confirmation made = confirm(path, refuses, for_release(row.release));
    Report report = made.requested.value_or(made.report);
    CHECK(report.verdict() == Verdict::clean);
    mark(report, made);
    REQUIRE(report.findings.size() == 1);
    const Finding& finding = report.findings.front();
    CHECK(finding.rule->code == "OPS900");
    CHECK(finding.severity == row.severity);
    CHECK(finding.certainty == row.certainty);
    CHECK_THAT(finding.message, Contains("TensorRT-RTX 1.7.1 refuses the model: `no such thing`"));
    CHECK((finding.message.find("was not asked") == std::string::npos) == answers_for(refuses, report.target.release));
    CHECK(finding.node == "act");
    CHECK(finding.op_type == "Relu");
    CHECK(finding.fingerprint.size() == 16);
    CHECK(finding.signature.size() == 1);
  }
}

TEST_CASE("such a finding is suppressed as any other") {
  Witnesses all;
  const std::string path = all.model(kRelu);
  const Witness refuses = all.saying(answer(false, "null", parser_error("no such thing", "act")));
  const auto marked = [&](const ConfirmOptions& options) {
    const Confirmation made = confirm(path, refuses, options);
    CHECK(made.agreement == Agreement::not_predicted);
    Report report = made.report;
    mark(report, made);
    return report;
  };
  ConfirmOptions options = for_release("rtx-1.7");
  options.check.ignore = {"OPS900"};
  CHECK(marked(options).findings.empty());
  CHECK(marked(options).suppressed == 1);
  options.check.ignore.clear();
  options.check.node_ignores = {{"act", {"refused-by-witness"}, "known"}};
  CHECK(marked(options).findings.empty());
  CHECK(marked(options).suppressions.at(0).reason == "known");
  options.check.node_ignores.clear();
  options.check.severities = {{"OPS9", Severity::warning}};
  CHECK(marked(options).findings.at(0).severity == Severity::warning);
}

TEST_CASE("what was predicted and suppressed was predicted") {
  Witnesses all;
  ConfirmOptions options = for_release("rtx-1.7");
  options.check.ignore = {"WGT"};
  const Witness refuses = all.saying(answer(false, "null", parser_error("bad weights", "bad")));
  const Confirmation made = confirm(all.model(kBad), refuses, options);
  CHECK(made.agreement == Agreement::agree);
  CHECK(made.unpredicted.findings.empty());
  CHECK_THAT(render({&made, 1}, {}), Contains("nothing found (1 suppressed)"));
}

TEST_CASE("of what the parser says each node is a finding, of the builder the first error") {
  Witnesses all;
  const std::string path = all.model("agraph (float[2] x) => (float[2] y) { [one] t = Relu (x) [two] y = Sqrt (t) }");
  const auto findings = [&](const std::string& said) {
    return confirm(path, all.saying(said), for_release("rtx-1.7")).unpredicted.findings;
  };
  const auto error = [](int node, const char* name) {
    return fmt::format(R"({{"code":6,"description":"no","file":"","line":0,"function":"","node":{},"node_name":"{}",)"
                       R"("operator":""}})",
                       node, name);
  };
  const std::string both = "[" + error(0, "one") + "," + error(1, "two") + "," + error(1, "two") + "]";
  CHECK(findings(answer(false, "null", both)).size() == 2);
  const std::string log =
      R"([{"severity":"error","text":"one: bad\nsecond line"},{"severity":"error","text":"two: follows"}])";
  const std::vector<Finding> built = findings(answer(true, "false", "[]", log));
  REQUIRE(built.size() == 1);
  CHECK(built[0].node == "one");
  REQUIRE(!built[0].notes.empty());
  CHECK(built[0].notes[0].message == "second line");
  // A crash without a word is one about the model.
  const Confirmation crash = confirm(path, all.running("kill -SEGV $$"), for_release("rtx-1.7"));
  REQUIRE(crash.unpredicted.findings.size() == 1);
  CHECK(crash.unpredicted.findings[0].node.empty());
  CHECK_THAT(crash.unpredicted.findings[0].message,
             Contains("does not survive the model: `the parser crashed: SIGSEGV`"));
}

TEST_CASE("a warning about the initializer that cannot be imported predicts it") {
  Witnesses all;
  const std::string path = all.model(
      "agraph (float[1,2] x) => (float[1,2] y) <float[2,2] w = [\"location\": \"link.bin\", \"length\": \"16\"]> "
      "{ y = MatMul (x, w) }");
  const TemporaryFolder elsewhere;
  std::ofstream(elsewhere.path / "w.bin") << std::string(16, '\0');
  std::filesystem::create_symlink(elsewhere.path / "w.bin", std::filesystem::path(path).parent_path() / "link.bin");
  const auto asked = [&](const char* name) {
    const std::string text =
        std::string("Failed to import initializer: In node -1 (x): failed: Failed to import initializer: ") + name;
    return confirm(path, all.saying(answer(false, "null", parser_error(text, ""))), for_release("rtx-1.7"));
  };
  REQUIRE(asked("w").report.verdict() == Verdict::uncertain);
  CHECK(asked("w").agreement == Agreement::agree);
  CHECK(asked("w").messages.at(0).matches.at(0).rule->code == "MDL202");
  CHECK(asked("v").agreement == Agreement::not_predicted);
}

TEST_CASE("a parser that gives no reason is told so, with the rule that was predicted for the node") {
  Witnesses all;
  const std::string says = answer(false, "null", parser_error("false", "bad"));
  const Confirmation made = confirm(all.model(kBad), all.saying(says), for_release("rtx-1.7"));
  CHECK(made.reason == "the parser refuses the node and gives no reason");
  REQUIRE(!made.messages.at(0).matches.empty());
  CHECK(made.messages[0].matches[0].rule->code == "WGT103");
  CHECK_THAT(render({&made, 1}, {}), Contains("rule: WGT103"));
  Report report = made.report;
  mark(report, made);
  CHECK(report.findings.at(0).witness ==
        "confirmed: TensorRT-RTX 1.7.1: the parser refuses the node and gives no reason");
}
