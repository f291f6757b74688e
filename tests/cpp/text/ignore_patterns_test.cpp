// Patterns over paths: tables of cases, and git as the judge of random ones. tests/python/test_cli_many.py compares
// whole repositories with git.
#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/error.hpp>

#include <temporary_folder.hpp>

#include "text/ignore_patterns.hpp"

using namespace trtcheck;
using Catch::Matchers::Contains;

namespace {

std::string joined(const std::vector<const char*>& lines) {
  std::string made;
  for (const char* line : lines) made += std::string(line) + "\n";
  return made;
}

}  // namespace

TEST_CASE("the last line that matches counts") {
  struct Case {
    std::string_view text;
    std::string_view path;
    bool is_folder;
    Said said;
  };
  const std::vector<Case> cases{
      {"*.onnx\n", "a/b.onnx", false, Said::ignored},
      {"*.onnx\n!keep.onnx\n", "a/keep.onnx", false, Said::included},
      {"!keep.onnx\n*.onnx\n", "keep.onnx", false, Said::ignored},
      {"/a.onnx\n", "a.onnx", false, Said::ignored},
      {"/a.onnx\n", "x/a.onnx", false, Said::nothing},
      {"x/a.onnx\n", "y/x/a.onnx", false, Said::nothing},
      {"build/\n", "build", true, Said::ignored},
      {"build/\n", "build", false, Said::nothing},
      {"build/\n", "a/build", true, Said::ignored},
      {"/build/\n", "a/build", true, Said::nothing},
      {"# a\n\n   \na  \n", "a", false, Said::ignored},
      {"a\\ \n", "a ", false, Said::ignored},
      {"a\\\\ \n", "a\\", false, Said::ignored},
      {"\\#a\n", "#a", false, Said::ignored},
      {"\\!a\n", "!a", false, Said::ignored},
      {"a\r\nb", "a", false, Said::ignored},
      {"a\r\nb", "b", false, Said::ignored},
      {"\xef\xbb\xbf"
       "a\n",
       "a", false, Said::ignored},
      {"!\n/\n", "a", false, Said::nothing},
      {"", "a", false, Said::nothing},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text, c.path, c.is_folder);
    CHECK(IgnorePatterns(c.text).judge(c.path, c.is_folder) == c.said);
  }
}

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
      {{"a[b/c]d"}, "abd", true},
      {{"a[b/c]d"}, "a/d", false},
      {{"m[[:digit:]].onnx"}, "m7.onnx", true},
      {{"m[[:digit:]].onnx"}, "md.onnx", false},
      {{"a.onnx  "}, "a.onnx", true},
      {{R"(\#a.onnx)"}, "#a.onnx", true},
      {{"a**b"}, "axxb", true},
      {{"a/**/b/**/c"}, "a/b/b/c/c", true},
      {{"a/**/b/**/c"}, "a/c/b", false},
      {{"*.onnx", "!keep.onnx"}, "keep.onnx", false},
      {{"!keep.onnx", "*.onnx"}, "keep.onnx", true},
      {{"x/", "!x/keep.onnx"}, "x/keep.onnx", true},  // nothing is taken back out of an excluded folder
      {{"x/*", "!x/keep.onnx"}, "x/keep.onnx", false},
      {{R"(\!a.onnx)"}, "!a.onnx", true},
      {{"ümläut*.onnx"}, "ümläutß.onnx", true},
      {{"ümläut?.onnx"}, "ümläutß.onnx", false},  // to Git a character is a byte
      {{"A.onnx"}, "a.onnx", false},
  };
  for (const Row& row : rows) {
    INFO(row.patterns.front() << " on " << row.path);
    CHECK(IgnorePatterns(joined(row.patterns)).ignores(row.path) == row.expected);
    for (const char* pattern : row.patterns) CHECK_NOTHROW(check_ignore_pattern(pattern));
  }
}

