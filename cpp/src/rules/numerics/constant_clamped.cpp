#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "rules/numerics/narrowed.hpp"
#include "schema/kinds.hpp"
#include "target/gates.hpp"
#include "text/readable.hpp"

namespace trtcheck::rules::constant_clamped {
namespace {

constexpr std::int64_t kMost = 4096;

/// A limit, or a mask that is added in front of a Softmax.
bool is_meant(const RuleContext& context, const StoredTensor& stored, bool is_double, double number) {
  const NodeId reader = reader_of(context, stored).node;
  if (!reader) return true;
  const std::string_view op = context.model().node(reader).op_type;
  return is_a(op, kinds::reads_ends) || (is_double && number < 0 && op == "Add");
}

/// The first number that TensorRT cannot store; nothing: all fit, or they are not to be looked at.
std::optional<double> misfit(const RuleContext& context, const Tensor& tensor, TensorId id) {
  constexpr double kFloat = std::numeric_limits<float>::max();
  if (tensor.type == DataType::float64) {
    const auto numbers = context.view().tensors.floats(id, kMost);
    if (!numbers) return std::nullopt;
    const auto found =
        std::ranges::find_if(*numbers, [](double n) { return std::isfinite(n) && std::fabs(n) > kFloat; });
    return found == numbers->end() ? std::nullopt : std::optional(*found);
  }
  const auto numbers = context.view().tensors.ints(id, kMost);
  if (!numbers) return std::nullopt;
  const auto found = std::ranges::find_if(*numbers, [](std::int64_t n) {
    return n > std::numeric_limits<std::int32_t>::max() || n < std::numeric_limits<std::int32_t>::min();
  });
  return found == numbers->end() ? std::nullopt : std::optional(static_cast<double>(*found));
}

void check(RuleContext& context) {
  for (const StoredTensor& stored : context.view().stored()) {
    const Tensor& tensor = context.model().tensor(stored.id);
    const bool is_double = tensor.type == DataType::float64;
    const bool is_int = tensor.type == DataType::int64 && !context.has(gates::int64_network);
    if ((!is_double && !is_int) || !stored.node) continue;
    if (tensor.element_count().value_or(kMost + 1) > kMost) continue;
    const auto number = misfit(context, tensor, stored.id);
    if (!number || is_meant(context, stored, is_double, *number)) continue;
    FindingBuilder finding = context.add(
        stored.node,
        fmt::format("constant{} holds {}, which becomes {}: TensorRT stores {}",
                    stored.value ? fmt::format(" `{}`", context.name(stored.value)) : "", readable(*number),
                    is_double ? (*number < 0 ? "-3.4e+38" : "3.4e+38") : (*number < 0 ? "-2147483648" : "2147483647"),
                    is_double ? "DOUBLE as FLOAT" : "INT64 as INT32"));
    if (stored.value) finding.value(context.name(stored.value));
    finding.fix(is_double ? "export in FLOAT" : "keep integers in the range of INT32, or build with 9.0 or later");
  }
}

constexpr std::string_view kEvidence[] = {
    "onnx/onnx-tensorrt docs/operators.md, 8.6 and 10.1: DOUBLE is cast to FLOAT, INT64 to INT32, values out of range "
    "are clamped",
    "NVIDIA/TensorRT include, DataType, 9.0: INT64 is a type of the network",
};

}  // namespace

extern constinit const Rule rule{
    .code = "NUM106",
    .name = "constant-clamped",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a constant beyond the range of the type that TensorRT stores it in",
    .docs = R"(## What it checks
DOUBLE constants beyond 3.4e38 in every release, and INT64 constants beyond 2147483647 before 9.0, of at most 4,096 elements. Ends and limits (Slice, Clip, Min, Max,
TopK, Where) and negative DOUBLE summands, which are masks, are left out: too large means there as far as it goes, before and after.

## Why TensorRT cares
It has no DOUBLE, and had no INT64: the parser clamps such numbers and goes on with a line in its log. The engine computes with another number.

## Example
```onnx target=8.6
agraph (int32[N,4] x) => (int32[N,4] y)
<int64 mixer = {4294967311}> {
  wide = Cast<to=7>(x)
  mixed = Mul(wide, mixer)
  y = Cast<to=6>(mixed)
}
```

## Instead
```onnx target=8.6
agraph (int32[N,4] x) => (int32[N,4] y)
<int64 mixer = {65599}> {
  wide = Cast<to=7>(x)
  mixed = Mul(wide, mixer)
  y = Cast<to=6>(mixed)
}
```

## Fix
Export in FLOAT; keep integers in the range of INT32, or build with a release that has INT64.

## Evidence
onnx-tensorrt says so for both types in its list of operators. Constants that fit lose nothing, and nothing is said of them.
)",
    .evidence = kEvidence,
    .check = check,
    .gates = {gates::int64_network},
};

}  // namespace trtcheck::rules::constant_clamped
