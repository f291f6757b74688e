#include <algorithm>

#include <fmt/format.h>

#include "rules/ops/constraint_finding.hpp"
#include "rules/rule_context.hpp"

namespace trtcheck::rules {
namespace {

bool refused(const Constraint& constraint, std::string_view type) {
  const bool listed = std::ranges::find(constraint.values, type) != constraint.values.end();
  return constraint.must == Constraint::Must::type_in ? !listed : listed;
}

void check(RuleContext& context) {
  using Must = Constraint::Must;
  const TrtVersion release = context.target().release;
  for (const Constraint& constraint :
       constraints_of_node(context, {Must::type_in, Must::type_not_in}, Constraint::On::input)) {
    const ValueId input = context.node().input(constraint.index);
    const ValueShape& shape = context.shape(input);
    if (!input || shape.kind != ValueShape::Kind::tensor || shape.type_assumed) continue;
    const std::string_view type = network_type_name(shape.type, release);
    // A UINT8 constant becomes INT32 on reading in most releases: no verdict.
    if (type.empty() || type == "UINT8" || !refused(constraint, type)) continue;
    const std::string remark =
        constraint.must == Must::type_in
            ? fmt::format(", TensorRT {} takes {}", to_string(release), allowed_values(constraint))
            : fmt::format(", which TensorRT {} refuses", to_string(release));
    add_constraint(context, constraint,
                   fmt::format("input {} `{}` of {} `{}` is {}{}", constraint.index, context.name(input),
                               context.node().op_type, context.label(context.node_id()), to_string(shape.type), remark))
        .value(context.name(input))
        .fix(fmt::format("cast `{}` to FLOAT before the node", context.name(input)));
  }
}

constexpr std::string_view kEvidence[] = {"onnx-tensorrt onnxOpImporters.cpp and importerUtils.cpp of each release"};
constexpr std::string_view kMessages[] = {"Found unsupported input type of *", "Found invalid input type of *",
                                          "does not support the given operator *",
                                          "Elementwise layer does not support operator *"};

}  // namespace

extern constinit const Rule dtype_unsupported{.code = "OPS405",
                                              .name = "dtype-unsupported",
                                              .since = "0.1.0",
                                              .severity = Severity::error,
                                              .certainty = Certainty::proven,
                                              .fix = Applicability::display,
                                              .summary = "an input of an element type that the importer refuses",
                                              .docs = R"(## What it checks
Element types that the importer of an operator tests and refuses: integers in Relu, Gelu and Pow (by release), BFLOAT16 in Range,
HardSwish, Shrink and LpPool, BOOL in the reductions, BOOL and integers in Resize, and others. Only refusals seen in the code, or of
the layer that the importer makes, count, not the documented lists.

## Why TensorRT cares
The importer says `Found unsupported input type` or similar. The documented lists of types are wider than the code in these
places.

## Example
```onnx
agraph (int32[4] x) => (int32[4] y) {
  y = Relu (x)
}
```

## Instead
```onnx
agraph (float[4] x) => (float[4] y) {
  y = Relu (x)
}
```

## Fix
Cast to FLOAT before the node.

## Evidence
Rows of `cpp/data/op_support.json`: onnx-tensorrt `docs/operators.md`, importers and static checks of each release. Where a row
was last seen in an older release than the target, the certainty is "likely".
)",
                                              .evidence = kEvidence,
                                              .messages = kMessages,
                                              .ops = kConstrainedOperators,
                                              .check = check};

}  // namespace trtcheck::rules
