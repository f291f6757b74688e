#include <trtcheck/report.hpp>

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>
#include <string>

#include "sample.hpp"
#include "text/printable.hpp"

using namespace trtcheck;
using trtcheck::test::finding;
using trtcheck::test::grouped_finding;
using trtcheck::test::kAdviceRule;
using trtcheck::test::kGroupedRule;
using trtcheck::test::kScaleRule;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string full(const Report& report, int width = 100, bool color = false) {
  return render({&report, 1}, {.format = Format::full, .color = color, .width = width});
}

}  // namespace

TEST_CASE("the verdict follows from the worst finding, consequences included") {
  Finding parent = finding(kAdviceRule, "advice");
  Finding with_error = parent;
  with_error.consequences = {finding(kGroupedRule, "refused")};
  struct Case {
    std::vector<Finding> findings;
    Verdict verdict;
    std::size_t errors, warnings, infos;
  };
  const Case cases[] = {
      {{}, Verdict::clean, 0, 0, 0},
      {{finding(kAdviceRule, "a")}, Verdict::clean, 0, 0, 1},
      {{finding(kAdviceRule, "a"), finding(kScaleRule, "b")}, Verdict::uncertain, 0, 1, 1},
      {{finding(kGroupedRule, "c"), finding(kScaleRule, "b")}, Verdict::refused, 1, 1, 0},
      {{with_error}, Verdict::refused, 1, 0, 1},
  };
  for (const Case& c : cases) {
    const Report report = test::report("m.onnx", c.findings);
    CHECK(report.verdict() == c.verdict);
    CHECK(report.count(Severity::error) == c.errors);
    CHECK(report.count(Severity::warning) == c.warnings);
    CHECK(report.count(Severity::info) == c.infos);
  }
  CHECK(to_string(Verdict::refused) == "refused");
  CHECK(to_string(Verdict::uncertain) == "uncertain");
  CHECK(to_string(Verdict::clean) == "clean");
}

TEST_CASE("the full format shows the PyTorch line first, then node, reasons, fix") {
  const Report report = test::report("net.onnx", {grouped_finding()});
  CHECK(full(report) ==
        "error[WGT901] sample-grouped: `conv_1` with group=2 gets 144 weights, TensorRT expects 72\n"
        "  --> /home/me/net.py:42 in forward\n"
        "   |\n"
        "42 | return self.conv(x.view(b, -1, h, w))\n"
        "   |\n"
        "   = library: /v/site-packages/nn.py:7 in call: return self.inner(x)\n"
        "   = module: encoder.layers.10\n"
        "   = node: Conv `conv_1` of net.onnx\n"
        "           r: FLOAT[N,?,H,W]\n"
        "           w: FLOAT[8,2,3,3]\n"
        "   = because:\n"
        "       1. graph input `x` leaves axis 0 (`N`) open\n"
        "       2. the target shape has -1 at index 1 (at `reshape_7`)\n"
        "          --> /home/me/net.py:41 in forward: b, c, h, w = x.shape\n"
        "       3. the entry must be 4 (at `reshape_7`)\n"
        "   = fix: write 4 instead of -1 at index 1\n"
        "          --> /home/me/net.py:41 in forward: b, c, h, w = x.shape\n"
        "   = follows: 1 further finding (QDQ902)\n"
        "   = more: trtcheck explain WGT901\n"
        "\n"
        "net.onnx: refused for TensorRT 10.13: 1 error, 1 warning (1 of them follows from another) in 17 nodes\n");
}

TEST_CASE("how to get lines of Python is said once where they are missing") {
  const std::string hint = "the model holds no lines of Python: export it with";
  Finding lineless = finding(kScaleRule, "scale differs");
  lineless.module = "encoder.layers.10";
  Finding other = lineless;
  other.message = "scale is missing";
  const Report without = test::report("net.onnx", {lineless, other});
  for (const Format format : {Format::full, Format::markdown, Format::html}) {
    const std::string text = render({&without, 1}, {.format = format});
    const std::size_t at = text.find(hint);
    REQUIRE(at != std::string::npos);
    CHECK(text.find(hint, at + 1) == std::string::npos);
  }
  CHECK_THAT(full(test::report("net.onnx", {lineless, grouped_finding()})), !Catch::Contains(hint));
  lineless.module = "";  // nobody knows that PyTorch made it
  CHECK_THAT(full(test::report("net.onnx", {lineless})), !Catch::Contains(hint));
}

