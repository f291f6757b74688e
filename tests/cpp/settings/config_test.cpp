// What a configuration file may say, and what is said of one that makes no sense.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include <trtcheck/settings.hpp>

#include "folder.hpp"

using namespace trtcheck;
using Catch::Matchers::Contains;
using test::Folder;

namespace {

Settings from(const Folder& folder, std::string_view text, const SettingsOverrides& overrides = {}) {
  folder.write("trtcheck.toml", text);
  return SettingsResolver({.file = folder / "trtcheck.toml"}, overrides).for_model(folder / "model.onnx");
}

std::string complaint(const Folder& folder, std::string_view text) {
  try {
    static_cast<void>(from(folder, text));
  } catch (const Error& error) {
    const std::string what = error.what();
    REQUIRE(what.starts_with(folder / "trtcheck.toml:"));
    CHECK(what.find('\n') == std::string::npos);
    return what.substr(folder.path().size() + 1);
  }
  return "accepted";
}

}  // namespace

TEST_CASE("every key of a configuration file") {
  const Folder folder;
  const Settings settings = from(folder, R"(
target = "8.6"
precision = ["fp16", "INT8"]
compute-capability = "sm_86"
dla = true
strongly-typed = true
require-profile = true
plugins = ["MyOp"]
select = ["QDQ", "wgt101"]
extend-select = ["conv-bias-length"]
ignore = "QDQ104"
fail-on = "warning"
exclude = ["build/", "*_old.onnx"]
baseline = "known/baseline.json"

[profile]
x = "1x3:4x3:8x3"
"serving:input=0" = "2x2"

[severity]
QDQ = "info"
scale-length = "error"

[per-file-ignores]
"model.onnx" = ["MDL"]
"legacy/**" = "SHP"

[per-node-ignores]
"/encoder/*" = { rules = ["QDQ", "HWD"], reason = "#42" }
"head" = { reason = "runs elsewhere" }
)");
  const CheckOptions& check = settings.check;
  CHECK(check.target.release == TrtVersion{8, 6});
  CHECK(check.target.precisions == std::vector{Precision::fp16, Precision::int8});
  CHECK(check.target.compute_capability == ComputeCapability{8, 6});
  CHECK(check.target.dla);
  CHECK(check.target.strongly_typed);
  CHECK(check.target.require_profile);
  CHECK(check.target.plugins == std::vector<std::string>{"MyOp"});
  CHECK(check.select == std::vector<std::string>{"QDQ", "wgt101", "conv-bias-length"});
  CHECK(check.ignore == std::vector<std::string>{"QDQ104", "MDL"});
  CHECK(settings.fail_on == FailOn::warning);
  REQUIRE(settings.exclude.size() == 2);
  CHECK(settings.exclude[0].folder == folder.path());
  CHECK(is_excluded(settings, folder / "build/a.onnx"));
  CHECK(is_excluded(settings, folder / "x/a_old.onnx"));
  CHECK_FALSE(is_excluded(settings, folder / "a.onnx"));
  CHECK(settings.baseline == folder / "known/baseline.json");
  REQUIRE(check.target.profile.size() == 2);
  CHECK(check.target.profile[0].max == std::vector<std::int64_t>{8, 3});
  CHECK(check.target.profile[1].name == "serving:input=0");
  CHECK(check.skip_unknown_inputs);
  REQUIRE(check.severities.size() == 2);
  CHECK(check.severities[1].severity == Severity::error);
  REQUIRE(check.node_ignores.size() == 2);
  CHECK(check.node_ignores[0].rules == std::vector<std::string>{"QDQ", "HWD"});
  CHECK(check.node_ignores[0].reason == "#42");
  CHECK(check.node_ignores[1].rules.empty());
  CHECK(settings.unmatched == std::vector<std::string>{"per-file-ignores `legacy/**`"});
  CHECK(settings.file == folder / "trtcheck.toml");
}

