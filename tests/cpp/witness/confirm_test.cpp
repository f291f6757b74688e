// A prediction next to what a witness says; the witnesses are scripts.
#include <catch2/catch.hpp>

#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <trtcheck/confirm.hpp>
#include <trtcheck/error.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

#include "scripted.hpp"
#include "witness/nodes.hpp"

using namespace trtcheck;
using Catch::Matchers::Contains;
using namespace trtcheck::test;

TEST_CASE("prediction and answer agree or do not") {
  Witnesses all;
  struct Row {
    const char* model;
    std::string said;
    Testimony testimony;
    Agreement agreement;
    bool refused;
  };
  const std::string refusal = answer(false, "null", parser_error("no such thing", "act"));
  const Row rows[] = {
      {kRelu, answer(true, "true"), Testimony::built, Agreement::agree, false},
      {kRelu, refusal, Testimony::refused, Agreement::not_predicted, true},
      {kBad, answer(true, "true"), Testimony::built, Agreement::false_alarm, true},
      {kBad, answer(false, "null", parser_error("bad weights", "bad")), Testimony::refused, Agreement::agree, true},
      {kRelu, answer(true, "null"), Testimony::parsed, Agreement::agree, false},
      {kBad, answer(true, "null"), Testimony::parsed, Agreement::not_judged, true},
      {kRelu, answer(false, "null", parser_error("Plugin not found", "act")), Testimony::not_judged,
       Agreement::not_judged, false},
  };
  for (const Row& row : rows) {
    const Confirmation made = confirm(all.model(row.model), all.saying(row.said), {});
    INFO(row.said);
    CHECK(made.testimony == row.testimony);
    CHECK(made.agreement == row.agreement);
    CHECK(made.is_refused() == row.refused);
  }
}

TEST_CASE("however the witness ends, there is a confirmation") {
  Witnesses all;
  const std::string path = all.model(kRelu);
  const Confirmation crash = confirm(path, all.running("echo 'trtcheck-witness: building' >&2; kill -SEGV $$"), {});
  CHECK(crash.testimony == Testimony::crashed);
  CHECK(crash.agreement == Agreement::not_predicted);
  CHECK(crash.reason == "the builder crashed: SIGSEGV");
  const Confirmation hang = confirm(path, all.running("sleep 60"), {.timeout = 0.2});
  CHECK(hang.testimony == Testimony::not_judged);
  CHECK(hang.reason == "the parser did not end within 0.2 seconds");
  CHECK(confirm(path, all.saying("{\"format\":1,"), {}).testimony == Testimony::not_judged);
  CHECK_THROWS_WITH(confirm(path, {"/nowhere", "", "", "TensorRT-RTX", "1.7.1"}, {}), Contains("cannot be started"));
}

TEST_CASE("a message leads to its node, its rules and its finding") {
  Witnesses all;
  const std::string says =
      answer(true, "false", "[]",
             R"([{"severity":"error","text":"Error Code 4: bad: kernel weights has count 12 but 8 was expected"}])");
  const Confirmation made = confirm(all.model(kBad), all.saying(says), {});
  REQUIRE(made.messages.size() == 1);
  const WitnessMessage& message = made.messages[0];
  CHECK(message.stage == "builder");
  CHECK(message.node == "bad");
  CHECK(message.op_type == "Conv");
  CHECK(message.graph == "main");
  CHECK(message.predicted);
  REQUIRE(!message.matches.empty());
  // Of the rules that know the text the one that was predicted, not the most specific.
  CHECK(message.matches.front().rule->code == "WGT103");
}

TEST_CASE("what is not listed is counted") {
  Witnesses all;
  const std::string path = all.model(kRelu);
  const auto errors = [](int count) {
    std::string list;
    for (int i = 0; i < count; ++i) {
      list += fmt::format("{}{}", i == 0 ? "" : ",", parser_error(fmt::format("bad {}", i), "act").substr(1));
      list.pop_back();
    }
    return "[" + list + "]";
  };
  struct Row {
    int errors;
    std::size_t listed, unlisted;
    const char* full;  ///< "" = nothing about more
    const char* markdown;
  };
  const Row rows[] = {{5, 5, 0, "", ""},
                      {6, 6, 0, "... 1 more\n", "- and 1 more\n"},
                      {100, 100, 0, "... 95 more\n", "- and 95 more\n"},
                      {130, 100, 30, "... 125 more\n", "- and 125 more\n"}};
  for (const Row& row : rows) {
    INFO(row.errors);
    const Confirmation made = confirm(path, all.saying(answer(false, "null", errors(row.errors))), {});
    CHECK(made.messages.size() == row.listed);
    CHECK(made.unlisted_messages == row.unlisted);
    const auto text = [&](Format format) { return render({&made, 1}, {.format = format}); };
    CHECK_THAT(text(Format::full), Contains(row.full));
    CHECK((text(Format::full).find(" more\n") == std::string::npos) == (*row.full == '\0'));
    CHECK_THAT(text(Format::markdown), Contains(row.markdown));
    CHECK_THAT(text(Format::json), Contains(fmt::format("\"unlisted_messages\": {},", row.unlisted)));
    CHECK((text(Format::html).find("and 30 more") != std::string::npos) == (row.unlisted == 30));
  }
}