TEST_CASE("a step and a remedy on the line of the finding do not repeat it") {
  Finding near = grouped_finding();
  near.library.reset();
  near.notes.pop_back();
  for (Note& note : near.notes) note.source = near.source;
  near.fix->source = near.source;
  CHECK_THAT(full(test::report("net.onnx", {near})), !Catch::Contains("          -->"));
  near.source.reset();
  CHECK_THAT(full(test::report("net.onnx", {near})), Catch::Contains("          --> /home/me/net.py:42 in forward"));
  near.notes.erase(near.notes.begin());
  CHECK_THAT(full(test::report("net.onnx", {near})),
             Catch::Contains("   = because: the target shape has -1 at index 1 (at `reshape_7`)\n"
                             "              --> /home/me/net.py:42 in forward"));
}

TEST_CASE("without a recorded line the model is the place, and doubt is said") {
  Finding doubtful = finding(kScaleRule, "scale differs");
  doubtful.node = "q";
  doubtful.op_type = "QuantizeLinear";
  doubtful.graph = "main/If_3.then_branch";
  doubtful.notes = {{"`q` and `p` read one tensor", "q"}};
  const std::string text = full(test::report("", {doubtful}));
  CHECK_THAT(text, Catch::Contains("warning[QDQ902] sample-scale: scale differs\n  --> <model>\n"));
  CHECK_THAT(text, Catch::Contains("   = node: QuantizeLinear `q` in main/If_3.then_branch\n"));
  CHECK_THAT(text, Catch::Contains("   = because: `q` and `p` read one tensor\n"));
  CHECK_THAT(text, Catch::Contains("   = certainty: likely\n"));
  CHECK_THAT(text, Catch::Contains("<model>: uncertain for TensorRT 10.13: 1 warning in 17 nodes\n"));

  doubtful.notes = {{"known up to TensorRT 11.1; 11.5 is assumed to be the same", ""}};
  doubtful.of_other_releases = true;
  CHECK_THAT(full(test::report("", {doubtful})), Catch::Contains("   = certainty: likely: known of other releases"));

  doubtful.of_other_releases = false;
  doubtful.notes.clear();
  doubtful.evidence = {"https://github.com/NVIDIA/TensorRT/issues/1"};
  CHECK_THAT(full(test::report("", {doubtful})),
             Catch::Contains("   = certainty: likely: users reported such failures"));
}

TEST_CASE("a clean model is one line, several models end with a count") {
  Report clean = test::report("a.onnx", {});
  clean.suppressed = 2;
  CHECK(full(clean) == "a.onnx: clean for TensorRT 10.13: nothing found in 17 nodes, 2 left out\n");
  const Report both[] = {clean, test::report("b.onnx", {grouped_finding()})};
  CHECK_THAT(render(both, {}), Catch::EndsWith("\n2 models: 1 refused, 0 uncertain, 1 clean; 2 findings left out\n"));
  CHECK(render({}, {}).empty());
}

TEST_CASE("text is wrapped to the width, in columns") {
  Finding wide = grouped_finding();
  wide.message = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen";
  wide.notes[0].message = std::string("\xe6\xbc\xa2\xe5\xad\x97 \xe6\xbc\xa2\xe5\xad\x97 ") + wide.message;
  wide.fix->title = wide.message;
  wide.node = "n";
  wide.source->code = "return x";  // a line of code is shown as it is
  const Report report = test::report("net.onnx", {wide});
  for (const int width : {40, 60, 80, 100, 200}) {
    const std::string text = full(report, width);
    const std::size_t body = text.find("net.onnx: refused");
    for (const std::string& line : lines_of(text.substr(0, body))) {
      CAPTURE(width, line);
      CHECK(display_width(line) <= static_cast<std::size_t>(width));
    }
  }
  CHECK(full(report, 1) == full(report, 40));
}

TEST_CASE("colours add escape codes and nothing else") {
  const Report report =
      test::report("net.onnx", {grouped_finding(), finding(kScaleRule, "b"), finding(kAdviceRule, "c")});
  std::string colored = full(report, 80, true);
  CHECK_THAT(colored, Catch::Contains("\x1b[1;31merror[WGT901]\x1b[0m"));
  for (std::size_t at = 0; (at = colored.find('\x1b', at)) != std::string::npos;) {
    colored.erase(at, colored.find('m', at) - at + 1);
  }
  CHECK(colored == full(report, 80));
}

