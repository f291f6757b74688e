// Reads the Markdown of rule tests (tests/rules/**/*.md) and of rule docs.
//
// A case is a level-2 heading, prose, one ```onnx block and one ```findings block. Behind "onnx" stand options:
// `target=8.6 precision=int8,fp16 cc=8.6 plugin=A,B profile=x=1x3:2x3:4x3 opset=13 folder=tests`
// (`folder`: where external data would be, below the root of the repository).
//
//     ## the bias is too short
//
//     ```onnx target=10.13
//     agraph (float[1,3,8,8] x) => (float[1,4,6,6] y) <...> { ... }
//     ```
//
//     ```findings
//     error WGT103 main/conv1: bias `b` has 3
//       certainty: likely
//       note: part of a note
//       fix: part of the fix title
//       consequence: warning SHP101 main/add: part of the message
//     ```
//
// The place is graph path, slash, node label, or "-" for the whole model. All findings of all rules must be listed
// ("none" when there is none), in any order; texts are substrings. Certainty, notes and fix are looked at when given,
// consequences always. `{newest}` in a text is the newest known release.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trtcheck::test {

struct CodeBlock {
  std::string heading;   ///< the nearest heading above, without #
  std::string language;  ///< first word behind the fence
  std::string options;   ///< the rest of that line
  std::string text;
};
std::vector<CodeBlock> code_blocks(std::string_view markdown);
/// Level-2 headings in order.
std::vector<std::string> headings(std::string_view markdown);

struct ExpectedFinding {
  std::string severity;
  std::string code;
  std::string place;
  std::string message;
  std::string certainty;  ///< "" = any
  std::vector<std::string> notes;
  std::string fix;
  std::vector<ExpectedFinding> consequences;
};
/// Throws std::runtime_error for a line that is not of the form above.
std::vector<ExpectedFinding> expected_findings(std::string_view block);

struct RuleCase {
  std::string name;
  std::string options;
  std::string onnx;
  std::vector<ExpectedFinding> expected;
};
/// Throws std::runtime_error when a heading has no onnx or no findings block.
std::vector<RuleCase> rule_cases(std::string_view markdown);

}  // namespace trtcheck::test
