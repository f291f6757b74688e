#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rules/listing.hpp"
#include "rules/rule_context.hpp"
#include "text/plural.hpp"
#include "view/unused.hpp"

namespace trtcheck::rules::used_by_nothing {
namespace {

constexpr const char* kFix = "remove what nothing uses: `trtcheck simplify` does it";

// As steps of the reasons; the others are counted.
constexpr std::size_t kMostNamed = 5;

std::string node_text(const RuleContext& context, NodeId id) {
  return fmt::format("{} `{}`", context.model().node(id).op_type, context.label(id));
}

std::string value_text(const RuleContext& context, std::string_view kind, ValueId id) {
  return fmt::format("{} `{}`", kind, context.name(id));
}

std::string function_text(const RuleContext& context, std::size_t at) {
  const Function& function = context.model().functions()[at];
  return fmt::format("function `{}{}{}`", function.domain, function.domain.empty() ? "" : ".", function.name);
}

/// Each by itself.
void tell_all(RuleContext& context, const Unused& found) {
  for (const NodeId id : found.nodes) {
    context.add(id, fmt::format("no output needs {}", node_text(context, id))).fix(kFix);
  }
  const auto tell_value = [&](std::string_view kind, ValueId id) {
    context.add_model(fmt::format("nothing uses {}", value_text(context, kind, id))).value(context.name(id)).fix(kFix);
  };
  for (const ValueId id : found.inputs) tell_value("input", id);
  for (const ValueId id : found.initializers) tell_value("initializer", id);
  for (const std::size_t at : found.functions) {
    context.add_model(fmt::format("nothing calls {}", function_text(context, at))).fix(kFix);
  }
}

/// "2 nodes, 1 input and 3 initializers"
std::string counts_text(const Unused& found) {
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, std::string_view noun) {
    if (count > 0) parts.push_back(counted(count, noun));
  };
  add(found.nodes.size(), "node");
  add(found.inputs.size(), "input");
  add(found.initializers.size(), "initializer");
  add(found.functions.size(), "function");
  std::string text = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) text += (i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

void tell_count(RuleContext& context, const Unused& found) {
  FindingBuilder finding = context.add_model(fmt::format("nothing uses {}", counts_text(found)));
  finding.fix(kFix);
  std::size_t left = kMostNamed;
  for (std::size_t i = 0; i < found.nodes.size() && left > 0; ++i, --left) {
    finding.note("no output needs " + node_text(context, found.nodes[i]), found.nodes[i]);
  }
  const auto name = [&](std::string text) {
    if (left == 0) return;
    finding.note(std::move(text));
    --left;
  };
  for (const ValueId id : found.inputs) name("nothing reads " + value_text(context, "input", id));
  for (const ValueId id : found.initializers) name("nothing reads " + value_text(context, "initializer", id));
  for (const std::size_t at : found.functions) name("nothing calls " + function_text(context, at));
  const std::size_t count =
      found.nodes.size() + found.inputs.size() + found.initializers.size() + found.functions.size();
  if (count > kMostNamed) finding.note(fmt::format("and {} more: `--all-findings` lists them", count - kMostNamed));
}

void check(RuleContext& context) {
  if (!context.model().defects().empty()) return;  // who reads what is not certain
  const Unused found = unused(context.model());
  if (found.empty()) return;
  if (lists_all(context)) return tell_all(context, found);
  tell_count(context, found);
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt ModelImporter.cpp parseGraph, 10.10",
                                          "TensorRT-RTX 1.5.0 and 1.7.1: `Unused Input: u`"};

}  // namespace

extern constinit const Rule rule{
    .code = "MDL401",
    .name = "used-by-nothing",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "nodes, inputs, initializers or functions that nothing uses",
    .docs = R"(## What it checks
Nodes that no output of their graph needs, inputs and initializers that nothing reads (or only such nodes), and functions that nothing
calls. One finding counts all of them; `--all-findings` lists them one by one.

## Why TensorRT cares
The engine computes the same without them. But the parser reads them all the same: a node that nothing needs can refuse the whole
model, an initializer makes the file larger, and an input stays an input of the engine. Often they are the traces of an export
that went wrong: an output that was forgotten, or half of a model that was cut off.

## Example
```onnx
agraph (float[N,3] x) => (float[N,3] y) {
  y = Relu (x)
  forgotten = Neg (x)
}
```

## Instead
```onnx
agraph (float[N,3] x) => (float[N,3] y) {
  y = Relu (x)
}
```

## Fix
Remove them, or make an output of what was forgotten: `trtcheck simplify` removes nodes, initializers and functions that nothing uses.

## Evidence
onnx-tensorrt `ModelImporter.cpp`, `parseGraph` (read at 10.10): every initializer and every node of the graph is imported. TensorRT-RTX 1.5.0 and
1.7.1 refuse a model for a Det that nothing reads, build one with a Neg that nothing reads, and keep an input that nothing reads, with a warning.
)",
    .evidence = kEvidence,
    .check = check,
};

}  // namespace trtcheck::rules::used_by_nothing
