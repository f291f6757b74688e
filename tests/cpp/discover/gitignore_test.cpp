// Lines of a .gitignore; tests/python/test_cli_many.py compares whole repositories with git.
#include <catch2/catch.hpp>

#include <string_view>
#include <vector>

#include "discover/gitignore.hpp"

using namespace trtcheck::discover;

namespace {

struct Case {
  std::string_view text;
  std::string_view path;
  bool is_folder;
  Said said;
};

}  // namespace

TEST_CASE("the last line that matches counts") {
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
    CHECK(IgnoreFile(c.text).judge(c.path, c.is_folder) == c.said);
  }
}
