// The wildcards of gitignore(5). tests/python/test_cli_many.py asks git itself.
#include <catch2/catch.hpp>

#include <string_view>
#include <vector>

#include "text/wildmatch.hpp"

using namespace trtcheck;

namespace {

struct Case {
  std::string_view pattern;
  std::string_view path;
  bool matches;
};

}  // namespace

TEST_CASE("wildcards of .gitignore") {
  const std::vector<Case> cases{
      {"a.onnx", "a.onnx", true},
      {"a.onnx", "b.onnx", false},
      {"*.onnx", "a.onnx", true},
      {"*.onnx", "a/b.onnx", false},
      {"a*c*e", "abcde", true},
      {"a*c*e", "abcd", false},
      {"a*/e", "ab/e", true},
      {"a*/e", "a/b/e", false},
      {"?.onnx", "a.onnx", true},
      {"a?b", "a/b", false},
      {"**", "a/b/c", true},
      {"**/c", "c", true},
      {"**/c", "a/b/c", true},
      {"**/c", "a/b/bc", false},
      {"a/**", "a/b/c", true},
      {"a/**", "a", false},
      {"a/**/d", "a/d", true},
      {"a/**/d", "a/b/c/d", true},
      {"a/**/d", "ab/d", false},
      {"a/**/b*/d", "a/b/x/b1/d", true},
      {"a**d", "abcd", true},
      {"a**d", "ab/d", false},
      {"a/**/*.x/**/y", "a/b.x/c.x/q/y", true},
      {"[ab].onnx", "b.onnx", true},
      {"[!ab].onnx", "b.onnx", false},
      {"[^ab].onnx", "c.onnx", true},
      {"[a-c]x", "bx", true},
      {"[a-c]x", "dx", false},
      {"[]a]x", "]x", true},
      {"[a-]x", "-x", true},
      {"[[:digit:]]x", "7x", true},
      {"[![:digit:]]x", "7x", false},
      {"[[:nothing:]]x", "nx", false},
      {"a[/]b", "a/b", false},
      {"a[!x]b", "a/b", false},
      {"[ab", "[ab", false},
      {"\\*x", "*x", true},
      {"\\*x", "ax", false},
      {"x\\", "x", false},
      {"x\\", "x\\", false},
      {"", "x", false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.pattern, c.path);
    CHECK(wildmatch(c.pattern, c.path) == c.matches);
  }
}

TEST_CASE("many stars do not take for ever") {
  std::string pattern;
  for (int i = 0; i < 60; ++i) pattern += "*a";
  CHECK_FALSE(wildmatch(pattern + "b", std::string(3000, 'a')));
  std::string deep;
  std::string path;
  for (int i = 0; i < 40; ++i) deep += "**/a/";
  for (int i = 0; i < 400; ++i) path += "a/";
  CHECK_FALSE(wildmatch(deep + "b", path + "c"));
}
