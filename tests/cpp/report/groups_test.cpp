// Findings of one cause: told as one to people, one by one to programs.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/report.hpp>

#include "report/fields.hpp"
#include "sample.hpp"

using namespace trtcheck;
using namespace trtcheck::test;
using Catch::Matchers::Contains;

namespace {

Finding at(const std::string& node, const std::string& group) {
  Finding made = finding(kScaleRule, "scale of `" + node + "` is lost");
  made.node = node;
  made.op_type = "Conv";
  made.group = group;
  return made;
}

/// Five of one cause, one of another, one that stands alone.
Report sample() {
  std::vector<Finding> findings;
  for (const char* node : {"a", "b", "c", "d", "e"}) findings.push_back(at(node, "0000000000000001"));
  findings.insert(findings.begin() + 2, at("x", "0000000000000002"));
  findings.push_back(at("y", ""));
  findings.push_back(at("z", ""));
  findings[0].consequences = {finding(kAdviceRule, "follows")};
  findings[1].consequences = {finding(kAdviceRule, "follows")};
  return test::report("net.onnx", std::move(findings));
}

std::string rendered(Format format, bool show_all = false) {
  const Report report = sample();
  return render({&report, 1}, {.format = format, .show_all = show_all});
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

constexpr std::string_view kOthers = "4 more findings like this one";

}  // namespace

TEST_CASE("groups stand in the place of their first finding; what has no group stands alone") {
  const Report report = sample();
  std::vector<std::string> told;
  for (const FindingGroup& group : report.groups()) {
    std::string nodes;
    for (const Finding* finding : group) nodes += finding->node;
    told.push_back(nodes);
  }
  CHECK(told == std::vector<std::string>{"abcde", "x", "y", "z"});
  CHECK(report.count(Severity::warning) == 8);
}

TEST_CASE("the full format tells a cause once, with the count and some of the places") {
  const std::string text = rendered(Format::full);
  CHECK(count(text, "warning[QDQ902]") == 4);
  CHECK_THAT(text, Contains("= also: 4 more findings like this one: `b`, `c`, `d`, ... (--show-all lists them)"));
  CHECK_THAT(text, Contains("= follows: 2 further findings (PRF903 x2)"));
  CHECK_THAT(text, Contains("8 warnings, 2 infos"));
  const std::string all = rendered(Format::full, true);
  CHECK(count(all, "warning[QDQ902]") == 8);
  CHECK(count(all, "like this one") == 0);
}

TEST_CASE("one other finding is told in the singular, and without dots") {
  const Report report = test::report("net.onnx", {at("a", "0000000000000001"), at("b", "0000000000000001")});
  CHECK_THAT(render({&report, 1}, {.width = 120}),
             Contains("also: 1 more finding like this one: `b` (--show-all lists it)"));
}

TEST_CASE("the concise format keeps a line for each cause") {
  const std::string text = rendered(Format::concise);
  CHECK(count(text, "\n") == 4);
  CHECK_THAT(text, Contains("scale of `a` is lost (a) +2 consequences and 4 more like it\n"));
  CHECK_THAT(text, Contains("scale of `x` is lost (x)\n"));
  CHECK(count(rendered(Format::concise, true), "\n") == 8);
}

TEST_CASE("GitHub and Markdown tell a cause once") {
  const std::string github = rendered(Format::github);
  CHECK(count(github, "::warning ") == 4);
  CHECK_THAT(github, Contains("%0Aalso: " + std::string(kOthers)));
  CHECK(count(rendered(Format::github, true), "::warning ") == 8);
  const std::string markdown = rendered(Format::markdown);
  CHECK(count(markdown, "- **warning QDQ902**") == 4);
  CHECK_THAT(markdown, Contains(std::string(kOthers)));
  CHECK(count(rendered(Format::markdown, true), "- **warning QDQ902**") == 8);
}

TEST_CASE("HTML lists the others folded") {
  const std::string page = rendered(Format::html);
  CHECK(count(page, "<details class=\"finding\"") == 4);
  CHECK(count(page, "data-count=\"5\"") == 1);
  CHECK_THAT(page, Contains("<summary>" + std::string(kOthers) + "</summary>"));
  CHECK_THAT(page, Contains("<li>Conv <code>e</code>: scale of <code>e</code> is lost</li>"));
  CHECK(count(rendered(Format::html, true), "<details class=\"finding\"") == 8);
  const std::string fragment = render_html(sample());
  CHECK_THAT(fragment, Contains(std::string(kOthers)));
  CHECK_THAT(fragment, Contains("<li>Conv <code>e</code>"));
}

TEST_CASE("formats for programs keep every finding, JSON and SARIF with its group") {
  const auto json = nlohmann::json::parse(rendered(Format::json))["models"][0]["findings"];
  REQUIRE(json.size() == 8);
  CHECK(json[0]["group"] == "0000000000000001");
  CHECK(json[2]["group"] == "0000000000000002");
  CHECK(json[7]["group"] == "");
  const auto sarif = nlohmann::json::parse(rendered(Format::sarif))["runs"][0]["results"];
  REQUIRE(sarif.size() == 8);
  CHECK(sarif[0]["properties"]["group"] == "0000000000000001");
  CHECK_FALSE(sarif[7]["properties"].contains("group"));
  CHECK(nlohmann::json::parse(rendered(Format::gitlab)).size() == 8);
  CHECK(count(rendered(Format::junit), "<testcase ") == 8);
  for (const Format format : {Format::json, Format::sarif, Format::gitlab, Format::junit}) {
    CHECK(rendered(format) == rendered(format, true));
  }
}

TEST_CASE("every field of a finding and its parts is described") {
  // A field more or less does not compile.
  const auto described = []<class Class, class... Fields>(const Class&, const Fields&...) {
    return std::tuple_size_v<decltype(trtcheck::report::Fields<Class>::kAll)> == sizeof...(Fields);
  };
  const Finding f = grouped_finding();
  const auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
               f24] = f;
  CHECK(described(f, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
                  f22, f23, f24));
  const auto& [n1, n2, n3, n4, n5] = f.notes[1];
  CHECK(described(f.notes[1], n1, n2, n3, n4, n5));
  const auto& [x1, x2, x3, x4, x5, x6] = *f.fix;
  CHECK(described(*f.fix, x1, x2, x3, x4, x5, x6));
  const auto& [s1, s2, s3, s4] = *f.source;
  CHECK(described(*f.source, s1, s2, s3, s4));
}
