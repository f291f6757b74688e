// A check for many releases at once says what a check for each of them says.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

#include <trtcheck/trtcheck.hpp>

#include "checked.hpp"
#include "rules/list.hpp"

namespace fs = std::filesystem;
using namespace trtcheck;
using namespace trtcheck::test;

namespace {

std::vector<TrtVersion> all_releases() {
  std::vector<TrtVersion> all(known_releases().begin(), known_releases().end());
  all.insert(all.end(), known_rtx_releases().begin(), known_rtx_releases().end());
  return all;
}

/// A rule that asked what its descriptor does not list.
bool has_failed(const Report& report) {
  return std::ranges::any_of(report.findings, [](const Finding& f) { return f.rule == &rules::internal_error::rule; });
}

std::string text(const Report& report) { return render({&report, 1}, {.format = Format::json}); }

/// "" when they agree; else the first release that differs, and how.
std::string difference(const Model& model, CheckOptions options, const std::vector<TrtVersion>& releases) {
  const std::vector<Report> together = check(Analysis(model), options, releases);
  for (std::size_t i = 0; i < releases.size(); ++i) {
    options.target.release = releases[i];
    const Report alone = check(model, options);
    if (has_failed(alone) || text(together.at(i)) != text(alone)) {
      return to_string(releases[i]) + ": together\n" + describe(together[i].findings) + "alone\n" +
             describe(alone.findings);
    }
  }
  return "";
}

std::string difference(std::string_view onnx, const std::string& options_text) {
  const CaseOptions options = parse_options(options_text);
  std::string bytes = onnx_bytes(onnx, options.opset);
  if (options.declares_outputs) bytes = with_declared_outputs(bytes);
  const Model model = read_model(as_bytes(bytes), options.folder);
  CheckOptions how;
  how.target = options.target;
  std::vector<TrtVersion> releases = all_releases();
  std::string found = difference(model, how, releases);
  std::ranges::reverse(releases);  // in any order
  return found + difference(model, how, releases);
}

std::vector<RuleCase> all_cases() {
  std::vector<RuleCase> cases;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(TRTCHECK_SOURCE_DIR) / "tests/rules")) {
    if (entry.path().extension() != ".md") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::ostringstream read;
    read << file.rdbuf();
    for (RuleCase& one : rule_cases(read.str())) cases.push_back(std::move(one));
  }
  return cases;
}

}  // namespace

TEST_CASE("many releases at once: every Markdown case") {
  const std::vector<RuleCase> cases = all_cases();
  CHECK(cases.size() > 500);
  for (const RuleCase& one : cases) {
    INFO(one.name << "\n" << one.onnx);
    CHECK(difference(one.onnx, one.options) == "");
  }
}

TEST_CASE("many releases at once: the example of every rule") {
  for (const Rule* rule : all_rules()) {
    for (const CodeBlock& block : code_blocks(rule->docs)) {
      if (block.language != "onnx") continue;
      INFO(rule->code << " " << block.heading);
      CHECK(difference(block.text, block.options) == "");
    }
  }
}