TEST_CASE("warnings that are not shown are counted") {
  Witnesses all;
  std::string log;
  for (int i = 0; i < 5; ++i) log += fmt::format(R"({}{{"severity":"warning","text":"w{}"}})", i == 0 ? "" : ",", i);
  std::string said = answer(true, "true", "[]", "[" + log + "]");
  said.insert(1, R"("unlisted_warnings":7,"unlisted_errors":3,)");
  const Confirmation made = confirm(all.model(kRelu), all.saying(said), {});
  CHECK(made.warnings.size() == 5);
  CHECK(made.unlisted_warnings == 7);
  CHECK(made.unlisted_messages == 0);  // it was built: no error counts
  const auto text = [&](Format format) { return render({&made, 1}, {.format = format}); };
  CHECK_THAT(text(Format::full), Contains("warning: w2") && Contains("... 9 more warnings") && !Contains("w3"));
  CHECK_THAT(text(Format::json), Contains("\"unlisted_warnings\": 7"));
  CHECK_THAT(text(Format::html), Contains("w4") && Contains("and 7 more"));
  CHECK_THAT(text(Format::markdown), Contains("12 warnings |"));
}

TEST_CASE("nodes are found by name, by number, by their output and in a text") {
  const std::string bytes =
      test::onnx_bytes("agraph (float[2] x) => (float[2] y) { [block_act] t = Relu (x) y = Sqrt (t) }");
  const Model model = read_model(test::as_bytes(bytes));
  const witness::NodeFinder finder(model);
  const auto label = [&](const witness::Said& said) { return model.node_label(finder.find(said)); };
  CHECK(label({"", "parser", "block_act", "Relu", 5}) == "block_act");
  CHECK(label({"", "parser", "", "Sqrt", 1}) == "Sqrt_1");
  CHECK(label({"", "parser", "", "Relu", 1}) == "block_act");  // the number counts something else
  CHECK(label({"", "parser", "", "Conv", 1}).empty());
  CHECK(label({"node_of_y_0 has no runners", "builder", "", ""}) == "Sqrt_1");
  CHECK(label({"Error (node_of_y: K is too large)", "builder", "", ""}) == "Sqrt_1");
  CHECK(label({"Error Code 4: block_act: bad", "builder", "", ""}) == "block_act");
  CHECK(label({"{ForeignNode[block_act...node_of_y]}", "builder", "", ""}) == "block_act");
  CHECK(label({"Network must have at least one output", "builder", "", ""}).empty());
}

TEST_CASE("the witness is asked about the profile that was checked") {
  Witnesses all;
  const std::string path = all.model("agraph (float[N,3,H,H] x, float[2] s) => (float[N,3,H,H] y) { y = Relu (x) }");
  const Witness echo = all.running("echo \"$@\" >&2; kill -SEGV $$");
  ConfirmOptions options;
  CHECK_THAT(confirm(path, echo, options).messages.at(0).text, !Contains("--profile"));
  options.propose_profile = true;
  const Confirmation proposed = confirm(path, echo, options);
  CHECK(proposed.profile_proposed);
  CHECK_THAT(proposed.messages.at(0).text, Contains("--profile x=1x3x32x32:1x3x224x224:8x3x1024x1024 "));
  options.check.target.profile = {parse_profile("x=1x3x8x8:2x3x8x8:4x3x8x8")};
  const Confirmation given = confirm(path, echo, options);
  CHECK(!given.profile_proposed);
  CHECK_THAT(given.messages.at(0).text, Contains("--profile x=1x3x8x8:2x3x8x8:4x3x8x8 "));
  options.parse_only = true;
  CHECK_THAT(confirm(path, echo, options).messages.at(0).text, Contains("--parse-only"));
}

