// How often each rule was broken.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>

#include <trtcheck/report.hpp>

#include "sample.hpp"

using namespace trtcheck;
using namespace trtcheck::test;

TEST_CASE("statistics stand behind the findings, consequences counted") {
  const Report report = test::report("net.onnx", {grouped_finding(), finding(kScaleRule, "b")});
  const std::string table = "2  QDQ902  sample-scale    in 1 model\n1  WGT901  sample-grouped  in 1 model\n";
  for (const Format format : {Format::full, Format::concise}) {
    const std::string plain = render({&report, 1}, {.format = format});
    CHECK(render({&report, 1}, {.format = format, .statistics = true}) == plain + "\n" + table);
    const Report clean = test::report("net.onnx", {});
    CHECK(render({&clean, 1}, {.format = format, .statistics = true}) == render({&clean, 1}, {.format = format}));
  }
  const auto json = nlohmann::json::parse(render({&report, 1}, {.format = Format::json, .statistics = true}));
  CHECK(json["models"][0]["findings"].size() == 2);
  CHECK(json["statistics"][0] ==
        nlohmann::json{{"code", "QDQ902"}, {"name", "sample-scale"}, {"count", 2}, {"models", 1}});
  CHECK(json["statistics"].size() == 2);
}
