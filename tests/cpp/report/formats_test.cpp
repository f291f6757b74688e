// Formats for other programs: that hostile names change nothing but the text, and that equal input gives equal bytes.
// Schemas and foreign readers are in tests/python/test_formats.py.
#include <catch2/catch.hpp>

#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include <trtcheck/error.hpp>
#include <trtcheck/report.hpp>

#include "sample.hpp"

using namespace trtcheck;
using nlohmann::json;
using trtcheck::test::finding;
using trtcheck::test::grouped_finding;

namespace {

std::string rendered(const Report& report, Format format, RenderOptions options = {}) {
  options.format = format;
  return render({&report, 1}, options);
}

json sarif(const Report& report, const RenderOptions& options = {}) {
  return json::parse(rendered(report, Format::sarif, options))["runs"][0];
}

bool is_json(Format format) {
  return format == Format::json || format == Format::jsonl || format == Format::sarif || format == Format::gitlab;
}
bool is_markup(Format format) {
  return format == Format::junit || format == Format::markdown || format == Format::html;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Every text of a finding is this one.
Finding hostile_finding(const std::string& text) {
  Finding out = grouped_finding();
  out.message = out.node = out.op_type = out.graph = out.value = out.module = text;
  out.signature = {text};
  out.source = out.library = SourceLocation{text, 7, text, text};
  const SourceLocation elsewhere{text, 8, text, text};
  out.notes = {{text, text, NodeId{1}, elsewhere, elsewhere}, {text, ""}};
  out.fix = Fix{text, Applicability::display, text, NodeId{1}, elsewhere, elsewhere};
  out.evidence = {text};
  out.consequences = {finding(test::kScaleRule, text)};
  return out;
}

const std::vector<std::string>& hostile_texts() {
  static const std::vector<std::string> texts{
      "::error file=x::y",
      "%0A%25",
      "line\nbreak\r\n\ttab",
      "]]></failure><failure>",
      "| a | b |",
      "```\n`code`",
      "</details></summary><script>alert(1)</script>",
      "\x1b[31mred\x1b]8;;http://evil\x1b\\",
      std::string("nul\0byte", 8),
      "bad \xff\xfe\xc0\x80 bytes",
      "\xed\xa0\x80 lone surrogate",
      "\xef\xbf\xbe non character",
      "right \xe2\x80\xae to left",
      "[link](http://evil) {0} {placeholder}",
      "@everyone #1 <!-- -->",
      std::string(10000, 'x'),
      std::string(3000, '`') + std::string(3000, '|') + std::string(3000, '<'),
  };
  return texts;
}

}  // namespace

TEST_CASE("every format has one name, and only these are formats") {
  std::vector<std::string_view> names;
  for (const FormatName& entry : formats()) {
    CHECK(parse_format(entry.name) == entry.format);
    CHECK(to_string(entry.format) == entry.name);
    CHECK(!entry.summary.empty());
    names.push_back(entry.name);
  }
  CHECK(names == std::vector<std::string_view>{"full", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit",
                                               "markdown", "html"});
  CHECK_THROWS_WITH(parse_format("srif"), Catch::Contains("did you mean `sarif`"));
  CHECK_THROWS_AS(parse_format("FULL"), Error);
}

TEST_CASE("equal input gives equal bytes, and a document ends with its only last line break") {
  const Report reports[] = {test::report("a.onnx", {grouped_finding(), grouped_finding()}), test::report("b.onnx", {})};
  for (const FormatName& entry : formats()) {
    INFO(entry.name);
    const std::string once = render(reports, {.format = entry.format});
    CHECK(once == render(reports, {.format = entry.format}));
    CHECK(once.ends_with('\n'));
    CHECK(!once.ends_with("\n\n"));
  }
}

TEST_CASE("hostile names never add structure") {
  for (const std::string& text : hostile_texts()) {
    INFO(text.substr(0, 60));
    const Report report = test::report(text, {hostile_finding(text)});
    for (const FormatName& entry : formats()) {
      INFO(entry.name);
      const std::string out = rendered(report, entry.format, {.folder = "/work", .root = "/work"});
      CHECK(out.find('\x1b') == std::string::npos);
      CHECK(out.find('\0') == std::string::npos);
      CHECK(out.find('\r') == std::string::npos);
      if (is_markup(entry.format)) CHECK(out.find("<script>alert") == std::string::npos);
      // JSON keeps names as they are, for programs; what people read shows the mark.
      if (!is_json(entry.format)) CHECK(out.find("\xe2\x80\xae") == std::string::npos);
    }
    CHECK(lines_of(rendered(report, Format::github)).size() == 1);
    CHECK(lines_of(rendered(report, Format::jsonl)).size() == 1);
    CHECK(sarif(report)["results"].size() == 1);
    CHECK(json::parse(rendered(report, Format::gitlab)).size() == 1);
  }
}

TEST_CASE("a GitHub command is on the line of Python, escaped as the runner undoes it") {
  Finding found = grouped_finding();
  found.source->file = "/work/a,b:c%.py";
  found.message = "50% of `a::b`\nis, here";
  const std::string out = rendered(test::report("net.onnx", {found}), Format::github, {.folder = "/work"});
  CHECK(
      out.starts_with("::error file=a%2Cb%3Ac%25.py,line=42,title=trtcheck WGT901 (sample-grouped)::"
                      "50%25 of `a::b`\\nis, here%0Amodel: net.onnx%0A"));
  Finding warning = finding(test::kScaleRule, "w");
  Finding info = finding(test::kAdviceRule, "i");
  const std::vector<std::string> lines =
      lines_of(rendered(test::report("net.onnx", {warning, info}), Format::github, {.folder = "/work"}));
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].starts_with("::warning file=net.onnx,title="));
  CHECK(lines[1].starts_with("::notice file=net.onnx,title="));
}

