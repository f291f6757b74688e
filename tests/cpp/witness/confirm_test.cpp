// A prediction next to what a witness says; the witnesses are scripts.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <trtcheck/confirm.hpp>
#include <trtcheck/error.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>
#include <temporary_folder.hpp>

#include "witness/nodes.hpp"

using namespace trtcheck;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

constexpr const char* kRelu = "agraph (float[1,4] x) => (float[1,4] y) { [act] y = Relu (x) }";
// Two groups of three channels do not fit four.
constexpr const char* kBad =
    "agraph (float[1,4,8,8] x) => (float[1,4,8,8] y) <float[4,3,1,1] w = {1,1,1,1,1,1,1,1,1,1,1,1}> "
    "{ [bad] y = Conv <group = 2> (x, w) }";

class Witnesses {
 public:
  /// A script that prints the text.
  Witness saying(const std::string& text) { return running("cat <<'END'\n" + text + "\nEND"); }
  Witness running(const std::string& script) {
    const fs::path file = folder_.path / fmt::format("witness {}", ++count_);
    std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(file, fs::perms::owner_all);
    return {file.string(), "", "", "TensorRT-RTX", "1.7.1"};
  }
  std::string model(const std::string& text) {
    const fs::path file = folder_.path / fmt::format(
                                             "m\xc3\xb6"
                                             "del {}.onnx",
                                             ++count_);
    std::ofstream(file, std::ios::binary) << test::onnx_bytes(text);
    return file.string();
  }

 private:
  test::TemporaryFolder folder_;
  int count_ = 0;
};

std::string answer(bool parsed, const std::string& built, const std::string& errors = "[]",
                   const std::string& log = "[]") {
  return fmt::format(
      R"({{"format":1,"library":{{"path":"","parser":"","product":"rtx","release":"1.7.1"}},"parsed":{},"errors":{},)"
      R"("built":{},"not_built":"","log":{},"seconds":{{"parse":0.1,"build":null}}}})",
      parsed, errors, built, log);
}

std::string parser_error(const std::string& text, const std::string& node) {
  return R"([{"code":6,"description":")" + text + R"(","file":"","line":0,"function":"","node":0,"node_name":")" +
         node + R"(","operator":"Relu"}])";
}

}  // namespace

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
      {kRelu, refusal, Testimony::refused, Agreement::missed, true},
      {kBad, answer(true, "true"), Testimony::built, Agreement::cried_wolf, true},
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
  CHECK(crash.agreement == Agreement::missed);
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
    CHECK_THAT(text, Contains("missed") && Contains("act") && Contains("other.onnx") && Contains("is empty"));
    CHECK((text.find("<b>no</b>") == std::string::npos) == (format == Format::markdown || format == Format::html));
  }
  CHECK_THROWS_WITH(render({&made, 1}, {.format = Format::sarif}), Contains("has the formats full, json"));
  const auto json = nlohmann::json::parse(render({&made, 1}, {.format = Format::json}));
  CHECK(json.at("models").at(0).at("agreement") == "missed");
  CHECK(json.at("models").at(0).at("messages").at(0).at("node") == "act");
  CHECK_THAT(render({&made, 1}, {}), Contains("1 model: 0 agree, 1 missed, 0 cried wolf, 0 not judged"));
}

TEST_CASE("findings say what the witness says of them") {
  Witnesses all;
  const std::string path = all.model(kBad);
  const auto marked = [&](const std::string& said) {
    const Confirmation made = confirm(path, all.saying(said), {});
    Report report = made.report;
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
}