TEST_CASE("TensorRT-RTX builds for the compute capability that was checked, TensorRT for the GPU that it finds") {
  Witnesses all;
  const std::string path = all.model(kRelu);
  Witness echo = all.running("echo \"$@\" >&2; kill -SEGV $$");
  ConfirmOptions options;
  CHECK_THAT(confirm(path, echo, options).messages.at(0).text, !Contains("--gpu"));
  options.check.target.compute_capability = ComputeCapability{12, 0};
  CHECK_THAT(confirm(path, echo, options).messages.at(0).text, Contains("--gpu 12.0 "));
  echo.product = "TensorRT";
  echo.release = "11.4.0";
  CHECK_THAT(confirm(path, echo, options).messages.at(0).text, !Contains("--gpu"));
}

TEST_CASE("answers of several witnesses stand side by side") {
  Witnesses all;
  const std::string path = all.model(kRelu);
  Witness refuses = all.saying(answer(false, "null", parser_error("no, a|b", "act")));
  refuses.release = "1.4.0";
  const std::vector<Confirmation> made{confirm(path, refuses, {}), confirm(path, all.saying(answer(true, "true")), {})};
  const auto text = [&](Format format, std::size_t count) {
    return render(std::span(made).first(count), {.format = format});
  };
  CHECK_THAT(text(Format::full, 2), Contains("\n  TensorRT 10.16 (TensorRT-RTX 1.4.0)  refused, not predicted\n"
                                             "  TensorRT 11.4 (TensorRT-RTX 1.7.1)   built, agree\n") &&
                                        Contains("1 model, 2 witnesses: 1 agree, 1 not predicted, 0 false alarms"));
  CHECK_THAT(text(Format::full, 1), !Contains("  TensorRT 10.16 (") && Contains("1 model: 0 agree"));
  CHECK_THAT(text(Format::markdown, 2),
             Contains("| model | TensorRT 10.16 (TensorRT-RTX 1.4.0) | TensorRT 11.4 (TensorRT-RTX 1.7.1) |") &&
                 Contains("| refused, not predicted | built, agree |"));
  CHECK_THAT(text(Format::html, 2), Contains("<th scope=\"col\">TensorRT 10.16 (TensorRT-RTX 1.4.0)</th>") &&
                                        Contains("<td>refused, not predicted</td><td>built, agree</td>"));
  CHECK_THAT(text(Format::html, 1), !Contains("TensorRT 10.16 ("));
  CHECK_THAT(text(Format::json, 2), Contains("\"branch\": \"10.16\"") && Contains("\"branch\": \"11.4\""));
}

TEST_CASE("options that make no sense are errors") {
  Witnesses all;
  const std::string path = all.model(kRelu);
  const Witness witness = all.saying(answer(true, "true"));
  CHECK_THROWS_WITH(confirm(path, witness, {.timeout = -1}), "timeout: is no number of seconds");
  CHECK_THROWS_WITH(confirm(path, witness, {.memory = -1}), "memory: is no number of GB");
  CHECK_THROWS_WITH(confirm("nothing.onnx", witness, {}), Contains("nothing.onnx: "));
}

TEST_CASE("each format tells what was said") {
  Witnesses all;
  const std::string said = answer(false, "null", parser_error("<b>no</b> `such` thing", "act"));
  const std::string path = all.model(kRelu);
  const Confirmation made = confirm(path, all.saying(said), {});
  const Failure failure{"other.onnx", "is empty"};
  for (const Format format : {Format::full, Format::json, Format::markdown, Format::html}) {
    const std::string text = render({&made, 1}, {.format = format, .failures = {&failure, 1}});
    INFO(text);
    CHECK_THAT(text, Contains(format == Format::json ? "not_predicted" : "not predicted") && Contains("act") &&
                         Contains("other.onnx") && Contains("is empty"));
    CHECK((text.find("<b>no</b>") == std::string::npos) == (format == Format::markdown || format == Format::html));
  }
  CHECK_THROWS_WITH(render({&made, 1}, {.format = Format::sarif}), Contains("has the formats full, json"));
  const auto json = nlohmann::json::parse(render({&made, 1}, {.format = Format::json}));
  CHECK(json.at("models").at(0).at("agreement") == "not_predicted");
  CHECK(json.at("models").at(0).at("messages").at(0).at("node") == "act");
  CHECK_THAT(render({&made, 1}, {}), Contains("1 model: 0 agree, 1 not predicted, 0 false alarms, 0 not judged"));
}