TEST_CASE("paths are relative to the repository when they are in it") {
  struct Case {
    std::string path, folder, root, shown;
  };
  const Case cases[] = {
      {"net.onnx", "/work/repo/models", "/work/repo", "models/net.onnx"},
      {"../net.onnx", "/work/repo/models", "/work/repo", "net.onnx"},
      {"../../net.onnx", "/work/repo/models", "/work/repo", "file:///work/net.onnx"},
      {"/work/repo/a b.onnx", "/work/repo", "/work/repo", "a%20b.onnx"},
      {"/work/repository/a.onnx", "/work/repo", "/work/repo", "file:///work/repository/a.onnx"},
      {"./a/./b/../net.onnx", "/work", "", "a/net.onnx"},
      {"./net.onnx", "", "", "net.onnx"},
      {"/else/net.onnx", "", "", "file:///else/net.onnx"},
      {"net.onnx", "/", "/", "net.onnx"},
      {"x\xff#.onnx", "/work", "", "x%FF%23.onnx"},
  };
  for (const Case& c : cases) {
    INFO(c.path << " in " << c.folder);
    const json run =
        sarif(test::report(c.path, {finding(test::kScaleRule, "w")}), {.folder = c.folder, .root = c.root});
    const json where = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    CHECK(where["uri"] == c.shown);
    CHECK(where.contains("uriBaseId") == !c.shown.starts_with("file://"));
    CHECK(run["artifacts"][where["index"].get<std::size_t>()]["location"]["uri"] == c.shown);
  }
}

TEST_CASE("SARIF: rule, place, chain, suppression, failure") {
  Report report = test::report("net.onnx", {grouped_finding(), finding(test::kScaleRule, "second")});
  report.suppressions.push_back({finding(test::kAdviceRule, "not now"), Suppressed::By::model, "known"});
  report.suppressions.push_back({finding(test::kAdviceRule, "nor now"), Suppressed::By::baseline, ""});
  const Failure failure{"gone.onnx", "cannot read: no such file or directory"};
  const json run = sarif(report, {.folder = "/work", .failures = {&failure, 1}});
  const json rules = run["tool"]["driver"]["rules"];
  REQUIRE(rules.size() == 3);
  CHECK(rules[0]["id"] == "PRF903");
  REQUIRE(run["results"].size() == 4);
  for (const json& result : run["results"])
    CHECK(rules[result["ruleIndex"].get<std::size_t>()]["id"] == result["ruleId"]);

  const json first = run["results"][0];
  CHECK(first["level"] == "error");
  const json place = first["locations"][0];
  CHECK(place["physicalLocation"]["artifactLocation"]["uri"] == "file:///home/me/net.py");
  CHECK(place["physicalLocation"]["region"]["startLine"] == 42);
  CHECK(place["logicalLocations"][0]["fullyQualifiedName"] == "main:conv_1");
  CHECK(place["logicalLocations"][1]["fullyQualifiedName"] == "encoder.layers.10");
  CHECK(first["codeFlows"][0]["threadFlows"][0]["locations"].size() == 4);
  // the model, the library, two steps of the chain, the remedy
  const auto related = [&](std::size_t i) {
    const json at = first["relatedLocations"].at(i);
    return at["message"]["text"].get<std::string>() + " | " +
           at["physicalLocation"]["artifactLocation"]["uri"].get<std::string>() + ":" +
           std::to_string(at["physicalLocation"]["region"]["startLine"].get<int>());
  };
  REQUIRE(first["relatedLocations"].size() == 5);
  CHECK(related(0) == "the model | net.onnx:1");
  CHECK(related(1) == "the line of the library | file:///v/site-packages/nn.py:7");
  CHECK(related(2) == "the target shape has -1 at index 1 (at `reshape_7`) | file:///home/me/net.py:41");
  CHECK(related(4) == "fix: write 4 instead of -1 at index 1 | file:///home/me/net.py:41");
  CHECK(first["relatedLocations"][2]["physicalLocation"]["region"]["snippet"]["text"] == "b, c, h, w = x.shape");
  CHECK(first["codeFlows"][0]["threadFlows"][0]["locations"][1]["location"]["physicalLocation"] ==
        first["relatedLocations"][2]["physicalLocation"]);
  CHECK(first["properties"]["fix"]["description"] == "write 4 instead of -1 at index 1");
  CHECK(!first.contains("fixes"));
  CHECK(!first.contains("suppressions"));

  CHECK(run["results"][2]["suppressions"][0]["kind"] == "inSource");
  CHECK(run["results"][2]["suppressions"][0]["justification"] == "known");
  CHECK(run["results"][3]["suppressions"][0]["kind"] == "external");
  CHECK(!run["results"][3]["suppressions"][0].contains("justification"));

  CHECK(run["invocations"][0]["executionSuccessful"] == false);
  CHECK(run["invocations"][0]["toolExecutionNotifications"].size() == 1);
  CHECK(sarif(report)["invocations"][0]["executionSuccessful"] == true);
}

