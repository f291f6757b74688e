#include <catch2/catch.hpp>

#include <filesystem>
#include <string>

#include "bytes/real_path.hpp"
#include "bytes/source.hpp"

using namespace trtcheck;

TEST_CASE("a hyphen is standard input, anything else a file") {
  CHECK(Source::standard_input().is_standard_input());
  CHECK(Source(std::string("-")).is_standard_input());
  CHECK(Source(std::string("-")).shown() == "<stdin>");
  CHECK(Source(std::string("-")).word() == "-");
  for (const std::string word : {"./-", "--", "net.onnx", "", "<stdin>"}) {
    INFO(word);
    CHECK_FALSE(Source(word).is_standard_input());
    CHECK(Source(word).shown() == word);
  }
}

TEST_CASE("two ways to one file are one real path") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "trtcheck_real_path";
  fs::remove_all(folder);
  fs::create_directories(folder / "real");
  fs::create_directory_symlink("real", folder / "link");
  CHECK(real_path(folder / "link" / "not_there.onnx") == real_path(folder / "real" / "not_there.onnx"));
  CHECK(real_path(folder / "link" / ".." / "real") == real_path(folder / "real"));
  CHECK(real_path(folder / "link" / "a") != real_path(folder / "link" / "b"));
  CHECK(real_path("a").is_absolute());
  fs::remove_all(folder);
}

TEST_CASE("slashes at the end of a folder go, the root stays") {
  CHECK(without_slash_at_end("models//") == "models");
  CHECK(without_slash_at_end("models") == "models");
  CHECK(without_slash_at_end("/") == "/");
  CHECK(without_slash_at_end("") == "");
}
