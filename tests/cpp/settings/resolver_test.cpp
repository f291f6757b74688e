// Which file counts for which model, and what the caller says over it.
#include <catch2/catch.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <trtcheck/settings.hpp>

#include "folder.hpp"

using namespace trtcheck;
using Catch::Matchers::Contains;
using test::Folder;

namespace {

namespace fs = std::filesystem;

std::string place(const Settings& settings, std::string_view key, std::string_view entry = "") {
  for (const SettingOrigin& origin : settings.origins) {
    if (origin.key == key && origin.entry == entry) return origin.value + " from " + origin.place();
  }
  return "none";
}

}  // namespace

TEST_CASE("the closest file counts") {
  const Folder folder;
  folder.write("trtcheck.toml", "target = \"8.0\"");
  folder.write("a/pyproject.toml", "[tool.trtcheck]\ntarget = \"8.2\"");
  folder.write("a/b/pyproject.toml", "[project]\nname = \"x\"");
  folder.write("a/b/broken/pyproject.toml", "this is no TOML");
  folder.write("a/b/other/pyproject.toml", "[project]\nname = \"trtcheck-user\"");
  folder.write("a/c/pyproject.toml", "[tool.trtcheck]\ntarget = \"8.4\"");
  folder.write("a/c/trtcheck.toml", "target = \"8.5\"");
  fs::create_directories(folder / "d/trtcheck.toml");
  const SettingsResolver resolver;
  const auto release = [&](const char* model) {
    return to_string(resolver.for_model(folder / model).check.target.release);
  };
  CHECK(release("m.onnx") == "8.0");
  CHECK(release("a/m.onnx") == "8.2");
  CHECK(release("a/b/m.onnx") == "8.2");         // no table there: the search goes on
  CHECK(release("a/b/broken/m.onnx") == "8.2");  // nor is it ours to judge
  CHECK(release("a/b/other/m.onnx") == "8.2");
  CHECK(release("a/c/m.onnx") == "8.5");  // trtcheck.toml wins
  CHECK(release("d/m.onnx") == "8.0");    // a folder of that name is no file
  CHECK(release("a/c/not/there/yet/m.onnx") == "8.5");
  CHECK(release("a/c/../b/./m.onnx") == "8.2");
  CHECK(resolver.for_folder(folder / "a").check.target.release == TrtVersion{8, 2});
  CHECK(resolver.for_model(folder / "a/m.onnx").file == folder / "a/pyproject.toml");
}

TEST_CASE("links are followed as the user sees them, .. as the system does") {
  const Folder folder;
  folder.write("project/trtcheck.toml", "target = \"8.2\"");
  folder.write("cache/trtcheck.toml", "target = \"8.4\"");
  folder.write("cache/deep/blob", "");
  fs::create_directory_symlink(folder / "cache/deep", folder / "project/models");
  fs::create_symlink(folder / "cache/deep/blob", folder / "project/m.onnx");
  const SettingsResolver resolver;
  CHECK(resolver.for_model(folder / "project/m.onnx").check.target.release == TrtVersion{8, 2});
  CHECK(resolver.for_model(folder / "project/models/blob").check.target.release == TrtVersion{8, 2});
  CHECK(resolver.for_model(folder / "project/models/../x.onnx").check.target.release == TrtVersion{8, 4});
  fs::create_directories(folder / "linked");
  fs::create_symlink(folder / "cache/trtcheck.toml", folder / "linked/trtcheck.toml");
  CHECK(resolver.for_model(folder / "linked/m.onnx").check.target.release == TrtVersion{8, 4});
}

