#include "bytes/json_document.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include <trtcheck/error.hpp>

using namespace trtcheck;

namespace {

constexpr JsonKind kKind{.name = "list", .schema_version = 3, .remedy = "make it anew"};

std::string refusal(std::string_view text) {
  try {
    return parse_document("f", kKind, text).dump();
  } catch (const Error& error) {
    return error.cause();
  }
}

}  // namespace

TEST_CASE("a document with one entry in a line is read again") {
  const nlohmann::ordered_json head{{"unit", "ms"}, {"count", 2}};
  const std::vector<std::string> entries{"1", "[2]"};
  const std::string text = document_of_lines(kKind, head, "list", entries);
  CHECK(text == R"({
  "schema_version": 3,
  "unit": "ms",
  "count": 2,
  "list": [
    1,
    [2]
  ]
}
)");
  CHECK(parse_document("f", kKind, text)["list"] == nlohmann::json::parse("[1, [2]]"));
  CHECK(document_of_lines(kKind, nlohmann::ordered_json::object(), "list", {}) ==
        "{\n  \"schema_version\": 3,\n  \"list\": []\n}\n");
}

TEST_CASE("what is no document is refused in one line") {
  CHECK(refusal(R"({"schema_version": 3})") == R"({"schema_version":3})");
  CHECK(refusal("") == "is no list of trtcheck: it is not JSON");
  CHECK(refusal("[1") == "is no list of trtcheck: it is not JSON");
  CHECK(refusal("[]") == "is no list of trtcheck: it is no object");
  CHECK(refusal("{}") == "is no list of trtcheck: it has no `schema_version`");
  CHECK(refusal(R"({"schema_version": "3"})") == "is no list of trtcheck: it has no `schema_version`");
  CHECK(refusal(R"({"schema_version": 4})") == "is a list of version 4, this trtcheck reads version 3; make it anew");
  CHECK(refusal(std::string(20, '[')) == "is no list of trtcheck: its values are nested too deep");
}
