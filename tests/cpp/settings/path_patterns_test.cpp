// Patterns over paths: a table of cases, and git as the judge of random ones.
#include <catch2/catch.hpp>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <trtcheck/error.hpp>

#include "folder.hpp"
#include "settings/path_patterns.hpp"

using namespace trtcheck;
using Catch::Matchers::Contains;
using settings::excludes;
using settings::PathGlob;

TEST_CASE("patterns as .gitignore has them") {
  struct Row {
    std::vector<const char*> patterns;
    const char* path;
    bool expected;
  };
  const Row rows[] = {
      {{"a.onnx"}, "a.onnx", true},
      {{"a.onnx"}, "x/y/a.onnx", true},
      {{"/a.onnx"}, "x/a.onnx", false},
      {{"/a.onnx"}, "a.onnx", true},
      {{"*.onnx"}, "x/y/a.onnx", true},
      {{"x/*.onnx"}, "x/a.onnx", true},
      {{"x/*.onnx"}, "x/y/a.onnx", false},
      {{"x/*.onnx"}, "z/x/a.onnx", false},
      {{"x/**/*.onnx"}, "x/y/z/a.onnx", true},
      {{"x/**/*.onnx"}, "x/a.onnx", true},
      {{"**/y/*.onnx"}, "x/y/a.onnx", true},
      {{"**/y/*.onnx"}, "y/a.onnx", true},
      {{"x/**"}, "x/y/a.onnx", true},
      {{"x/**"}, "x", false},
      {{"**"}, "a.onnx", true},
      {{"build/"}, "build/a.onnx", true},
      {{"build/"}, "x/build/y/a.onnx", true},
      {{"build/"}, "build", false},
      {{"build"}, "build/a.onnx", true},
      {{"./x/a.onnx"}, "x/a.onnx", true},
      {{"./a.onnx"}, "x/a.onnx", false},
      {{"a**b"}, "axxb", true},
      {{"a/**/b/**/c"}, "a/b/b/c/c", true},
      {{"a/**/b/**/c"}, "a/c/b", false},
      {{"*.onnx", "!keep.onnx"}, "keep.onnx", false},
      {{"!keep.onnx", "*.onnx"}, "keep.onnx", true},
      {{"x/", "!x/keep.onnx"}, "x/keep.onnx", true},  // nothing is taken back out of an excluded folder
      {{"x/*", "!x/keep.onnx"}, "x/keep.onnx", false},
      {{R"(\!a.onnx)"}, "!a.onnx", true},
      {{"ümläut?.onnx"}, "ümläutß.onnx", true},
      {{"A.onnx"}, "a.onnx", false},
  };
  for (const Row& row : rows) {
    const std::vector<PathGlob> globs(row.patterns.begin(), row.patterns.end());
    INFO(row.patterns.front() << " on " << row.path);
    CHECK(excludes(globs, row.path) == row.expected);
  }
}

TEST_CASE("path patterns that make no sense say why") {
  CHECK_THROWS_WITH(PathGlob(""), Contains("empty"));
  CHECK_THROWS_WITH(PathGlob("/"), Contains("names nothing"));
  CHECK_THROWS_WITH(PathGlob("!"), Contains("names nothing"));
  CHECK_THROWS_WITH(PathGlob("./"), Contains("names nothing"));
  CHECK_THROWS_WITH(PathGlob("../a.onnx"), Contains("leads out of the folder"));
  CHECK_THROWS_WITH(PathGlob("a[b/c]d"), Contains("has no `]`"));
}

namespace {

/// What `git check-ignore` says of each path; nothing when there is no git.
std::vector<bool> judged_by_git(const test::Folder& folder, const std::vector<std::string>& paths) {
  std::string input;
  for (const std::string& path : paths) input += path + "\n";
  folder.write("paths", input);
  const std::string command = "cd '" + folder.path() + "' && git check-ignore --no-index --stdin < paths 2>/dev/null";
  FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string output;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) output += static_cast<char>(c);
  ::pclose(pipe);
  std::vector<bool> made;
  for (const std::string& path : paths) {
    made.push_back(("\n" + output).find("\n" + path + "\n") != std::string::npos);
  }
  return made;
}

}  // namespace

TEST_CASE("random patterns say what git says") {
  test::Folder folder;
  if (std::system(("git init -q '" + folder.path() + "' 2>/dev/null").c_str()) != 0) {
    WARN("there is no git");
    return;
  }
  const auto seed = Catch::rngSeed();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const auto pick = [&](int most) { return std::uniform_int_distribution<>(0, most)(random); };
  const auto pattern = [&] {
    static const std::vector<std::string> kParts{"a", "b", "c", "*", "**", "?", "[ab]", "a*", "x.onnx", "*.onnx"};
    std::string made = pick(5) == 0 ? "!" : "";
    if (pick(5) == 0) made += "/";
    for (int i = pick(3); i >= 0; --i) made += kParts[static_cast<std::size_t>(pick(9))] + (i > 0 ? "/" : "");
    return made + (pick(5) == 0 ? "/" : "");
  };
  std::vector<std::string> paths;
  for (const char* a : {"", "a/", "b/", "c/", "a/a/", "a/b/", "a/b/c/", "b/ab/", "c/a/b/"}) {
    for (const char* name : {"a", "b", "ab", "x.onnx", "y.onnx"}) paths.push_back(std::string(a) + name);
  }
  int excluded = 0;
  for (int round = 0; round < 60; ++round) {
    std::vector<PathGlob> globs;
    std::string ignore;
    for (int i = pick(2); i >= 0; --i) {
      const std::string made = pattern();
      globs.emplace_back(made);
      ignore += made + "\n";
    }
    folder.write(".gitignore", ignore);
    const std::vector<bool> expected = judged_by_git(folder, paths);
    for (std::size_t i = 0; i < paths.size(); ++i) {
      INFO("patterns\n" << ignore << "on " << paths[i]);
      excluded += expected[i] ? 1 : 0;
      CHECK(excludes(globs, paths[i]) == expected[i]);
    }
  }
  CHECK(excluded > 100);
}
