#include <algorithm>

#include <fmt/core.h>

#include "rules/claims.hpp"
#include "rules/rule_context.hpp"
#include "target/network_types.hpp"
#include "view/reads.hpp"

namespace trtcheck::rules::carried_value_changes {
namespace {

struct Difference {
  Truth truth = Truth::no;
  std::string_view what;  ///< "type", "rank", "size"
  bool is_plain = true;   ///< the network shows it; else the analysis of shapes, of what is needed
};

Truth types_differ(const RuleContext& context, DataType a, DataType b) {
  if (a == DataType::undefined || b == DataType::undefined) return Truth::unknown;
  const ReleaseView& release = context.release();
  const std::string_view before = network_type_name(a, release), after = network_type_name(b, release);
  if (before.empty() || after.empty()) return Truth::unknown;
  return before == after ? Truth::no : Truth::yes;
}

Difference difference(const RuleContext& context, const ValueShape& before, const ValueShape& after) {
  if (types_differ(context, before.type, after.type) == Truth::yes) return {Truth::yes, "type"};
  if (!before.has_rank || !after.has_rank) return {Truth::no, {}};  // who knows no rank says nothing
  if (before.rank() != after.rank()) return {Truth::yes, "rank"};
  Difference found{Truth::no, "size", false};
  for (std::size_t axis = 0; axis < before.rank(); ++axis) {
    const Truth equal = context.dims().equal(before.dims[axis], after.dims[axis]);
    if (equal == Truth::unknown && found.truth == Truth::no) found.truth = Truth::unknown;
    if (equal != Truth::no) continue;
    found.truth = Truth::yes;
    found.is_plain = found.is_plain || (before.dims[axis].is_literal() && after.dims[axis].is_literal());
  }
  return found;
}

/// After the loop, or in a step whose results are.
bool is_needed(const Model& model, const CarriedChange& change) {
  const Node& node = model.node(change.node);
  const Attribute* body = node.attribute("body");
  const auto inputs = body != nullptr && body->g() ? model.graph(body->g()).inputs : std::span<const ValueId>();
  const std::size_t input = change.index + (node.op_type == "Loop" ? 2 : 0);
  const auto is_value_read = [&](ValueId value) { return value && is_read(model, value, Reads::anything); };
  return is_value_read(node.output(change.index)) || (input < inputs.size() && is_value_read(inputs[input]));
}

void report(RuleContext& context, const CarriedChange& change, const Difference& found) {
  const Node& node = context.model().node(change.node);
  const ValueId first = node.input(change.index + (node.op_type == "Loop" ? 2 : 0));
  const bool is_certain = found.truth == Truth::yes;
  FindingBuilder finding = context.add(
      change.node,
      fmt::format("`{}`, which {} `{}` carries from one iteration to the next, is {} before the first iteration and {} "
                  "after it: TensorRT needs one type and one shape{}",
                  context.name(first), node.op_type, context.label(change.node), context.shapes().text(change.before),
                  context.shapes().text(change.after), is_certain ? "" : ", and these are not proven to be equal"));
  finding.value(context.name(first));
  if (found.what == "type") {
    finding.fix("cast it back inside of the loop");
  } else if (found.what == "rank") {
    finding.fix("bring it back to its rank inside of the loop (`squeeze`, `unsqueeze`, `reshape`)");
  } else {
    finding.fix(
        "allocate the largest size before the loop and write into it (`torch.where(mask, new, old)`, "
        "`index_copy`), return what each iteration adds and concatenate after the loop, or unroll the loop: a "
        "Python `for` with a fixed count, outside of `torch.jit.script`");
  }
  if (!is_certain) finding.severity(Severity::warning).certainty(Certainty::possible);
  if (change.before.assumed || change.after.assumed) rests_on_claim(finding, "one of the shapes");
}

void check(RuleContext& context) {
  const auto changes = context.shapes().carried_changes();
  if (changes.empty()) return;
  for (const NodeId id : context.nodes()) {
    for (const CarriedChange& change : changes) {
      if (change.node != id) continue;
      const Difference found = difference(context, change.before, change.after);
      if (found.truth == Truth::no || (!found.is_plain && !is_needed(context.model(), change))) continue;
      report(context, change, found);
    }
  }
}

constexpr std::string_view kEvidence[] = {
    "NVIDIA/TensorRT include/NvInfer.h, IRecurrenceLayer, 8.6 to 11.1",
    "measured: TensorRT-RTX 1.4.0, 1.5.0, 1.6.1 and 1.7.1 do not build it",
    "https://github.com/NVIDIA/TensorRT/issues/2582",
    "https://github.com/NVIDIA/TensorRT/issues/2566",
};
constexpr std::string_view kMessages[] = {
    "IRecurrenceLayer must have inputs with same shape",
    "inputs to IRecurrenceLayer have different dimensions",
    "IRecurrenceLayer must have inputs with identical types",
};

}  // namespace

extern constinit const Rule rule{
    .code = "CTL103",
    .name = "carried-value-changes",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a loop carries a value whose type, rank or size changes",
    .docs = R"(## What it checks
Values that a Loop or a Scan carries from one iteration to the next: a result that grows (`acc = torch.cat([acc, new])`), an operand that broadcasting makes larger, a
Squeeze or Unsqueeze, another element type. The shape before the loop is compared with what shape inference proves of one iteration, for every carried value.

## Why TensorRT cares
A carried value is a recurrence layer, whose two inputs must have one type and one shape: memory is planned for one size. The builder refuses it however often the loop runs, also
never or once. Sizes that are equal under a condition that is not proven are a warning. Where a size that varies is part of the difference and nothing reads the value, nothing is reported:
TensorRT removes it first.

## Example
```onnx target=11.5
agraph (float[1,4] first, float[5,4] x) => (float[M,4] y, float[5,4] s) <int64[1] zero = {0}> {
  y, s = Scan <num_scan_inputs = 1, body = body (float[A,4] v, float[4] row) => (float[B,4] w, float[4] o) {
    u = Unsqueeze (row, zero)
    w = Concat <axis = 0> (v, u)
    o = Relu (row)
  }> (first, x)
}
```

## Instead
```onnx target=11.5
agraph (float[1,4] first, float[5,4] x) => (float[1,4] y, float[5,4] s) <int64[1] zero = {0}> {
  y, s = Scan <num_scan_inputs = 1, body = body (float[1,4] v, float[4] row) => (float[1,4] w, float[4] o) {
    u = Unsqueeze (row, zero)
    w = Add (v, u)
    o = Relu (row)
  }> (first, x)
}
```

## Fix
Allocate the largest size before the loop and write into it, or return what each iteration adds: a list that is stacked after the loop becomes a scan output, which may be as long as the
loop. Or unroll the loop in Python.

## Evidence
The header of `IRecurrenceLayer`; two users of 8.2.3 (NVIDIA/TensorRT 2582 and 2566), whose decoder grew its output; TensorRT-RTX 1.4.0 to 1.7.1.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {kNetworkTypeGates},
};

}  // namespace trtcheck::rules::carried_value_changes
