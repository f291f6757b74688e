#include <algorithm>

#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "target/gates.hpp"
#include "view/run_time_sizes.hpp"

namespace trtcheck::rules::size_from_iteration {
namespace {

/// "the iteration number", "carried value `n`", "element `e` of a scanned input"
std::string source_words(const RuleContext& context, const RunTimeSource& source) {
  const Model& model = context.model();
  const Node& loop = model.node(source.node);
  const Graph& body = model.graph(model.value(source.value).graph);
  const auto at = static_cast<std::size_t>(std::ranges::find(body.inputs, source.value) - body.inputs.begin());
  const std::string_view name = context.name(source.value);
  if (loop.op_type == "Scan") {
    const Attribute* scanned = loop.attribute("num_scan_inputs");
    const std::size_t elements = scanned == nullptr ? 0 : static_cast<std::size_t>(scanned->i());
    if (at + elements >= body.inputs.size()) return fmt::format("`{}`, an element of a scanned input", name);
  } else if (at == 0) {
    return fmt::format("the iteration number `{}`", name);
  } else if (at == 1) {
    return fmt::format("the condition `{}`", name);
  }
  return fmt::format("the carried value `{}`", name);
}

void check(RuleContext& context) {
  const Operators& operators = context.view().operators;
  if (!operators.has("Loop") && !operators.has("Scan")) return;
  for (const NodeId id : context.nodes()) {
    const Node& node = context.model().node(id);
    if (node.graph == GraphId{0}) continue;
    for (const std::uint8_t operand : size_operands(node.op_type)) {
      const ValueId size = node.input(operand);
      if (!size) continue;
      const RunTimeSource source = run_time_source(context.view(), size);
      if (source.kind != RunTimeSource::Kind::iterated) continue;
      FindingBuilder finding = context.add(
          id, fmt::format("{} `{}` reads a size from `{}`, which is computed from {} of {} `{}`: TensorRT "
                          "needs sizes that are the same in every iteration",
                          node.op_type, context.label(id), context.name(size), source_words(context, source),
                          context.model().node(source.node).op_type, context.label(source.node)));
      finding.value(context.name(size))
          .note("its body is run once for each iteration", source.node)
          .fix(
              "compute with the full size and mask the rest (`torch.where(torch.arange(size) < i + 1, x, 0)`), pick "
              "one element by index (`x[i]`, `torch.index_select`), or unroll the loop: a Python `for` with a fixed "
              "count, outside of `torch.jit.script`");
      if (!context.has(gates::sizes_in_loops_measured)) {
        finding.severity(Severity::warning)
            .certainty(Certainty::possible)
            .note(
                "TensorRT 7.2 refused such a model, TensorRT 10.16 and later do; nothing is known of the releases "
                "between");
      }
      break;
    }
  }
}

constexpr std::string_view kEvidence[] = {
    "measured: TensorRT-RTX 1.4.0, 1.5.0, 1.6.1 and 1.7.1 do not build it, for 13 operators and 8 sources of a size",
    "https://github.com/onnx/onnx-tensorrt/issues/670",
};
constexpr std::string_view kMessages[] = {
    "Assertion newNodeOrder.size() == g.nodes.size() failed",
    "output can not be used as shape tensor",
};

}  // namespace

extern constinit const Rule rule{
    .code = "CTL101",
    .name = "size-from-iteration",
    .since = "0.1.0",
    .severity = Severity::error,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "inside of a loop, a size that changes from one iteration to the next",
    .docs = R"(## What it checks
Nodes in the body of a Loop or a Scan that read a size, or a bound of a slice, which goes back to the iteration number, to a value that the loop carries,
or to an element that Scan hands in: `x[:i + 1]`, `x[i:i + 2]`, `torch.arange(i)`, `torch.zeros(n)`, a table of sizes that is read with the iteration number.
`nn.EmbeddingBag`, exported with `dynamo=False`, becomes such a loop.

## Why TensorRT cares
It computes all sizes before the network runs, once. A size that is not the same in every iteration stops the builder, even where it happens to be the same
(`x[i:i + 1]`) and where the loop runs once.

Allowed are sizes from outside of the loop, `Shape` of a value inside, and an index (`x[i]`, Gather), because the result of these has one size.

## Example
```onnx target=11.5
agraph (float[5,4] x, float[4] first) => (y)
<int64 count = {5}, bool go = {1}, int64[1] zero = {0}, int64[1] one = {1}> {
  y = Loop (count, go, first) <body = body (int64 i, bool c, float[4] v) => (bool d, float[4] w) {
    d = Identity (c)
    first_i = Unsqueeze (i, zero)
    end = Add (first_i, one)
    part = Slice (x, zero, end, zero)
    sum = ReduceSum <keepdims = 0> (part, zero)
    w = Add (v, sum)
  }>
}
```

## Instead
```onnx target=11.5
agraph (float[5,4] x, float[4] first) => (y)
<int64 count = {5}, bool go = {1}, int64[1] zero = {0}, int64[1] one = {1}, int64[5,1] rows = {0, 1, 2, 3, 4}, float nothing = {0}> {
  y = Loop (count, go, first) <body = body (int64 i, bool c, float[4] v) => (bool d, float[4] w) {
    d = Identity (c)
    inside = LessOrEqual (rows, i)
    part = Where (inside, x, nothing)
    sum = ReduceSum <keepdims = 0> (part, zero)
    w = Add (v, sum)
  }>
}
```

## Fix
Compute with the full size and mask what does not count: `torch.where(rows <= i, x, 0)`, a lower triangular mask for a causal sum. Or unroll: a `for` of Python with a fixed count,
outside of `torch.jit.script`, is traced into nodes of fixed sizes. `nn.EmbeddingBag`: `nn.Embedding` and a sum or mean over the axis.

## Evidence
Measured with TensorRT-RTX 1.4.0 to 1.7.1. The parser of 7.2 refused it with a text of its own; nothing is known of 8.0 to 10.15, where it is a warning.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
    .gates = {gates::sizes_in_loops_measured},
};

}  // namespace trtcheck::rules::size_from_iteration