TEST_CASE("what stands in the way of a search is one line") {
  const Folder folder;
  fs::create_directories(folder / "dangling");
  fs::create_symlink("nowhere", folder / "dangling/trtcheck.toml");
  fs::create_directories(folder / "pipe");
  REQUIRE(::mkfifo((folder / "pipe/trtcheck.toml").c_str(), 0600) == 0);
  folder.write("broken/trtcheck.toml", "x");
  folder.write("shared/pyproject.toml", "[tool]\ntrtcheck = 1");
  const SettingsResolver resolver;
  for (int again = 0; again < 2; ++again) {
    CHECK_THROWS_WITH(resolver.for_model(folder / "dangling/m.onnx"), Contains("no such file"));
    CHECK_THROWS_WITH(resolver.for_model(folder / "pipe/m.onnx"), Contains("is no regular file"));
    CHECK_THROWS_WITH(resolver.for_model(folder / "broken/sub/m.onnx"), Contains("broken/trtcheck.toml:1:2: not TOML"));
  }
  CHECK_THROWS_WITH(resolver.for_model(folder / "shared/m.onnx"), Contains("`trtcheck` must be a table"));
  CHECK_THROWS_AS(resolver.for_model(std::string("a\0b", 3)), Error);
  CHECK_THROWS_WITH(resolver.for_model(std::string(100'000, 'a') + "/m.onnx"), Contains("too long"));
  CHECK_THROWS_WITH(SettingsResolver({.file = folder / "none.toml"}), Contains("none.toml: cannot be opened: no such"));
  CHECK_THROWS_WITH(SettingsResolver({.file = folder.path()}), Contains("is a directory"));
  folder.write("pyproject.toml", "[project]\n");
  CHECK_THROWS_WITH(SettingsResolver({.file = folder / "pyproject.toml"}), Contains("has no table [tool.trtcheck]"));
}

TEST_CASE("a file that is named counts for all models, none for none") {
  const Folder folder;
  folder.write("trtcheck.toml", "target = \"8.2\"");
  folder.write("other/config.toml",
               "target = \"8.4\"\n[per-file-ignores]\n\"m.onnx\" = [\"QDQ\"]\n\"x/*\" = [\"SHP\"]");
  const Settings named = SettingsResolver({.file = folder / "other/config.toml"}).for_model(folder / "m.onnx");
  CHECK(named.check.target.release == TrtVersion{8, 4});
  CHECK(named.check.ignore == std::vector<std::string>{"QDQ"});  // names match anywhere, paths only below the file
  const Settings none = SettingsResolver({.file = "", .search = false}).for_model(folder / "m.onnx");
  CHECK(none.check.target.release == known_releases().back());
  CHECK(none.file.empty());
}

TEST_CASE("the caller's words stand over the file's") {
  const Folder folder;
  folder.write(
      "trtcheck.toml",
      "target = \"8.2\"\nselect = [\"QDQ\"]\nextend-select = [\"MDL\"]\nignore = [\"SHP\"]\nfail-on = \"info\"\n"
      "exclude = [\"a/\"]\nprofile = { x = \"1\", y = \"2\" }\nseverity = { QDQ = \"info\" }\n"
      "baseline = \"b.json\"\n[per-file-ignores]\n\"m.onnx\" = [\"WGT\"]\n");
  const auto with = [&](const SettingsOverrides& overrides) {
    return SettingsResolver({}, overrides).for_model(folder / "m.onnx");
  };
  const Settings file = with({});
  CHECK(file.check.select == std::vector<std::string>{"QDQ", "MDL"});
  CHECK_THAT(place(file, "target"), Contains("\"8.2\" from ") && Contains("trtcheck.toml:1"));
  CHECK_THAT(place(file, "profile", "y"), Contains("\"2\" from ") && Contains("trtcheck.toml:7"));
  CHECK(place(file, "precision") == "[] from default");
  CHECK(place(file, "compute-capability") == " from default");

  SettingsOverrides overrides;
  overrides.release = TrtVersion{10, 13};
  overrides.select = {"QDQ"};
  overrides.extend_select = {"HWD"};
  overrides.ignore.emplace();
  overrides.fail_on = FailOn::never;
  overrides.profile = {parse_profile("z=3")};
  overrides.exclude.emplace();
  overrides.baseline = "";
  overrides.severities = {{"scale-length", Severity::error}};
  const Settings over = with(overrides);
  CHECK(over.check.target.release == TrtVersion{10, 13});
  CHECK(over.check.select == std::vector<std::string>{"QDQ", "HWD"});
  CHECK(over.check.ignore == std::vector<std::string>{"WGT"});  // per-file-ignores stay
  CHECK(over.fail_on == FailOn::never);
  CHECK(over.check.target.profile.size() == 1);
  CHECK_FALSE(over.check.skip_unknown_inputs);
  CHECK(over.exclude.empty());
  CHECK(over.baseline.empty());
  CHECK(over.check.severities.size() == 2);
  CHECK(place(over, "target") == "\"10.13\" from command line");
  CHECK_THAT(place(over, "severity", "QDQ"), Contains("trtcheck.toml:8"));
  CHECK(place(over, "severity", "scale-length") == "\"error\" from command line");

  SettingsOverrides more;
  more.extend_select = {"HWD"};
  const Settings extended = with(more);
  CHECK(extended.check.select == std::vector<std::string>{"QDQ", "MDL", "HWD"});
  CHECK_THAT(place(extended, "select"), Contains("trtcheck.toml:2 and command line"));
}

TEST_CASE("words of the caller that make no sense") {
  SettingsOverrides overrides;
  overrides.extend_select = {"QDX9"};
  CHECK_THROWS_WITH(SettingsResolver({}, overrides), Contains("extend-select: `QDX9` is no rule"));
  overrides = {};
  overrides.exclude = {"a["};
  CHECK_THROWS_WITH(SettingsResolver({}, overrides), Contains("exclude: `a[`"));
  overrides = {};
  overrides.severities = {{"nope", Severity::info}};
  CHECK_THROWS_WITH(SettingsResolver({}, overrides), Contains("severity: `nope`"));
}

TEST_CASE("many threads may ask at once") {
  const Folder folder;
  for (int i = 0; i < 8; ++i) {
    folder.write("p" + std::to_string(i) + "/trtcheck.toml", "plugins = [\"P" + std::to_string(i) + "\"]");
  }
  const SettingsResolver resolver;
  std::vector<std::thread> threads;
  std::vector<int> right(4, 0);
  for (std::size_t t = 0; t < right.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 400; ++i) {
        const std::string name = std::to_string(i % 8);
        const Settings settings = resolver.for_model(folder / ("p" + name + "/x/y/m.onnx"));
        right[t] += settings.check.target.plugins == std::vector<std::string>{"P" + name} ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == std::vector<int>(4, 400));
}

TEST_CASE("what matched nothing in any model is said once, with its place") {
  const Folder folder;
  folder.write("trtcheck.toml",
               "profile = { x = \"1\", y = \"2\" }\n[per-file-ignores]\n\"a.onnx\" = [\"QDQ\"]\n\"z/*\" = [\"QDQ\"]\n");
  const SettingsResolver resolver;
  UnmatchedSettings unmatched;
  for (const char* name : {"a.onnx", "b.onnx"}) {
    Report report;
    report.unmatched = {"profile `y`"};
    if (std::string_view(name) == "a.onnx") report.unmatched.emplace_back("profile `x`");
    unmatched.add(resolver.for_model(folder / name), report);
  }
  const std::vector<std::string> lines = unmatched.lines();
  REQUIRE(lines.size() == 2);
  CHECK_THAT(lines[0], Contains("trtcheck.toml:1: profile `y` matched nothing"));
  CHECK_THAT(lines[1], Contains("trtcheck.toml:4: per-file-ignores `z/*` matched nothing"));
}