TEST_CASE("reasons and remedies name their lines, below the repository as it knows them") {
  const Report report = test::report("net.onnx", {grouped_finding()});
  const std::string where = "the target shape has -1 at index 1 (at `reshape_7`) (line `net.py:41`)";
  for (const Format format : {Format::github, Format::junit, Format::gitlab, Format::sarif}) {
    const std::string out = rendered(report, format, {.folder = "/home/me"});
    CAPTURE(to_string(format));
    CHECK(out.find(where) != std::string::npos);
    CHECK(out.find("write 4 instead of -1 at index 1 (line `net.py:41`)") != std::string::npos);
    CHECK(out.find("the entry must be 4 (at `reshape_7`)") != std::string::npos);
    CHECK(out.find("the entry must be 4 (at `reshape_7`) (line") == std::string::npos);  // the one above says it
  }
  const std::string comment = rendered(report, Format::markdown, {.folder = "/home/me"});
  CHECK(comment.find("(line <code>net.py:41</code>)") != std::string::npos);
  CHECK(comment.find("library: <code>/v/site-packages/nn.py:7 in call</code>") != std::string::npos);
  const std::string page = rendered(report, Format::html);
  CHECK(page.find("net.py:41") != std::string::npos);
  CHECK(page.find("<dt>fix</dt>") < page.find("<dt>because</dt>"));
}

TEST_CASE("identities are those of fingerprints, and unique in a run") {
  Finding one = finding(test::kScaleRule, "m");
  one.fingerprint = "0123456789abcdef";
  const Report report = test::report("net.onnx", {one, one, finding(test::kScaleRule, "other")});
  const json results = sarif(report)["results"];
  CHECK(results[0]["partialFingerprints"]["trtcheck/v1"] == "0123456789abcdef");
  CHECK(results[1]["partialFingerprints"]["trtcheck/v1"] == "0123456789abcdef");
  CHECK(results[0]["partialFingerprints"]["primaryLocationLineHash"] !=
        results[1]["partialFingerprints"]["primaryLocationLineHash"]);
  const json issues = json::parse(rendered(report, Format::gitlab));
  CHECK(issues[0]["fingerprint"] != issues[1]["fingerprint"]);
  CHECK(issues[0]["fingerprint"] != issues[2]["fingerprint"]);
  // The message of a finding with a fingerprint may change, its identity does not.
  Finding reworded = one;
  reworded.message = "said otherwise";
  CHECK(json::parse(rendered(test::report("net.onnx", {reworded}), Format::gitlab))[0]["fingerprint"] ==
        issues[0]["fingerprint"]);
}

TEST_CASE("JUnit fails what makes the run fail") {
  const Report report = test::report("net.onnx", {grouped_finding(), finding(test::kScaleRule, "w"),
                                                  finding(test::kAdviceRule, "i"), finding(test::kAdviceRule, "i")});
  const auto failures = [&report](std::optional<Severity> from) {
    const std::string xml = rendered(report, Format::junit, {.fails_from = {&from, 1}});
    std::size_t count = 0;
    for (std::size_t at = xml.find("<failure "); at != std::string::npos; at = xml.find("<failure ", at + 1)) ++count;
    CHECK(xml.find(" tests=\"4\" failures=\"" + std::to_string(count) + "\" errors=\"0\"") != std::string::npos);
    return count;
  };
  CHECK(failures(Severity::error) == 1);
  CHECK(failures(Severity::warning) == 2);
  CHECK(failures(Severity::info) == 4);
  CHECK(failures(std::nullopt) == 0);
  const std::string xml = rendered(report, Format::junit);
  CHECK(xml.find("name=\"PRF903 sample-advice\"") != std::string::npos);
  CHECK(xml.find("name=\"PRF903 sample-advice (2)\"") != std::string::npos);
  const Failure failure{"gone.onnx", "cannot read"};
  CHECK(render({}, {.format = Format::junit, .failures = {&failure, 1}}).find("<error message=\"cannot read\"") !=
        std::string::npos);
}

