// Wildcards: a table of cases, and the C library's fnmatch as the judge of random ones.
#include <catch2/catch.hpp>

#include <fnmatch.h>

#include <chrono>
#include <random>
#include <string>

#include <trtcheck/error.hpp>

#include "text/glob.hpp"

using namespace trtcheck;
using Catch::Matchers::Contains;

TEST_CASE("globs over names") {
  struct Row {
    const char* pattern;
    const char* text;
    bool expected;
  };
  const Row rows[] = {
      {"conv1", "conv1", true},
      {"conv1", "conv10", false},
      {"Conv1", "conv1", false},
      {"*", "", true},
      {"*", "/a/b", true},
      {"?", "", false},
      {"?", "ü", true},
      {"??", "ü", false},
      {"/encoder/*", "/encoder/layers.0/MatMul", true},
      {"/encoder/*", "/encoder", false},
      {"*/Conv_?", "/a/b/Conv_1", true},
      {"*/Conv_?", "/a/b/Conv_12", false},
      {"*a*b", "xaxbxb", true},
      {"*a*b", "xaxbxc", false},
      {"layer[0-3]", "layer2", true},
      {"layer[0-3]", "layer4", false},
      {"layer[!0-3]", "layer4", true},
      {"layer[!0-3]", "layer", false},
      {"[]]", "]", true},
      {"[!]]", "]", false},
      {"[a-]", "-", true},
      {"[ä-ö]", "ö", true},
      {"[ä-ö]", "ü", false},
      {R"(\*)", "*", true},
      {R"(\*)", "a", false},
      {R"([\]])", "]", true},
      {"[a", "[a", true},
      {"\xff?", "\xff\xfe", true},
  };
  for (const Row& row : rows) {
    INFO(row.pattern << " on " << row.text);
    CHECK(glob_matches(row.pattern, row.text) == row.expected);
  }
}

TEST_CASE("patterns that make no sense say why") {
  CHECK_THROWS_WITH(check_glob(""), Contains("empty"));
  CHECK_THROWS_WITH(check_glob("a[b"), Contains("`a[b`: a `[` has no `]`"));
  CHECK_THROWS_WITH(check_glob("[]"), Contains("has no `]`"));
  CHECK_THROWS_WITH(check_glob("[z-a]"), Contains("backwards"));
  CHECK_THROWS_WITH(check_glob("a\\"), Contains("nothing follows"));
  for (const char* good : {"*", "[]]", "[a-]", R"(\[)", "[!x]", "a]b"}) {
    INFO(good);
    CHECK_NOTHROW(check_glob(good));
  }
}

TEST_CASE("random globs match what fnmatch matches") {
  const auto seed = Catch::rngSeed();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const auto word = [&](std::string_view letters) {
    std::string text;
    for (auto i = std::uniform_int_distribution<>(0, 8)(random); i > 0; --i) {
      text += letters[std::uniform_int_distribution<std::size_t>(0, letters.size() - 1)(random)];
    }
    return text;
  };
  int matched = 0;
  for (int i = 0; i < 200'000; ++i) {
    const std::string pattern = word("aab*?[]!-/");
    const std::string text = word("aab/");
    try {
      check_glob(pattern);
    } catch (const Error&) {
      continue;  // the C library has its own opinion of these
    }
    INFO(pattern << " on " << text);
    const bool expected = ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
    matched += expected ? 1 : 0;
    if (glob_matches(pattern, text) != expected) FAIL_CHECK("expected " << expected);
  }
  CHECK(matched > 1000);
}

TEST_CASE("a hostile glob takes no exponential time") {
  std::string pattern;
  for (int i = 0; i < 1000; ++i) pattern += "a*";
  const auto start = std::chrono::steady_clock::now();
  CHECK_FALSE(glob_matches(pattern + "b", std::string(20'000, 'a')));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}
