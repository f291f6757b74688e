#include <catch2/catch.hpp>

#include <string>

#include <trtcheck/version.hpp>

#include "report/envelope.hpp"
#include "report/html_parts.hpp"

using namespace trtcheck;
using report::Json;

TEST_CASE("a document begins with its version and ours, then its members in their order") {
  const Json document = report::enveloped({{"z", 1}, {"a", Json::array()}});
  CHECK(document.dump() ==
        R"({"schema_version":1,"trtcheck_version":")" + std::string(version()) + R"(","z":1,"a":[]})");
}

TEST_CASE("what an editor would hide is escaped, and reads as the same") {
  const std::string text = report::document_text({{"name", "a\u202eb"}});
  CHECK(text == "{\n  \"name\": \"a\\u202eb\"\n}\n");
  CHECK(Json::parse(text)["name"] == "a\u202eb");
}

TEST_CASE("an open document goes on with a comma") {
  const std::string open = report::open_document(report::enveloped({{"path", "net.onnx"}}));
  const Json whole = Json::parse(open + ",\n  \"more\": [1]\n}\n");
  CHECK(whole["path"] == "net.onnx");
  CHECK(whole["more"][0] == 1);
}

TEST_CASE("a page without a script allows none") {
  const std::string page = report::html_shell({"a &amp; b", {"p{}", "sha256-x"}}, "<p>text</p>\n");
  CHECK(page.starts_with("<!DOCTYPE html>\n"));
  CHECK(page.find("<title>a &amp; b - trtcheck</title>") != std::string::npos);
  CHECK(page.find("default-src 'none'; style-src 'sha256-x'; base-uri 'none'") != std::string::npos);
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.ends_with("<p>text</p>\n</body>\n</html>\n"));
  const std::string scripted = report::html_shell({"a", {"p{}", "sha256-x"}, {"run()", "sha256-y"}}, "");
  CHECK(scripted.find("script-src 'sha256-y'; ") != std::string::npos);
  CHECK(scripted.ends_with("<script>run()</script>\n</body>\n</html>\n"));
}

TEST_CASE("models that failed are a section, none is none") {
  CHECK(report::html_failures("Could not be checked", {}).empty());
  const Failure failure{"<b>.onnx", "is `empty`"};
  const std::string section = report::html_failures("Could not be checked", {&failure, 1});
  CHECK(section.find("<h2>Could not be checked: 1 model</h2>") != std::string::npos);
  CHECK(section.find("<code>&lt;b&gt;.onnx</code>: is `empty`</li>") != std::string::npos);
  const auto words = [](const Failure&) { return std::string("<em>gone</em>"); };
  CHECK(report::html_failures("x", {&failure, 1}, words).find(": <em>gone</em></li>") != std::string::npos);
}
