#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "rules/ops/constraint_finding.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

/// The attribute's value as the table writes it, of a list each; empty for tensors and graphs.
std::vector<std::string> value_texts(const Attribute& attribute) {
  std::vector<std::string> texts;
  if (attribute.type == AttributeType::int_) texts.push_back(std::to_string(attribute.i()));
  if (attribute.type == AttributeType::float_) texts.push_back(fmt::format("{}", attribute.f()));
  if (attribute.type == AttributeType::string) texts.emplace_back(attribute.s());
  if (attribute.type == AttributeType::ints) {
    for (const std::int64_t value : attribute.ints()) texts.push_back(std::to_string(value));
  }
  return texts;
}

void check_value(RuleContext& context, const Constraint& constraint, const Attribute& attribute) {
  const std::vector<std::string> values = value_texts(attribute);
  const auto refused = std::ranges::find_if(values, [&](const std::string& value) {
    return std::ranges::find(constraint.values, value) == constraint.values.end();
  });
  if (refused == values.end()) return;
  const std::string& value = *refused;
  const bool is_text = attribute.type == AttributeType::string;
  add_constraint(
      context, constraint,
      fmt::format("attribute `{}` of {} `{}` {} {}, TensorRT {} takes {}", attribute.name, context.node().op_type,
                  context.label(context.node_id()), attribute.type == AttributeType::ints ? "holds" : "is",
                  is_text ? "`" + value + "`" : value, to_string(context.target().release),
                  allowed_values(constraint, is_text)))
      .fix(fmt::format("use {} for `{}`, or compute the same with other operators", allowed_values(constraint, is_text),
                       attribute.name));
}

/// dtype attributes: the value is an ONNX element type.
void check_type(RuleContext& context, const Constraint& constraint, const Attribute& attribute) {
  if (attribute.type != AttributeType::int_ || attribute.i() < 1 || attribute.i() > 26) return;
  const auto type = static_cast<DataType>(attribute.i());
  const std::string_view name = network_type_name(type, context.target().release);
  if (std::ranges::find(constraint.values, name) != constraint.values.end()) return;
  add_constraint(context, constraint,
                 fmt::format("attribute `{}` of {} `{}` asks for {}, TensorRT {} takes {}", attribute.name,
                             context.node().op_type, context.label(context.node_id()), to_string(type),
                             to_string(context.target().release), allowed_values(constraint)))
      .fix("ask for a type that TensorRT takes and cast the result");
}

void check(RuleContext& context) {
  using Must = Constraint::Must;
  for (const Constraint& constraint :
       constraints_of_node(context, {Must::one_of, Must::absent, Must::type_in}, Constraint::On::attribute)) {
    const Attribute* attribute = context.node().attribute(constraint.attribute);
    if (attribute == nullptr) continue;
    if (constraint.must == Must::one_of) check_value(context, constraint, *attribute);
    if (constraint.must == Must::type_in) check_type(context, constraint, *attribute);
    if (constraint.must == Must::absent) {
      add_constraint(
          context, constraint,
          fmt::format("{} `{}` has the attribute `{}`, which TensorRT {} refuses", context.node().op_type,
                      context.label(context.node_id()), constraint.attribute, to_string(context.target().release)))
          .fix(fmt::format("remove `{}` when it has its default value, else compute the same with other operators",
                           constraint.attribute));
    }
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx-tensorrt docs/operators.md, onnxOpImporters.cpp and onnxOpCheckers.cpp of each release"};

}  // namespace

extern constinit const Rule attribute_unsupported{
    .code = "OPS401",
    .name = "attribute-unsupported",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::proven,
    .fix = Applicability::display,
    .summary = "an attribute with a value that the target release does not take",
    .docs = R"(## What it checks
Attributes whose value the parser tests: modes of Resize, Pad and RoiAlign, coupled gates of LSTM, norms of LpPool, dilations of
the pooling operators, and others.
An attribute that is left out counts as allowed.

## Why TensorRT cares
The importer, or from 9.1 a static check, ends the conversion. The limits differ between releases.

## Example
```onnx opset=18
agraph (float[1,3,8,8] x) => (float[1,3,16,16] y)
<float[4] s = {1, 1, 2, 2}> {
  y = Resize <mode = "linear", antialias = 1> (x, , s)
}
```

## Instead
```onnx opset=18
agraph (float[1,3,8,8] x) => (float[1,3,16,16] y)
<float[4] s = {1, 1, 2, 2}> {
  y = Resize <mode = "linear", antialias = 0> (x, , s)
}
```

## Fix
Use a value that the release takes, or express the same with other operators.

## Evidence
Rows of `cpp/data/op_support.json`: onnx-tensorrt `docs/operators.md`, importers and static checks of each release. Where a row
was last seen in an older release than the target, the certainty is "likely".
)",
    .evidence = kEvidence,
    .ops = kConstrainedOperators,
    .check = check};

}  // namespace trtcheck::rules
