// Every case of tests/rules/**/*.md, and the Example and Instead blocks of every rule's docs.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <trtcheck/rule.hpp>

#include "checked.hpp"
#include "rules/list.hpp"

namespace fs = std::filesystem;
using namespace trtcheck;
using namespace trtcheck::test;

namespace {

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<fs::path> case_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(TRTCHECK_SOURCE_DIR) / "tests/rules")) {
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

// What ONNX text cannot express: sparse initializers, 2 GiB, names that are not UTF-8. See model_bytes_test.cpp.
constexpr std::string_view kNoText[] = {"MDL214", "MDL301", "MDL302", "MDL303"};

const CodeBlock* block_under(const std::vector<CodeBlock>& blocks, std::string_view heading) {
  const auto it = std::ranges::find_if(
      blocks, [&](const CodeBlock& block) { return block.heading == heading && block.language == "onnx"; });
  return it == blocks.end() ? nullptr : &*it;
}

}  // namespace

TEST_CASE("every Markdown case finds what it says and nothing else") {
  for (const fs::path& file : case_files()) {
    for (const RuleCase& item : rule_cases(read(file))) {
      INFO(file.filename().string() << ": " << item.name);
      const std::vector<Finding> findings = findings_of(item.onnx, item.options);
      INFO("found:\n" << describe(findings));
      CHECK(difference(item.expected, findings) == "");
    }
  }
}

TEST_CASE("the Example of a rule triggers exactly that rule, the Instead does not") {
  for (const Rule* rule : all_rules()) {
    if (rules::reports_events(*rule)) continue;
    INFO(rule->code << " " << rule->name);
    const std::vector<CodeBlock> blocks = code_blocks(rule->docs);
    if (std::ranges::find(kNoText, rule->code) != std::end(kNoText)) continue;
    const CodeBlock* example = block_under(blocks, "Example");
    const CodeBlock* instead = block_under(blocks, "Instead");
    REQUIRE(example != nullptr);
    REQUIRE(instead != nullptr);

    const std::vector<Finding> bad = findings_of(example->text, example->options);
    INFO("Example finds:\n" << describe(bad));
    // What the rule is about may be used by nothing, as short as an example is.
    CHECK(std::ranges::any_of(bad, [&](const Finding& f) { return f.rule == rule; }));
    CHECK(std::ranges::all_of(bad, [&](const Finding& f) { return f.rule == rule || f.rule->code == "MDL401"; }));

    const std::vector<Finding> good = findings_of(instead->text, instead->options);
    INFO("Instead finds:\n" << describe(good));
    CHECK(std::ranges::all_of(good, [&](const Finding& f) { return f.rule != rule && f.severity == Severity::info; }));
  }
}

TEST_CASE("findings stay within what their rule declares") {
  for (const fs::path& file : case_files()) {
    for (const RuleCase& item : rule_cases(read(file))) {
      INFO(file.filename().string() << ": " << item.name);
      for (const Finding& finding : findings_of(item.onnx, item.options)) {
        INFO(describe(finding));
        CHECK(finding.severity <= finding.rule->severity);
        CHECK(finding.certainty <= finding.rule->certainty);
        CHECK((!finding.fix || finding.fix->applicability <= finding.rule->fix));
        CHECK((finding.severity < Severity::error || finding.certainty > Certainty::possible));
        CHECK(finding.message.find('\n') == std::string::npos);
        CHECK(!finding.message.ends_with('.'));
      }
    }
  }
}
