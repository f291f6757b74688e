// Runs all rules over an ONNX text, as the options of a Markdown case say, and compares.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/finding.hpp>
#include <trtcheck/ranges.hpp>
#include <trtcheck/target.hpp>

#include "markdown.hpp"

namespace trtcheck::test {

struct CaseOptions {
  Target target;
  bool read_weights = false;  ///< `weights=read`
  bool tells_advice = false;  ///< findings that most small models carry are told, too
  Ranges ranges;              ///< `ranges=y:-1:81204:nan=3`, repeatable; FLOAT unless `type=FLOAT16`
  int opset = 17;
  std::string folder;            ///< where external data would be; "" = unknown
  bool declares_outputs = true;  ///< outputs written without a type get what is computed; `outputs=bare` leaves them
};
/// Throws std::runtime_error (or Error) for an option that does not exist.
CaseOptions parse_options(std::string_view options);

/// Sorted findings of all rules, consequences folded.
std::vector<Finding> findings_of(std::string_view onnx_text, std::string_view options = {});

/// "error WGT103 main/conv1: message" with notes, fix and consequences indented below.
std::string describe(const Finding& finding);
std::string describe(const std::vector<Finding>& findings);

/// "" when they agree; else what is missing and what was not expected.
std::string difference(const std::vector<ExpectedFinding>& expected, const std::vector<Finding>& actual);

}  // namespace trtcheck::test