TEST_CASE("hostile names are escaped in every text format") {
  Finding evil = grouped_finding();
  const std::string name = "\x1b[2J\xff\n";
  evil.node = evil.op_type = evil.graph = evil.module = evil.value = evil.message = name;
  evil.signature = {name};
  evil.source = evil.library = SourceLocation{name, 1, name, name};
  const SourceLocation elsewhere{name, 2, name, name};
  evil.notes = {{name, name, NodeId{1}, elsewhere, elsewhere}};
  evil.fix = Fix{name, Applicability::display, name, NodeId{1}, elsewhere, elsewhere};
  const Report report = test::report(name, {evil});
  for (const Format format : {Format::full, Format::concise}) {
    const std::string text = render({&report, 1}, {.format = format});
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\xff') == std::string::npos);
  }
  const std::string json = render({&report, 1}, {.format = Format::json});
  CHECK(json.find('\x1b') == std::string::npos);
  CHECK(nlohmann::json::parse(json)["models"][0]["path"] == "\x1b[2J\\xff\n");
}

TEST_CASE("the concise format has one line for each finding") {
  const Report report =
      test::report("net.onnx", {grouped_finding(), finding(kScaleRule, "b"), finding(kAdviceRule, "c")});
  CHECK(render({&report, 1}, {.format = Format::concise}) ==
        "net.onnx: error[WGT901] `conv_1` with group=2 gets 144 weights, TensorRT expects 72 "
        "(conv_1, /home/me/net.py:42) +1 consequence\n"
        "net.onnx: warning[QDQ902] b\n"
        "net.onnx: info[PRF903] c\n");
}

TEST_CASE("JSON has the keys of schema version 1, in order") {
  const Report report = test::report("net.onnx", {grouped_finding()});
  const auto json = nlohmann::ordered_json::parse(render({&report, 1}, {.format = Format::json}));
  const auto keys = [](const nlohmann::ordered_json& object) {
    std::string out;
    for (const auto& [key, value] : object.items()) out += key + " ";
    return out;
  };
  CHECK(keys(json) == "schema_version trtcheck_version models failures ");
  CHECK(json["schema_version"] == 1);
  const auto& model = json["models"][0];
  CHECK(keys(model) == "path target verdict node_count findings unlisted suppressed suppressions unmatched ");
  CHECK(model["target"] == "10.13");
  CHECK(model["verdict"] == "refused");
  const auto& first = model["findings"][0];
  CHECK(keys(first) ==
        "code name fact severity certainty of_other_releases message node op_type graph value signature source library "
        "module notes fix cures "
        "evidence witness fingerprint group neighbourhood consequences ");
  CHECK(first["source"] == nlohmann::ordered_json{{"file", "/home/me/net.py"},
                                                  {"line", 42},
                                                  {"function", "forward"},
                                                  {"code", "return self.conv(x.view(b, -1, h, w))"}});
  const nlohmann::ordered_json line_41{
      {"file", "/home/me/net.py"}, {"line", 41}, {"function", "forward"}, {"code", "b, c, h, w = x.shape"}};
  CHECK(first["notes"][1] == nlohmann::ordered_json{{"message", "the target shape has -1 at index 1"},
                                                    {"node", "reshape_7"},
                                                    {"source", line_41},
                                                    {"library", first["library"]}});
  CHECK(first["notes"][0]["source"].is_null());
  CHECK(first["library"]["file"] == "/v/site-packages/nn.py");
  CHECK(first["fix"]["node"] == "reshape_7");
  CHECK(first["fix"]["source"] == line_41);
  CHECK(first["fix"]["applicability"] == "safe");
  CHECK(first["consequences"][0]["code"] == "QDQ902");
  CHECK(first["consequences"][0]["source"].is_null());
  CHECK(first["consequences"][0]["fix"].is_null());
}

TEST_CASE("the schema file lists exactly the keys that are printed") {
  std::ifstream file(std::string(TRTCHECK_SOURCE_DIR) + "/cpp/data/report.schema.json");
  const auto schema = nlohmann::json::parse(file);
  Report report = test::report("net.onnx", {grouped_finding()});
  report.findings[0].neighbourhood.nodes = {{}, {}};
  report.findings[0].neighbourhood.edges = {{.from = 0, .to = 1, .value = "r", .type = "?"}};
  report.suppressions.push_back({grouped_finding(), Suppressed::By::node, "known"});
  report.unlisted = {{&kScaleRule, Severity::warning, 41}};
  const Failure failure{"gone.onnx", "cannot read"};
  const auto json = nlohmann::json::parse(
      render({&report, 1}, {.format = Format::json, .statistics = true, .failures = {&failure, 1}}));
  const auto agree = [](const nlohmann::json& object, const nlohmann::json& part, std::size_t optional = 0) {
    CHECK(object.size() == part["properties"].size());
    CHECK(object.size() == part["required"].size() + optional);
    for (const auto& [key, value] : object.items()) {
      CAPTURE(key);
      CHECK(part["properties"].contains(key));
    }
  };
  agree(json, schema, 1);  // statistics are there when they are asked for
  agree(json["statistics"][0], schema["properties"]["statistics"]["items"]);
  agree(json["models"][0], schema["$defs"]["model"]);
  const auto& first = json["models"][0]["findings"][0];
  agree(first, schema["$defs"]["finding"]);
  const auto& fields = schema["$defs"]["finding"]["properties"];
  agree(first["source"], schema["$defs"]["location"]["anyOf"][1]);
  agree(first["notes"][1], fields["notes"]["items"]);
  agree(json["failures"][0], schema["$defs"]["failure"]);
  agree(json["models"][0]["suppressions"][0], schema["$defs"]["model"]["properties"]["suppressions"]["items"]);
  agree(json["models"][0]["unlisted"][0], schema["$defs"]["model"]["properties"]["unlisted"]["items"]);
  const auto& around = schema["$defs"]["neighbourhood"];
  agree(first["neighbourhood"], around);
  agree(first["neighbourhood"]["nodes"][0], around["properties"]["nodes"]["items"]);
  agree(first["neighbourhood"]["edges"][0], around["properties"]["edges"]["items"]);
  agree(first["fix"], fields["fix"]["anyOf"][1]);
}

