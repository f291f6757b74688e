// Findings made by hand: the formats are tested without a model.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <trtcheck/report.hpp>

namespace trtcheck::test {

constexpr Rule sample_rule(std::string_view code, std::string_view name, Severity severity, Certainty certainty) {
  Rule rule;
  rule.code = code;
  rule.name = name;
  rule.since = "0.1.0";
  rule.severity = severity;
  rule.certainty = certainty;
  rule.summary = "sample rule";
  return rule;
}

inline constexpr Rule kGroupedRule = sample_rule("WGT901", "sample-grouped", Severity::error, Certainty::proven);
inline constexpr Rule kScaleRule = sample_rule("QDQ902", "sample-scale", Severity::warning, Certainty::likely);
inline constexpr Rule kAdviceRule = sample_rule("PRF903", "sample-advice", Severity::info, Certainty::likely);

inline Finding finding(const Rule& rule, std::string message) {
  Finding out;
  out.rule = &rule;
  out.severity = rule.severity;
  out.certainty = rule.certainty;
  out.message = std::move(message);
  out.graph = "main";
  return out;
}

/// Every field filled in.
inline Finding grouped_finding() {
  Finding out = finding(kGroupedRule, "`conv_1` with group=2 gets 144 weights, TensorRT expects 72");
  out.node = "conv_1";
  out.op_type = "Conv";
  out.value = "r";
  out.signature = {"r: FLOAT[N,?,H,W]", "w: FLOAT[8,2,3,3]"};
  out.source = SourceLocation{"/home/me/net.py", 42, "forward", "return self.conv(x.view(b, -1, h, w))"};
  out.module = "encoder.layers.10";
  out.library = SourceLocation{"/v/site-packages/nn.py", 7, "call", "return self.inner(x)"};
  const SourceLocation reshape{"/home/me/net.py", 41, "forward", "b, c, h, w = x.shape"};
  out.notes = {{"graph input `x` leaves axis 0 (`N`) open", ""},
               {"the target shape has -1 at index 1", "reshape_7", NodeId{7}, reshape, out.library},
               {"the entry must be 4", "reshape_7", NodeId{7}, reshape, out.library}};
  out.fix = Fix{"write 4 instead of -1 at index 1", Applicability::safe, "reshape_7", NodeId{7}, reshape, out.library};
  out.evidence = {"https://github.com/NVIDIA/TensorRT/issues/3273"};
  out.consequences = {finding(kScaleRule, "the output of `conv_1` is not known")};
  return out;
}

inline Report report(std::string path, std::vector<Finding> findings) {
  Report out;
  out.path = std::move(path);
  out.target.release = {10, 13};
  out.findings = std::move(findings);
  out.node_count = 17;
  return out;
}

}  // namespace trtcheck::test
