// The operator table, and the floors of the house.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>

#include "schema/facts.hpp"
#include "shapes/table.hpp"

namespace trtcheck::test {
namespace {

namespace fs = std::filesystem;

TEST_CASE("rows are found by the version that is in force") {
  CHECK(shapes::find_op("", "Reshape", 4) != nullptr);
  CHECK(shapes::find_op("", "Reshape", 4)->since == 1);
  CHECK(shapes::find_op("", "Reshape", 5)->since == 5);
  CHECK(shapes::find_op("", "Reshape", 21)->since == 5);
  CHECK(shapes::find_op("", "Range", 10) == nullptr);
  CHECK(shapes::find_op("", "Zzz", 21) == nullptr);
  CHECK(shapes::find_op("com.acme", "Reshape", 21) == nullptr);
}

TEST_CASE("every row of the table is an operator that ONNX knows") {
  for (const shapes::OpRow& row : shapes::op_table()) {
    if (!row.domain.empty()) continue;
    INFO(row.op);
    CHECK(schema::was_ever_known(row.domain, row.op));
  }
}

/// Floors by height: a file includes only from floors that are not above its own.
constexpr std::array<std::pair<std::string_view, int>, 13> kFloors{{
    {"bytes", 0},
    {"model", 1},
    {"dims", 2},
    {"schema", 3},
    {"shapes", 4},
    {"target", 5},
    {"rules", 6},
    {"fix", 7},
    {"report", 7},
    {"check", 8},
    {"cli", 9},
    {"python", 9},
    {"generated", 0},
}};

int floor_of(std::string_view folder) {
  const auto found =
      std::find_if(kFloors.begin(), kFloors.end(), [&](const auto& floor) { return floor.first == folder; });
  return found == kFloors.end() ? -1 : found->second;
}

TEST_CASE("a floor includes only floors below it") {
  const fs::path sources = fs::path(TRTCHECK_SOURCE_DIR) / "cpp" / "src";
  int includes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(sources)) {
    if (!entry.is_regular_file()) continue;
    const std::string folder = fs::relative(entry.path(), sources).begin()->string();
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      if (!line.starts_with("#include \"")) continue;
      const std::string target = line.substr(10, line.find_first_of("/\"", 10) - 10);
      const int height = floor_of(target);
      if (height < 0) continue;
      ++includes;
      INFO(entry.path() << ": " << line);
      CHECK(height <= floor_of(folder));
      if (height == floor_of(folder) && height > 0) CHECK(target == folder);
    }
  }
  CHECK(includes > 50);
}

TEST_CASE("protobuf stays in its two floors") {
  const fs::path sources = fs::path(TRTCHECK_SOURCE_DIR) / "cpp" / "src";
  for (const auto& entry : fs::recursive_directory_iterator(sources)) {
    if (!entry.is_regular_file()) continue;
    const std::string folder = fs::relative(entry.path(), sources).begin()->string();
    if (folder == "schema" || folder == "fix") continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      INFO(entry.path() << ": " << line);
      CHECK_FALSE(line.starts_with("#include <onnx/"));
      CHECK_FALSE(line.starts_with("#include <google/"));
    }
  }
}

}  // namespace
}  // namespace trtcheck::test
