// The list of rules, their files, their texts.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>
#include <set>

#include <trtcheck/rule.hpp>

#include "markdown.hpp"
#include "rules/list.hpp"

namespace fs = std::filesystem;
using namespace trtcheck;

namespace {

const fs::path kRoot(TRTCHECK_SOURCE_DIR);

/// "grouped-conv" -> "grouped_conv"
std::string file_stem(std::string_view rule_name) {
  std::string stem(rule_name);
  std::ranges::replace(stem, '-', '_');
  return stem;
}

/// Stems of the files with that ending in the topic folders below `root`.
std::multiset<std::string> stems(const fs::path& root, const std::string& extension) {
  std::multiset<std::string> found;
  for (const auto& topic : fs::directory_iterator(root)) {
    if (!topic.is_directory()) continue;
    for (const auto& entry : fs::directory_iterator(topic)) {
      if (entry.path().extension() == extension) found.insert(entry.path().stem().string());
    }
  }
  return found;
}

}  // namespace

TEST_CASE("codes are sorted, unique and well formed, names are kebab-case and unique") {
  std::string_view last;
  std::set<std::string_view> names;
  for (const Rule* rule : all_rules()) {
    INFO(rule->code << " " << rule->name);
    CHECK(rule->code > last);
    last = rule->code;
    CHECK(std::regex_match(std::string(rule->code), std::regex("(MDL|OPS|SHP|PRF|CTL|WGT|QDQ|NUM|HWD|STY)[0-9]{3}")));
    CHECK(std::regex_match(std::string(rule->name), std::regex("[a-z0-9]+(-[a-z0-9]+)*")));
    CHECK(names.insert(rule->name).second);
    CHECK(find_rule(rule->code) == rule);
    CHECK(find_rule(rule->name) == rule);
  }
  CHECK(find_rule("mdl103") == find_rule("MDL103"));
  CHECK(find_rule("MDL1") == nullptr);
  CHECK(find_rule("") == nullptr);
}

TEST_CASE("each rule is one file in a topic folder and has one file of cases") {
  // helpers.cpp and other shared files of a topic have a header of the same stem; a rule has none.
  const fs::path sources = kRoot / "cpp/src/rules";
  std::multiset<std::string> files = stems(sources, ".cpp");
  for (const std::string& shared : stems(sources, ".hpp")) files.erase(shared);
  const std::multiset<std::string> cases = stems(kRoot / "tests/rules", ".md");
  std::multiset<std::string> rules, tested;
  for (const Rule* rule : all_rules()) {
    rules.insert(file_stem(rule->name));
    if (!rules::reports_events(*rule)) tested.insert(file_stem(rule->name));
  }
  CHECK(files == rules);
  CHECK(cases == tested);
}

TEST_CASE("docs have the fixed headings, a summary is one line, evidence is given") {
  const std::vector<std::string> kHeadings{"What it checks", "Why TensorRT cares", "Example", "Instead", "Fix",
                                           "Evidence"};
  for (const Rule* rule : all_rules()) {
    INFO(rule->code << " " << rule->name);
    CHECK(!rule->summary.empty());
    CHECK(rule->summary.find('\n') == std::string_view::npos);
    CHECK(!rule->summary.ends_with('.'));
    CHECK((rule->severity < Severity::error || rule->certainty > Certainty::possible));
    if (rules::reports_events(*rule)) continue;
    CHECK(test::headings(rule->docs) == kHeadings);
    CHECK(!rule->evidence.empty());
  }
}