TEST_CASE("an empty file, and the defaults") {
  const Folder folder;
  const Settings empty = from(folder, "");
  CHECK(empty.check.target.release == known_releases().back());
  CHECK(empty.check.select.empty());
  CHECK(empty.fail_on == FailOn::error);
  CHECK(empty.baseline.empty());
  CHECK_FALSE(empty.check.skip_unknown_inputs);
  CHECK(from(folder, "profile = [\"x=1x2\", \"y=3\"]").check.target.profile.size() == 2);
  CHECK(from(folder, "extend-select = [\"QDQ\"]").check.select.empty());  // all rules are on already
}

TEST_CASE("a file that makes no sense is one line with its place") {
  struct Row {
    const char* text;
    const char* expected;
  };
  const Row rows[] = {
      {"\n\ntaget = \"8.6\"", "trtcheck.toml:3: unknown key `taget`, did you mean `target`?"},
      {"per_file_ignores = {}", "trtcheck.toml:1: unknown key `per_file_ignores`, did you mean `per-file-ignores`?"},
      {"colour = 1", "trtcheck.toml:1: unknown key `colour`; the keys are target, precision, "},
      {"[tool.trtcheck]\ntarget = \"8.6\"", "trtcheck.toml:1: here the keys stand at the top of the file"},
      {"target = 10.13", "trtcheck.toml:1: `target` must be a string such as \"10.13\", it is a float"},
      {"target = \"10.17\"", "trtcheck.toml:1: target: no facts about TensorRT 10.17 are known, the nearest"},
      {"target = \"lates\"", "did you mean `latest`?"},
      {"precision = [\"fp61\"]", "trtcheck.toml:1: precision: `fp61` is none of"},
      {"precision = [\n\"fp16\",\n\"half\"]", "trtcheck.toml:3: precision: `half`"},
      {"precision = [1]", "`precision` may hold strings only, one of them is an integer"},
      {"compute-capability = 8.6", "`compute-capability` must be a string such as \"8.6\" or \"h100\", it is a float"},
      {"compute-capability = \"eight\"", "`eight` is not of the form"},
      {"profile = 5", "`profile` must be a table such as"},
      {"[profile]\nx = 1", "trtcheck.toml:2: `x` of `profile` must be a string, it is an integer"},
      {"[profile]\nx = \"1:2\"", "trtcheck.toml:2: profile: `x=1:2`: one shape, or three"},
      {"profile = [\"x=1\", \"x=2\"]", "input `x` is named twice"},
      {"select = [\"QDQ\", \"QDX104\"]", "select: `QDX104` is no rule code, prefix, name or fact, did you mean"},
      {"extend-select = [\"nope-nope\"]", "extend-select: `nope-nope` is no rule"},
      {"ignore = true", "`ignore` must be a string or an array of strings, it is a boolean"},
      {"ignore = [\"\"]", "`` is no rule code"},
      {"fail-on = \"warn\"", "fail-on: `warn` is none of info, warning, error, never"},
      {"exclude = [\"a[\"]", "exclude: `a[`: a `[` has no `]`"},
      {"exclude = [\"../x\"]", "leads out of the folder"},
      {"exclude = [\n\"a\",\n\"./x\"]", "trtcheck.toml:3: exclude: `./x`: `.` is no part of a path"},
      {"baseline = \"\"", "baseline: the path is empty"},
      {"[severity]\nQDX = \"info\"", "trtcheck.toml:2: severity: `QDX` is no rule code"},
      {"[severity]\nQDQ = \"infos\"", "severity: `infos` is none of error, warning, info, did you mean `info`?"},
      {"[severity]\nQDQ = 1", "`QDQ` of `severity` must be a string, it is an integer"},
      {"severity = [\"QDQ\"]", "`severity` must be a table"},
      {"[per-file-ignores]\n\"!x\" = [\"QDQ\"]", "cannot begin with !"},
      {"[per-file-ignores]\n\"x\" = []", "`x` names no rules"},
      {"[per-file-ignores]\n\"\" = [\"QDQ\"]", "an empty pattern matches nothing"},
      {"[per-file-ignores]\n\"x\" = [\"QDQ\",\n\n\"ZZZ\"]", "trtcheck.toml:4: per-file-ignores: `ZZZ`"},
      {"[per-node-ignores]\n\"n\" = [\"QDQ\"]", "trtcheck.toml:2: `n` must be a table such as"},
      {"[per-node-ignores]\n\"n\" = { rules = [\"QDQ\"] }", "trtcheck.toml:2: `n` needs a reason"},
      {"[per-node-ignores]\n\"n\" = { reason = \" \" }", "the reason of `n` is empty"},
      {"[per-node-ignores]\n\"n\" = { reason = 1 }", "the reason of `n` must be a string, it is an integer"},
      {"[per-node-ignores]\n\"n\" = { rules = [], reason = \"x\" }", "`rules` is empty; leave it out"},
      {"[per-node-ignores]\n\"n\" = { rule = [\"QDQ\"], reason = \"x\" }", "unknown key `rule`, did you mean `rules`?"},
      {"[per-node-ignores]\n\"n[\" = { reason = \"x\" }", "a `[` has no `]`"},
      {"target = ", "trtcheck.toml:1:"},
      {"target = \"8.6\"\ntarget = \"8.5\"", "trtcheck.toml:2:"},
      {"a\n", "not TOML: "},
      {"target = \"\xff\"", "not TOML: "},
      {"target = \"8.6", "not TOML: "},
      {"a = \"\\ud800\"", "not TOML: "},
  };
  const Folder folder;
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK_THAT(complaint(folder, row.text), Contains(row.expected));
  }
}

