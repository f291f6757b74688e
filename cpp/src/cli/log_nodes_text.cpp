#include "cli/log_nodes_text.hpp"

#include <fmt/core.h>

#include <trtcheck/trtcheck.hpp>

#include "cli/open_model.hpp"
#include "report/json_values.hpp"
#include "text/printable.hpp"
#include "witness/log_nodes.hpp"
#include "witness/wording.hpp"

namespace trtcheck::cli {
namespace {

using report::Json;
using report::json_value;

/// Those at the node, folded ones too.
void add_findings(std::vector<Finding>& at, std::span<const Finding> all, NodeId node) {
  for (const Finding& finding : all) {
    if (finding.node_id == node) at.push_back(finding);
    add_findings(at, finding.consequences, node);
  }
}

}  // namespace

struct NamedNodes::Named {
  witness::LogNode at;
  std::vector<Finding> findings;
};

NamedNodes::NamedNodes(const std::string& path, std::string_view text, bool has_lines)
    : path_(path), has_lines_(has_lines) {
  const Model model = open_model(path);
  std::vector<witness::LogNode> found = witness::nodes_in_log(model, text);
  if (found.empty()) return;
  const Report report = check(model, {});
  for (witness::LogNode& node : found) {
    std::vector<Finding> findings;
    add_findings(findings, report.findings, node.node);
    nodes_.push_back({std::move(node), std::move(findings)});
  }
}

NamedNodes::~NamedNodes() = default;

std::string NamedNodes::text(const report::Style& style) const {
  if (nodes_.empty()) return fmt::format("no node of {} is named\n", printable(path_));
  std::string out = style.bold(fmt::format("nodes of {} that are named", printable(path_))) + "\n";
  for (const Named& named : nodes_) {
    const WitnessMessage& message = named.at.message;
    const std::string line = has_lines_ ? fmt::format("line {}: ", named.at.line) : "";
    out += fmt::format("  {}{}\n", line, printable(witness::node_text(message)));
    if (const std::string source = witness::source_text(message); !source.empty()) {
      out += fmt::format("    --> {}\n", printable(source));
    }
    if (!message.module.empty()) out += fmt::format("    module: {}\n", printable(message.module));
    for (const Finding& finding : named.findings) {
      const std::string tag = fmt::format("{}[{}]", to_string(finding.severity), finding.rule->code);
      out += fmt::format("    {} {}: {}\n", style.severity(finding.severity, tag), style.bold(finding.rule->name),
                         printable(finding.message));
    }
  }
  return out;
}

Json NamedNodes::json() const {
  Json all = Json::array();
  for (const Named& named : nodes_) {
    const WitnessMessage& message = named.at.message;
    all.push_back({{"line", has_lines_ ? Json(named.at.line) : Json(nullptr)},
                   {"message", valid_utf8(message.text)},
                   {"node", valid_utf8(message.node)},
                   {"op_type", valid_utf8(message.op_type)},
                   {"graph", valid_utf8(message.graph)},
                   {"module", valid_utf8(message.module)},
                   {"source", json_value(message.source)},
                   {"library", json_value(message.library)},
                   {"findings", json_value(named.findings)}});
  }
  return all;
}

}  // namespace trtcheck::cli
