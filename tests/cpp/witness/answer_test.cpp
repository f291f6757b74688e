// The line of JSON, and what follows from it.
#include <catch2/catch.hpp>

#include <string>

#include "witness/answer.hpp"
#include "witness/ask.hpp"
#include "witness/judge.hpp"

using namespace trtcheck;
using namespace trtcheck::witness;

namespace {

constexpr const char* kBuilt =
    R"({"format":1,"model":"a.onnx","library":{"path":"/l.so","parser":"/p.so","product":"rtx","release":"1.7.1",)"
    R"("number":10701},"parsed":true,"errors":[],"built":true,"not_built":"","engine_bytes":1234,"inputs":[],)"
    R"("outputs":[],"log":[{"severity":"warning","text":"careful"}],"seconds":{"parse":0.5,"build":1.5}})";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

Answer parser_said(const std::string& description, const std::string& op_type = "") {
  Answer answer;
  answer.errors.push_back({.code = 6, .description = description, .node = 0, .op_type = op_type});
  return answer;
}

Answer builder_said(const std::string& text) {
  Answer answer;
  answer.parsed = true;
  answer.built = false;
  answer.log = {{"warning", "not this"}, {"error", text}};
  return answer;
}

}  // namespace

TEST_CASE("an answer is read") {
  const auto answer = read_answer(kBuilt);
  REQUIRE(answer);
  CHECK(answer->product == "rtx");
  CHECK(answer->release == "1.7.1");
  CHECK(answer->parsed);
  CHECK(answer->built == true);
  CHECK(answer->engine_bytes == 1234U);
  CHECK(answer->parse_seconds == 0.5);
  CHECK(answer->build_seconds == 1.5);
  REQUIRE(answer->log.size() == 1);
  CHECK(answer->log[0].text == "careful");
}

TEST_CASE("an error of the parser is read") {
  const std::string error = R"([{"code":8,"description":"d","file":"f.cpp","line":3,"function":"g","node":2,)"
                            R"("node_name":"n","operator":"Conv"}])";
  const auto answer = read_answer(
      replaced(replaced(kBuilt, "\"errors\":[]", "\"errors\":" + error), "\"parsed\":true", "\"parsed\":false"));
  REQUIRE(answer);
  REQUIRE(answer->errors.size() == 1);
  CHECK(answer->errors[0].description == "d");
  CHECK(answer->errors[0].node == 2);
  CHECK(answer->errors[0].node_name == "n");
  CHECK(answer->errors[0].op_type == "Conv");
}

TEST_CASE("what was not built has a reason") {
  const auto answer = read_answer(replaced(replaced(kBuilt, "\"built\":true", "\"built\":null"), "\"not_built\":\"\"",
                                           "\"not_built\":\"no profile\""));
  REQUIRE(answer);
  CHECK(!answer->built.has_value());
  CHECK(answer->not_built == "no profile");
}

TEST_CASE("why nothing could be asked is read") {
  const auto answer = read_answer(R"({"format":1,"fatal":"no library"})");
  REQUIRE(answer);
  CHECK(answer->fatal == "no library");
}

TEST_CASE("what is no answer is none") {
  const std::string built = kBuilt;
  const std::string lines[] = {"",
                               "hello",
                               "[]",
                               "{}",
                               "42",
                               built.substr(0, built.size() / 2),
                               replaced(built, "\"format\":1", "\"format\":2"),
                               replaced(built, "\"parsed\":true", "\"parsed\":\"yes\""),
                               replaced(built, "\"errors\":[]", "\"errors\":[1]"),
                               replaced(built, "\"seconds\":{", "\"second\":{"),
                               std::string(100000, '[')};
  for (const std::string& line : lines) {
    INFO(line.substr(0, 100));
    CHECK(!read_answer(line));
  }
}

TEST_CASE("what needs a plugin is not judged") {
  const Answer answers[] = {
      parser_said("creator && \"Plugin not found, are the plugin name, version, and namespace correct?\"", "Magic"),
      parser_said("Assertion failed: plugin != nullptr: ROIAlign plugin was not found in the plugin registry!",
                  "RoiAlign"),
      parser_said("Assertion failed: creator: NonZero plugin creator version 1 was not found in plugin registry.",
                  "NonZero"),
      parser_said("false", "DFT"),
      parser_said("Op type Magic is not supported in TensorRT-RTX.", "Magic"),
      builder_said("Error Code 2: Internal Error (node_of_y_0 has no runners that implement it In getSupported...)")};
  for (const Answer& answer : answers) {
    const Judgement judged = judge(answer, false);
    REQUIRE(judged.said.size() == 1);
    INFO(judged.said[0].text);
    CHECK(judged.testimony == Testimony::not_judged);
    CHECK(judged.reason == "it needs a plugin, and plugins do not load without a CUDA driver");
  }
}

TEST_CASE("limits of a release are not judged") {
  const Judgement int8 =
      judge(builder_said("MyelinCheckException: cudnn_impl.cpp:89: CHECK(dtype == myelinTypeFloat)"), false);
  CHECK(int8.testimony == Testimony::not_judged);
  CHECK(int8.reason == "this release builds no INT8 convolution without a GPU");
  CHECK(judge(builder_said("Error Code 2: OutOfMemory (no further information)"), false).reason ==
        "there is not enough memory");
}

