#include <catch2/catch.hpp>

#include <string>

#include "text/name_index.hpp"

using namespace trtcheck;

namespace {

struct Row {
  std::string_view name;
  int number;
};

constexpr Row kRows[] = {{"", 1},     {"Abs", 2},  {"Conv", 3},
                         {"Conv", 4}, {"Conv", 5}, {"a name of more than sixteen letters", 6}};
using Rows = NameIndex<kRows, [](const Row& row) { return row.name; }>;

}  // namespace

TEST_CASE("rows are found by name, all of a name together") {
  REQUIRE(Rows::find("Conv").size() == 3);
  CHECK(Rows::find("Conv").front().number == 3);
  CHECK(Rows::find("Conv").back().number == 5);
  CHECK(Rows::find("Abs").front().number == 2);
  CHECK(Rows::find("a name of more than sixteen letters").front().number == 6);
}

TEST_CASE("other names are not there") {
  for (const char* name : {"", "abs", "Conv ", "Con", "Convolution", "\xff"}) CHECK(Rows::find(name).empty());
  // More names than the table has places: none of them ends in a place that is taken for ever.
  for (int i = 0; i < 1000; ++i) CHECK(Rows::find("name" + std::to_string(i)).empty());
}

static_assert(Rows::find("Abs").size() == 1, "it works while compiling, too");
