#include "markdown.hpp"

#include <regex>
#include <sstream>
#include <stdexcept>

namespace trtcheck::test {
namespace {

ExpectedFinding parse_line(const std::string& line) {
  static const std::regex kForm(R"((error|warning|info) ([A-Z]{3}\d{3}) (\S+): (.+))");
  std::smatch match;
  if (!std::regex_match(line, match, kForm)) throw std::runtime_error("no expected finding: " + line);
  return {match[1], match[2], match[3], match[4], {}, {}, {}, {}};
}

void add_detail(ExpectedFinding& finding, const std::string& line) {
  const std::size_t colon = line.find(": ");
  const std::string kind = line.substr(0, colon);
  const std::string text = colon == std::string::npos ? "" : line.substr(colon + 2);
  if (kind == "certainty")
    finding.certainty = text;
  else if (kind == "note")
    finding.notes.push_back(text);
  else if (kind == "fix")
    finding.fix = text;
  else if (kind == "consequence")
    finding.consequences.push_back(parse_line(text));
  else
    throw std::runtime_error("no detail of a finding: " + line);
}

}  // namespace

std::vector<CodeBlock> code_blocks(std::string_view markdown) {
  std::vector<CodeBlock> blocks;
  std::istringstream lines{std::string(markdown)};
  std::string line, heading;
  bool inside = false;
  while (std::getline(lines, line)) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (!inside) continue;
      const std::string info = line.substr(3);
      const std::size_t space = info.find(' ');
      blocks.push_back({heading, info.substr(0, space), space == std::string::npos ? "" : info.substr(space + 1), {}});
    } else if (inside) {
      blocks.back().text += line + "\n";
    } else if (line.starts_with("#")) {
      heading = line.substr(line.find_first_not_of("# "));
    }
  }
  if (inside) throw std::runtime_error("a code block has no end");
  return blocks;
}

std::vector<std::string> headings(std::string_view markdown) {
  std::vector<std::string> found;
  std::istringstream lines{std::string(markdown)};
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) inside = !inside;
    if (!inside && line.starts_with("## ")) found.push_back(line.substr(3));
  }
  return found;
}

std::vector<ExpectedFinding> expected_findings(std::string_view block) {
  std::vector<ExpectedFinding> expected;
  std::istringstream lines{std::string(block)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t start = line.find_first_not_of(' ');
    if (start == std::string::npos || line == "none") continue;
    if (start == 0) {
      expected.push_back(parse_line(line));
    } else if (expected.empty()) {
      throw std::runtime_error("a detail before the first finding: " + line);
    } else {
      add_detail(expected.back(), line.substr(start));
    }
  }
  return expected;
}

std::vector<RuleCase> rule_cases(std::string_view markdown) {
  std::vector<RuleCase> cases;
  for (const std::string& heading : headings(markdown)) cases.push_back({heading, {}, {}, {}});
  std::vector<bool> has_findings(cases.size(), false);
  for (const CodeBlock& block : code_blocks(markdown)) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (cases[i].name != block.heading) continue;
      if (block.language == "onnx") {
        cases[i].options = block.options;
        cases[i].onnx = block.text;
      } else if (block.language == "findings") {
        cases[i].expected = expected_findings(block.text);
        has_findings[i] = true;
      }
    }
  }
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].onnx.empty() || !has_findings[i]) throw std::runtime_error("incomplete case: " + cases[i].name);
  }
  return cases;
}

}  // namespace trtcheck::test