TEST_CASE("byte order marks and line ends of other systems") {
  const Folder folder;
  CHECK(from(folder, "\xef\xbb\xbftarget = \"8.6\"\r\nfail-on = \"info\"\r\n").fail_on == FailOn::info);
  CHECK_THAT(complaint(folder, "target = \"8.6\"\r\ntaget = 1\r\n"), Contains("trtcheck.toml:2: unknown key"));
  CHECK_THAT(complaint(folder, "target = \"8.6\"\rtaget = 1\r"), Contains("not TOML"));
}

TEST_CASE("hostile files neither crash nor hang") {
  const Folder folder;
  const auto repeated = [](std::string_view part, std::size_t times) {
    std::string made;
    for (std::size_t i = 0; i < times; ++i) made += part;
    return made;
  };
  CHECK_THAT(complaint(folder, repeated("a.", 100'000) + "b = 1"), Contains("a key of more than 32 parts"));
  CHECK_THAT(complaint(folder, "[" + repeated("'a' . ", 100'000) + "b]"), Contains("a key of more than 32 parts"));
  CHECK_THAT(complaint(folder, "a = " + repeated("[", 100'000)), Contains("not TOML"));
  CHECK_THAT(complaint(folder, "a = " + repeated("{a=", 100'000)), Contains("not TOML"));
  CHECK_THAT(complaint(folder, "a = " + repeated("{a.b.c=", 30) + "1" + repeated("}", 30)), Contains("unknown key"));
  CHECK_THAT(complaint(folder, "# " + repeated("......", 100) + "\nx = 1"), Contains("trtcheck.toml:2: unknown key"));
  CHECK_THAT(complaint(folder, "x = \"" + repeated(".", 100) + "\""), Contains("unknown key `x`"));
  CHECK_THAT(complaint(folder, "x = '''" + repeated(".\n'", 100) + "'''"), Contains("unknown key `x`"));
  CHECK_THAT(complaint(folder, "x = \"\"\"" + repeated(".\\\"", 100) + "\"\"\""), Contains("unknown key `x`"));
  folder.write("trtcheck.toml", "d = 1979-05-27T:32:00Z");
  CHECK_THROWS_WITH(SettingsResolver({.file = folder / "trtcheck.toml"}), Contains("not TOML: a value is malformed"));
  folder.write("trtcheck.toml", repeated("# x\n", 300'000));
  CHECK_THROWS_WITH(SettingsResolver({.file = folder / "trtcheck.toml"}), Contains("longer than 1 MiB"));
}