TEST_CASE("findings say what the witness says of them") {
  Witnesses all;
  const std::string path = all.model(kBad);
  const auto marked = [&](const std::string& said, const char* release = "rtx-1.7") {
    const Confirmation made = confirm(path, all.saying(said), for_release(release));
    Report report = made.requested.value_or(made.report);
    mark(report, made);
    REQUIRE(!report.findings.empty());
    return report.findings.front().witness;
  };
  CHECK(marked(answer(true, "true")) == "contradicted: TensorRT-RTX 1.7.1 builds the model");
  CHECK(marked(answer(false, "null", parser_error("bad weights", "bad"))) ==
        "confirmed: TensorRT-RTX 1.7.1 says `bad weights`");
  CHECK(marked(answer(false, "null", parser_error("something else", "other"))).empty());
  CHECK(marked(answer(true, "null")).empty());
  CHECK(marked("nonsense").empty());
  // A release that was not asked is neither confirmed nor contradicted; the branch of the witness is.
  CHECK(marked(answer(true, "true"), "8.6") == "TensorRT-RTX 1.7.1 builds the model; TensorRT 8.6 was not asked");
  CHECK(marked(answer(true, "true"), "11.4") == "contradicted: TensorRT-RTX 1.7.1 builds the model");
  CHECK(marked(answer(false, "null", parser_error("bad weights", "bad")), "8.6") ==
        "TensorRT-RTX 1.7.1 says `bad weights`; TensorRT 8.6 was not asked");
}

TEST_CASE("the prediction that is compared is the one for the release of the witness") {
  Witnesses all;
  const std::string path = all.model(kGelu);
  const Witness builds = all.saying(answer(true, "true"));
  struct Row {
    const char* release;
    Verdict requested;
    bool asked;
    bool refused;
  };
  for (const Row& row : {Row{"8.6", Verdict::refused, false, true}, Row{"10.13", Verdict::clean, false, false},
                         Row{"11.4", Verdict::clean, true, false}}) {
    INFO(row.release);
    const Confirmation made = confirm(path, builds, for_release(row.release));
    CHECK(made.agreement == Agreement::agree);
    CHECK(to_string(made.report.target.release) == "rtx-1.7");
    REQUIRE(made.requested);
    CHECK(to_string(made.requested->target.release) == row.release);
    CHECK(made.requested->verdict() == row.requested);
    CHECK(answers_for(builds, made.requested->target.release) == row.asked);
    CHECK(made.is_refused() == row.refused);
    for (const Format format : {Format::full, Format::markdown, Format::html}) {
      const std::string text = render({&made, 1}, {.format = format, .width = 200});
      CHECK_THAT(text, Contains(std::string("TensorRT ") + row.release) && Contains("built by"));
      CHECK((text.find("; not asked") == std::string::npos) == row.asked);
      CHECK((text.find("is another release than") == std::string::npos) == row.asked);
      CHECK((text.find("was built from the branch of TensorRT 11.4") == std::string::npos) == !row.asked);
    }
    const auto json = nlohmann::json::parse(render({&made, 1}, {.format = Format::json}));
    CHECK(json.at("models").at(0).at("requested").at("asked") == row.asked);
  }
  CHECK(!confirm(path, builds, for_release("rtx-1.7")).requested);
}

TEST_CASE("of a witness whose release nobody knows nothing is compared") {
  Witnesses all;
  Witness unknown = all.saying(answer(true, "true"));
  unknown.release = "9.9.9";
  const Confirmation made = confirm(all.model(kBad), unknown, {});
  CHECK(made.agreement == Agreement::not_judged);
  CHECK(!made.requested);
  CHECK(!branch_of(unknown));
  Report report = made.report;
  mark(report, made);
  CHECK_THAT(report.findings.at(0).witness, Contains("was not asked"));
  CHECK_THAT(render({&made, 1}, {}), Contains("of whose release nothing is known"));
}

TEST_CASE("each release of TensorRT-RTX was built from a branch of TensorRT") {
  for (const auto& [release, branch] :
       {std::pair{"1.4.0", "10.16"}, {"1.5.0", "11.0"}, {"1.6.1", "11.2"}, {"1.7.1", "11.4"}}) {
    const Witness witness{"", "", "", "TensorRT-RTX", release};
    REQUIRE(branch_of(witness));
    CHECK(to_string(*branch_of(witness)) == branch);
  }
  const Witness other{"", "", "", "TensorRT", "10.13.2"};
  CHECK(!branch_of(other));
  CHECK(answers_for(other, parse_release("10.13")));
  CHECK(!answers_for(other, parse_release("10.12")));
}
