// Known findings: matching, updating, pruning, the file.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <random>

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include <trtcheck/baseline.hpp>

using namespace trtcheck;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

const Rule& rule(std::string_view code) { return *find_rule(code); }

std::string print(int number) { return fmt::format("{:016x}", number); }

Finding finding(int number, std::string_view code = "OPS103") {
  Finding made;
  made.rule = &rule(code);
  made.severity = made.rule->severity;
  made.message = "finding " + std::to_string(number);
  made.fingerprint = print(number);
  return made;
}

Report report(std::string path, std::initializer_list<int> numbers) {
  Report made;
  made.path = std::move(path);
  for (int number : numbers) made.findings.push_back(finding(number));
  return made;
}

BaselineEntry entry(std::string model, int number, std::size_t count = 1, std::string code = "OPS103") {
  return {std::move(model), std::move(code), print(number), count, "finding " + std::to_string(number), {},
          Severity::error};
}

/// "model:fingerprint*count ..."
std::string text(std::span<const BaselineEntry> entries) {
  std::string made;
  for (const BaselineEntry& each : entries) {
    const std::string number = std::to_string(std::stoi(each.fingerprint, nullptr, 16));
    made += (made.empty() ? "" : " ") + each.model + ":" + number;
    if (each.count != 1) made += "*" + std::to_string(each.count);
  }
  return made;
}

std::string numbers(const Report& report) {
  std::string made;
  for (const Finding& each : report.findings) made += std::to_string(std::stoi(each.fingerprint, nullptr, 16));
  return made;
}