TEST_CASE("what TensorRT-RTX 1.4 cannot do without a GPU is not judged") {
  Answer folds = builder_said("Error Code 1: Cuda Runtime (In generateForCurrent at cudaDeviceProfile.cpp:80)");
  CHECK(judge(folds, false).reason == "this release folds no constants of Q/DQ without a GPU");
  Answer codes = builder_said(
      "Error Code 4: Internal Error (Node y cannot be quantized by x. You might want to add a DQ node before y)");
  codes.release = "1.4.0";
  CHECK(judge(codes, false).reason == "this release refuses every INT8 input");
  codes.release = "1.5.0";
  CHECK(judge(codes, false).testimony == Testimony::refused);
}

TEST_CASE("a profile that does not fit is our fault when we proposed it") {
  const Answer answer = builder_said("kOPT values for profile 0 violate shape constraints: condition '==' violated.");
  CHECK(judge(answer, true).testimony == Testimony::not_judged);
  CHECK(judge(answer, false).testimony == Testimony::refused);
}

TEST_CASE("what neither takes is refused, with its first line") {
  const Judgement strided = judge(
      builder_said("cudnn_impl.cpp:294: CHECK(false) failed. Strided & Dilated Deconv are currently not supported"),
      false);
  CHECK(strided.testimony == Testimony::refused);
  CHECK(strided.said[0].stage == "builder");
  const Judgement types = judge(parser_said("Invalid Node - a\nAdd must have same input types.\nmore", "Add"), false);
  CHECK(types.testimony == Testimony::refused);
  CHECK(types.reason == "Add must have same input types.");
  CHECK(judge(parser_said("Op type Conv is not supported in TensorRT-RTX.", "Conv"), false).testimony ==
        Testimony::refused);
  Answer nameless = parser_said("Unsupported reduction type");
  nameless.errors[0].function = "importScatterElements";
  CHECK(judge(nameless, false).said.at(0).op_type == "ScatterElements");
  Answer silent;
  silent.parsed = true;
  silent.built = false;
  CHECK(judge(silent, false).reason == "it does not say why");
}

TEST_CASE("one error that counts is a refusal, whatever needs a plugin beside it") {
  Answer answer = parser_said("creator && \"Plugin not found\"", "Magic");
  answer.errors.push_back({.code = 9, .description = "Unsupported reduction type"});
  const Judgement judged = judge(answer, false);
  CHECK(judged.testimony == Testimony::refused);
  CHECK(judged.reason == "Unsupported reduction type");
}

TEST_CASE("what was not built is parsed, what was built is built") {
  Answer answer;
  answer.parsed = true;
  answer.not_built = "input `x` is dynamic and has no profile";
  CHECK(judge(answer, false).testimony == Testimony::parsed);
  CHECK(judge(answer, false).reason == answer.not_built);
  answer.built = true;
  CHECK(judge(answer, false).testimony == Testimony::built);
}

TEST_CASE("every ending is a reply") {
  const ChildLimits limits{.seconds = 2, .bytes = std::uint64_t{3} << 30U};
  using Kind = Ending::Kind;
  const auto reply = [&](Kind kind, int code, const char* output, const char* errors) {
    return reply_of({kind, code, output, errors}, limits);
  };
  const std::string line = std::string(kBuilt) + "\n";
  CHECK(reply(Kind::exited, 0, line.c_str(), "").kind == Reply::Kind::answered);

  const char* const building = "trtcheck-witness: parsing a.onnx\ntrtcheck-witness: building\nerror: last words\n";
  const Reply crash = reply(Kind::signalled, 11, "", building);
  CHECK(crash.kind == Reply::Kind::crashed);
  CHECK(crash.reason == "the builder crashed: SIGSEGV");
  CHECK(crash.last == "error: last words");
  CHECK(reply(Kind::signalled, 6, "", "trtcheck-witness: parsing a.onnx\n").reason == "the parser crashed: SIGABRT");

  const Reply memory = reply(Kind::signalled, 6, "", "terminate called after throwing an instance of 'std::bad_alloc'");
  CHECK(memory.kind == Reply::Kind::limited);
  CHECK(memory.reason == "the parser was stopped: 3 GB of memory are not enough");

  CHECK(reply(Kind::timed_out, 0, "", building).reason == "the builder did not end within 2 seconds");
  CHECK(reply(Kind::signalled, 9, "", "").kind == Reply::Kind::limited);
  CHECK(reply(Kind::cancelled, 0, "", "").reason == "the run was interrupted");
  CHECK(reply(Kind::flooded, 0, "", "").kind == Reply::Kind::strange);
  CHECK(reply(Kind::exited, 3, "", "").reason == "the witness ended with exit code 3 and said nothing");
  CHECK(reply(Kind::exited, 0, "{\"format\":1,\n", "").reason ==
        "what the witness printed is no answer: `{\"format\":1,\\n`");
}