TEST_CASE("what is suppressed is counted and listed in JSON") {
  Report report = test::report("net.onnx", {});
  report.suppressed = 3;
  report.suppressions = {{grouped_finding(), Suppressed::By::node, "the plugin \xff does it"},
                         {finding(kScaleRule, "b"), Suppressed::By::baseline, ""}};
  const auto json = nlohmann::json::parse(render({&report, 1}, {.format = Format::json}))["models"][0];
  CHECK(json["suppressed"] == 3);
  REQUIRE(json["suppressions"].size() == 2);
  CHECK(json["suppressions"][0]["by"] == "node");
  CHECK(json["suppressions"][0]["reason"] == "the plugin \\xff does it");
  CHECK(json["suppressions"][0]["finding"]["code"] == "WGT901");
  CHECK(json["suppressions"][1]["by"] == "baseline");
}

TEST_CASE("each origin of a suppression has a word") {
  CHECK(to_string(Suppressed::By::model) == "model");
  CHECK(to_string(Suppressed::By::node) == "node");
  CHECK(to_string(Suppressed::By::settings) == "settings");
  CHECK(to_string(Suppressed::By::baseline) == "baseline");
}

TEST_CASE("HTML escapes everything and needs nothing from outside") {
  Finding evil = grouped_finding();
  evil.message = "<script>alert(1)</script> & \"x\" `name`";
  evil.node = "<img src=x onerror=alert(1)>";
  const std::string html = render_html(test::report("<b>.onnx", {evil}));
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.find("<img") == std::string::npos);
  CHECK(html.find("http") == std::string::npos);
  CHECK_THAT(html, Catch::Contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot; <code>name</code>"));
  CHECK_THAT(html, Catch::Contains("&lt;b&gt;.onnx"));
  CHECK_THAT(html, Catch::Contains("refused"));
  CHECK_THAT(html, Catch::Contains("write 4 instead of -1 at index 1"));
}

TEST_CASE("what is not listed counts, and every format says so") {
  Report report = test::report("net.onnx", {grouped_finding(), finding(kAdviceRule, "advice")});
  report.unlisted = {{&kScaleRule, Severity::warning, 41}, {&kAdviceRule, Severity::info, 1}};
  CHECK(report.count(Severity::error) == 1);
  CHECK(report.count(Severity::warning) == 42);  // one is a consequence
  CHECK(report.count(Severity::info) == 2);
  CHECK(test::report("n", {}).verdict() == Verdict::clean);
  Report counted = test::report("n", {});
  counted.unlisted = {{&kScaleRule, Severity::warning, 1}};
  CHECK(counted.verdict() == Verdict::uncertain);
  for (const FormatName& format : formats()) {
    CAPTURE(format.name);
    const std::string text = render({&report, 1}, {.format = format.format, .width = 300});
    if (format.format == Format::json || format.format == Format::jsonl) continue;
    CHECK_THAT(text, Catch::Contains("41 more findings of this rule, not listed"));
    CHECK_THAT(text, Catch::Contains("1 more finding of this rule, not listed"));
  }
  CHECK_THAT(render_html(report), Catch::Contains("41 more findings of this rule"));
  const std::string text = render({&report, 1}, {.width = 120});
  CHECK_THAT(text, Catch::Contains("1 error, 42 warnings, 2 infos"));
  CHECK(text.find("41 more findings") < text.find("advice"));
  CHECK_THAT(render({&report, 1}, {.width = 300}),
             Catch::Contains("`trtcheck check --all-findings --select QDQ902` lists all"));
}