TEST_CASE("GitLab: a model that was not checked is an issue, the same in every run") {
  const auto issue = [](const char* cause) {
    const Failure failure{"gone.onnx", cause};
    return json::parse(render({}, {.format = Format::gitlab, .failures = {&failure, 1}})).at(0);
  };
  const json one = issue("cannot read");
  CHECK(one["check_name"] == "not-checked");
  CHECK(one["severity"] == "blocker");
  CHECK(one["description"] == "not checked: cannot read");
  CHECK(one["location"]["path"] == "gone.onnx");
  CHECK(one["fingerprint"] == issue("is empty")["fingerprint"]);
}

TEST_CASE("text names what was not checked and counts it") {
  const std::vector<Report> reports{test::report("a.onnx", {}), test::report("b.onnx", {})};
  const Failure failure{"gone\n.onnx", "cannot read"};
  const std::string full = render(reports, {.failures = {&failure, 1}});
  CHECK(full ==
        "gone\\n.onnx: not checked: cannot read\n\n2 of 3 models: 0 refused, 0 uncertain, 2 clean; 1 not checked: "
        "cannot read\n");
  CHECK(render(reports, {.summary = false, .failures = {&failure, 1}}) == "gone\\n.onnx: not checked: cannot read\n");
  CHECK(render(reports, {.format = Format::concise, .failures = {&failure, 1}}) ==
        "gone\\n.onnx: not checked: cannot read\n");
}

TEST_CASE("a comment stays below GitHub's limit and counts what it leaves out") {
  Finding wordy = grouped_finding();
  wordy.message = std::string(900, '|');  // five times as long when escaped
  const std::vector<Finding> many(300, wordy);
  std::vector<Report> reports(400, test::report("clean model.onnx", {}));
  reports.push_back(test::report("refused.onnx", many));
  const std::string out = render(reports, {.format = Format::markdown});
  CHECK(out.size() < 65536);
  const std::size_t refused = out.find("| <code>refused.onnx</code> | ❌ refused |");
  CHECK(refused < out.find("✅ clean"));  // worst first
  std::size_t shown = 0;
  for (std::size_t at = out.find("- **error "); at != std::string::npos; at = out.find("- **error ", at + 1)) ++shown;
  CHECK(shown > 3);
  CHECK(out.find(std::to_string(300 - shown) + " more findings not shown") != std::string::npos);
  CHECK(out.find("more models not shown") != std::string::npos);
  std::size_t open = 0;
  for (std::size_t at = out.find("<details>"); at != std::string::npos; at = out.find("<details>", at + 1)) ++open;
  std::size_t closed = 0;
  for (std::size_t at = out.find("</details>"); at != std::string::npos; at = out.find("</details>", at + 1)) ++closed;
  CHECK(open == closed);
  const std::string one = rendered(test::report("net.onnx", {grouped_finding()}), Format::markdown);
  CHECK(one.find("not shown") == std::string::npos);
}

TEST_CASE("links go around the code and nothing else") {
  const Report report = test::report("net.onnx", {grouped_finding()});
  for (const Format format : {Format::full, Format::concise}) {
    const std::string plain = rendered(report, format);
    std::string linked = rendered(report, format, {.rule_pages = "file://host/doc/"});
    const std::string open = "\x1b]8;;file://host/doc/sample-grouped.html\x1b\\";
    const std::string close = "\x1b]8;;\x1b\\";
    const std::size_t at = linked.find(open);
    REQUIRE(at != std::string::npos);
    CHECK(linked.substr(at + open.size()).starts_with("error[WGT901]" + close));
    linked.erase(linked.find(close), close.size()).erase(at, open.size());
    CHECK(linked == plain);
  }
}

TEST_CASE("time grows with the number of findings, not with its square") {
  std::vector<Finding> findings(1000, grouped_finding());
  const auto seconds = [](const Report& report, Format format) {
    const auto start = std::chrono::steady_clock::now();
    const std::string out = rendered(report, format);
    CHECK(!out.empty());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const Report small = test::report("net.onnx", findings);
  findings.assign(20000, grouped_finding());
  const Report large = test::report("net.onnx", findings);
  for (const FormatName& entry : formats()) {
    INFO(entry.name);
    // 20 when linear, 400 when quadratic; the machine may be busy.
    CHECK(seconds(large, entry.format) < 120 * seconds(small, entry.format) + 0.05);
  }
}