TEST_CASE("patterns that make no sense say why, and match nothing") {
  struct Row {
    const char* pattern;
    const char* cause;
    const char* path;  ///< that it might be taken for
  };
  const Row rows[] = {
      {"", "an empty pattern matches nothing", "a"},
      {"  ", "an empty pattern matches nothing", "a"},
      {"/", "it names nothing", "a"},
      {"!", "it names nothing", "a"},
      {"#a", "makes a comment of it", "#a"},
      {"./", "`.` is no part of a path", "a"},
      {"./a.onnx", "`./a.onnx`: `.` is no part of a path; `/a.onnx` is", "a.onnx"},
      {"x//a.onnx", "nothing stands between two slashes", "x/a.onnx"},
      {"../a.onnx", "leads out of the folder", "a.onnx"},
      {"x/..", "leads out of the folder", "x"},
      {"a[b", "a `[` has no `]`", "a[b"},
      {R"(a\\[b)", "a `[` has no `]`", R"(a\[b)"},
      {"[]", "a `[` has no `]`", "[]"},
      {"[z-a]", "runs backwards", "z"},
      {"[[:digits:]]", "no such class", "1"},
      {R"(a\)", "nothing follows", R"(a\)"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.pattern);
    CHECK_THROWS_WITH(check_ignore_pattern(row.pattern), Contains(row.cause));
    CHECK_FALSE(IgnorePatterns(row.pattern).ignores(row.path));
  }
}

namespace {

/// What `git check-ignore` says of each path; nothing when there is no git.
std::vector<bool> judged_by_git(const std::string& folder, const std::vector<std::string>& paths) {
  std::ofstream input(folder + "/paths");
  for (const std::string& path : paths) input << path << "\n";
  input.close();
  const std::string command = "cd '" + folder + "' && git check-ignore --no-index --stdin < paths 2>/dev/null";
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
  const test::TemporaryFolder temporary;
  const std::string folder = temporary.path.string();
  if (std::system(("git init -q '" + folder + "' 2>/dev/null").c_str()) != 0) {
    WARN("there is no git");
    return;
  }
  const auto seed = Catch::rngSeed();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const auto pick = [&](int most) { return std::uniform_int_distribution<>(0, most)(random); };
  const auto pattern = [&] {
    // Not `a**`: before 2.40 Git compared addresses to tell what that is.
    static const std::vector<std::string> kParts{"a",      "b",      "c", "*", "**",          "?",     "[ab]", "a*",
                                                 "x.onnx", "*.onnx", ".", "",  "[[:alpha:]]", "[!b/]", "[b",   R"(\a)"};
    std::string made = pick(5) == 0 ? "!" : "";
    if (pick(5) == 0) made += "/";
    for (int i = pick(3); i >= 0; --i) made += kParts[static_cast<std::size_t>(pick(15))] + (i > 0 ? "/" : "");
    return made + (pick(5) == 0 ? "/" : "") + (pick(9) == 0 ? " " : "");
  };
  std::vector<std::string> paths;
  for (const char* a : {"", "a/", "b/", "c/", "a/a/", "a/b/", "a/b/c/", "b/ab/", "c/a/b/"}) {
    for (const char* name : {"a", "b", "ab", "x.onnx", "y.onnx"}) paths.push_back(std::string(a) + name);
  }
  int excluded = 0;
  for (int round = 0; round < 200; ++round) {
    std::string ignore;
    for (int i = pick(2); i >= 0; --i) ignore += pattern() + "\n";
    std::ofstream(folder + "/.gitignore") << ignore;
    const IgnorePatterns patterns(ignore);
    const std::vector<bool> expected = judged_by_git(folder, paths);
    for (std::size_t i = 0; i < paths.size(); ++i) {
      INFO("patterns\n" << ignore << "on " << paths[i]);
      excluded += expected[i] ? 1 : 0;
      CHECK(patterns.ignores(paths[i]) == expected[i]);
    }
  }
  CHECK(excluded > 100);
}