/// A folder that vanishes.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("trtcheck-baseline-" + std::to_string(std::random_device{}()))) {
    fs::create_directories(path_ / "models");
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }
  [[nodiscard]] std::string operator/(std::string_view name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("entries match by model and fingerprint, each as often as it is there") {
  const Folder folder;
  const Baseline baseline(folder / "b.json", {entry("models/a.onnx", 1, 2), entry("models/a.onnx", 2),
                                              entry("models/b.onnx", 3), entry("models/a.onnx", 4, 1, "WGT101")});
  Report a = report(folder / "models/a.onnx", {1, 1, 1, 3});
  const BaselineMatch match = baseline.apply(a, {});
  CHECK(numbers(a) == "13");
  CHECK(a.suppressed == 2);
  REQUIRE(a.suppressions.size() == 2);
  CHECK(a.suppressions[0].by == Suppressed::By::baseline);
  CHECK(match.model == "models/a.onnx");
  CHECK(text(match.known) == "models/a.onnx:1*2");
  CHECK(text(match.fresh) == "models/a.onnx:1 models/a.onnx:3");
  CHECK(text(match.gone) == "models/a.onnx:2 models/a.onnx:4");
  CHECK(match.unjudged.empty());

  const std::vector<BaselineMatch> matches{match};
  CHECK(text(baseline.updated(matches).entries()) == "models/a.onnx:1*3 models/a.onnx:3 models/b.onnx:3");
  CHECK(text(baseline.pruned(matches).entries()) == "models/a.onnx:1*2 models/b.onnx:3");
  CHECK(text(baseline.updated({}).entries()) == text(baseline.entries()));
}

TEST_CASE("entries of rules that were not selected are neither gone nor removed") {
  const Folder folder;
  const Baseline baseline(folder / "b.json", {entry("a.onnx", 1), entry("a.onnx", 2, 1, "WGT101")});
  CheckOptions options;
  options.select = {"OPS"};
  Report a = report(folder / "a.onnx", {});
  const std::vector<BaselineMatch> match{baseline.apply(a, options)};
  CHECK(text(match[0].gone) == "a.onnx:1");
  CHECK(text(match[0].unjudged) == "a.onnx:2");
  CHECK(text(baseline.updated(match).entries()) == "a.onnx:2");
  CHECK(text(baseline.pruned(match).entries()) == "a.onnx:2");
}

TEST_CASE("accepting takes out what is new, too; a failed rule is always told") {
  const Folder folder;
  const Baseline empty(folder / "b.json");
  Report a = report(folder / "a.onnx", {1, 2});
  a.findings.push_back(finding(3, "MDL900"));
  const std::vector<BaselineMatch> match{empty.apply(a, {}, true)};
  CHECK(numbers(a) == "3");
  CHECK(a.suppressed == 2);
  const Baseline made = empty.updated(match);
  CHECK(text(made.entries()) == "a.onnx:1 a.onnx:2");
  Report again = report(folder / "a.onnx", {1, 2});
  CHECK(made.apply(again, {}).fresh.empty());
  CHECK(again.findings.empty());
}

TEST_CASE("consequences are matched, and move up when their cause is known") {
  const Folder folder;
  Report a = report(folder / "a.onnx", {1});
  a.findings[0].consequences = {finding(2), finding(3)};
  const Baseline baseline(folder / "b.json", {entry("a.onnx", 1), entry("a.onnx", 3)});
  baseline.apply(a, {});
  CHECK(numbers(a) == "2");
}

TEST_CASE("models are named relative to the baseline, through links of folders") {
  const Folder folder;
  fs::create_directory_symlink(folder / "models", folder / "link");
  const auto name_from = [&](const std::string& baseline, const std::string& model) {
    Report made = report(model, {});
    return Baseline(baseline).apply(made, {}).model;
  };
  CHECK(name_from(folder / "b.json", folder / "models/a.onnx") == "models/a.onnx");
  CHECK(name_from(folder / "b.json", folder / "models/../models/./a.onnx") == "models/a.onnx");
  CHECK(name_from(folder / "b.json", folder / "link/a.onnx") == "models/a.onnx");
  CHECK(name_from(folder / "models/b.json", folder / "a.onnx") == "../a.onnx");
  CHECK(name_from("b.json", "models/a.onnx") == "models/a.onnx");
  CHECK(name_from("sub/b.json", "models/a.onnx") == "../models/a.onnx");
  CHECK(name_from("b.json", "") == "");
  CHECK(name_from("b.json", "-") == "-");
  CHECK(name_from("b.json", "hf://user/model/a.onnx") == "hf://user/model/a.onnx");
  CHECK(name_from("b.json", "caf\xe9.onnx") == "caf\\xe9.onnx");
}

TEST_CASE("the file: one entry on a line, sorted, and back") {
  const Folder folder;
  const std::string path = folder / "b.json";
  std::vector<BaselineEntry> entries{entry("b.onnx", 2), entry("a \"x\"\n.onnx", 7), entry("a.onnx", 1),
                                     entry("a.onnx", 1, 2), entry("a.onnx", 9, 1, "MDL103")};
  const Baseline baseline(path, entries);
  const std::string written = baseline.to_json();
  CHECK(written ==
        "{\n  \"schema_version\": 1,\n  \"findings\": [\n"
        "    {\"model\":\"a "
        "\\\"x\\\"\\n.onnx\",\"code\":\"OPS103\",\"fact\":\"\",\"severity\":\"error\",\"fingerprint\":"
        "\"0000000000000007\",\"count\":1,"
        "\"message\":\"finding 7\"},\n"
        "    "
        "{\"model\":\"a.onnx\",\"code\":\"MDL103\",\"fact\":\"\",\"severity\":\"error\",\"fingerprint\":"
        "\"0000000000000009\",\"count\":1,"
        "\"message\":\"finding 9\"},\n"
        "    "
        "{\"model\":\"a.onnx\",\"code\":\"OPS103\",\"fact\":\"\",\"severity\":\"error\",\"fingerprint\":"
        "\"0000000000000001\",\"count\":3,"
        "\"message\":\"finding 1\"},\n"
        "    "
        "{\"model\":\"b.onnx\",\"code\":\"OPS103\",\"fact\":\"\",\"severity\":\"error\",\"fingerprint\":"
        "\"0000000000000002\",\"count\":1,"
        "\"message\":\"finding 2\"}\n"
        "  ]\n}\n");
  std::ofstream(path) << written;
  const Baseline twin = read_baseline(path);
  CHECK(twin.path() == path);
  CHECK(twin.to_json() == written);

  std::ofstream(path) << Baseline(path).to_json();
  CHECK(read_baseline(path).entries().empty());
}

TEST_CASE("random baselines survive the file, and any order of entries gives the same one") {
  const unsigned seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random(seed);
  const Folder folder;
  const std::string path = folder / "b.json";
  for (int round = 0; round < 50; ++round) {
    std::vector<BaselineEntry> entries;
    for (std::size_t i = random() % 30; i > 0; --i) {
      const auto number = static_cast<int>(random() % 6);
      entries.push_back(entry("m" + std::to_string(random() % 4), number, 1 + random() % 3));
    }
    const std::string text = Baseline(path, entries).to_json();
    std::ranges::shuffle(entries, random);
    REQUIRE(Baseline(path, entries).to_json() == text);
    std::ofstream(path) << text;
    REQUIRE(read_baseline(path).to_json() == text);
  }
}

TEST_CASE("what is no baseline") {
  const Folder folder;
  const std::string path = folder / "b.json";
  const auto reading = [&](const std::string& content) {
    std::ofstream(path) << content;
    return [&] { static_cast<void>(read_baseline(path)); };
  };
  const auto with = [](const char* fields) {
    return std::string(R"({"schema_version": 1, "findings": [{)") + fields + "}]}";
  };
  struct Row {
    std::string content;
    const char* cause;
  };
  const Row rows[] = {
      {"", "it is not JSON (at byte 0)"},
      {"hello", "it is not JSON (at byte 0)"},
      {R"({"schema_version": 1, "findings": [)", "it is not JSON (at byte 35)"},
      {"<<<<<<< HEAD\n", "it is not JSON"},
      {"[]", "it is no object"},
      {"{}", "it has no `schema_version`"},
      {R"({"schema_version": "1"})", "it has no `schema_version`"},
      {R"({"schema_version": 2, "findings": []})", "version 2, this trtcheck reads version 1"},
      {R"({"schema_version": 1})", "it has no list `findings`"},
      {R"({"schema_version": 1, "findings": {}})", "it has no list `findings`"},
      {R"({"schema_version": 1, "findings": [1]})", "entry 0 of `findings` is no object"},
      {with(""), "entry 0 of `findings` has no text `model`"},
      {with(R"("model": 1)"), "has no text `model`"},
      {with(R"("model": "a", "code": "OPS103", "fingerprint": "0123456789abcdef", "count": 1, "message": "")"),
       "has no text `fact`"},
      {with(R"("model": "a", "code": "OPS103", "fact": "", "severity": "grave", "fingerprint": "x", "message": "")"),
       "`severity` of entry 0 of `findings` is not error, warning or info"},
      {with(
           R"("model": "a", "code": "OPS103", "fact": "", "severity": "error", "fingerprint": "xyz", "count": 1, "message": "")"),
       "`fingerprint` of entry 0 of `findings` is not 16 hexadecimal digits"},
      {with(
           R"("model": "a", "code": "OPS103", "fact": "", "severity": "error", "fingerprint": "0123456789abcdef", "count": 0, "message": "")"),
       "`count` of entry 0"},
      {with(
           R"("model": "a", "code": "OPS103", "fact": "", "severity": "error", "fingerprint": "0123456789abcdef", "count": -1, "message": "")"),
       "`count` of entry 0"},
      {with(
           R"("model": "a", "code": "OPS103", "fact": "", "severity": "error", "fingerprint": "0123456789abcdef", "count": 1e300, "message": "")"),
       "`count` of entry 0"},
      {"{\"schema_version\": 1, \"findings\": [\"\xff\"]}", "it is not JSON"},
      {std::string(1'000'000, '['), "nested too deep"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.content.substr(0, 100));
    CHECK_THROWS_WITH(reading(row.content)(), Contains(row.cause) && !Contains("\n"));
    CHECK_THROWS_AS(reading(row.content)(), Error);
  }
  CHECK_THROWS_WITH(read_baseline(folder / "models"), Contains("it is a directory"));
  CHECK_THROWS_AS(read_baseline(folder / "missing.json"), Error);
  // Keys that are not known belong to a later version of the same schema.
  CHECK_NOTHROW(reading(R"({"schema_version": 1, "findings": [], "more": {"a": [1]}})")());
}

TEST_CASE("findings that are only counted are known by their number") {
  const auto with = [](std::initializer_list<int> listed, std::size_t counted) {
    Report made = report("a.onnx", listed);
    made.unlisted = {{&rule("OPS103"), rule("OPS103").severity, counted}};
    return made;
  };
  Report first = with({1, 2}, 10);
  const Baseline empty("b.json");
  const Baseline known = empty.updated({{empty.apply(first, {}, true)}});
  CHECK(first.findings.empty());
  CHECK(first.unlisted.empty());
  CHECK(first.suppressed == 12);
  CHECK(known.entries().size() == 3);

  const auto left = [&](Report now) {
    const BaselineMatch match = known.apply(now, {});
    const std::size_t counted = now.unlisted.empty() ? 0 : now.unlisted[0].count;
    return fmt::format("{}+{} {}", now.findings.size(), counted, now.suppressed);
  };
  CHECK(left(with({1, 2}, 10)) == "0+0 12");
  CHECK(left(with({1, 2}, 13)) == "0+3 12");
  CHECK(left(with({2, 3}, 9)) == "0+0 11");   // 1 was mended, and 3 is listed in its place
  CHECK(left(with({2, 3}, 10)) == "0+1 11");  // ... but there is another one
  CHECK(left(with({1, 2}, 4)) == "0+0 6");
}
