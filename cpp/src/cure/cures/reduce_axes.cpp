// Reductions whose axes the release does not read, or reads in another way than ONNX.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/writer.hpp"

namespace trtcheck::cure::reduce_axes {
namespace {

using Ints = Writer::Ints;
using Name = Writer::Name;

/// How many elements are reduced to one: a number of the type of the data, or nothing.
std::optional<Name> count_of(Writer& w, const Ints& axes, DataType type) {
  Draft& draft = w.draft();
  const std::optional<std::size_t> rank = draft.rank(draft.node().input(0));
  if (!rank) return std::nullopt;
  std::int64_t count = 1;
  Name dynamic;
  for (const std::int64_t axis : axes) {
    const std::optional<std::size_t> at = plain_axis(axis, *rank);
    if (!at) return std::nullopt;
    const Dim dim = draft.in_shape(0).dims[*at];
    if (dim.is_literal()) {
      count *= dim.value();
    } else {
      const Name size = w.cast(w.size(draft.node().input(0), *at), type);
      dynamic = dynamic.empty() ? size : w.mul(dynamic, size);
    }
  }
  if (dynamic.empty()) return draft.scalar(static_cast<double>(count), type, "count");
  dynamic = w.squeeze(dynamic, {0});
  return count == 1 ? dynamic : w.mul(dynamic, draft.scalar(static_cast<double>(count), type, "count"));
}

/// The first of all, sorted, along one axis after the other. TopK has its axis as an attribute at all opsets.
Name extreme(Writer& w, Name x, const Ints& axes, bool is_largest, bool keeps) {
  const Name one = w.draft().ints_constant({1}, "one");
  for (const std::int64_t axis : axes) {
    x = w.draft().ops("TopK", {x, one}, {{"axis", axis}, {"largest", std::int64_t{is_largest ? 1 : 0}}}, 2).front();
  }
  return keeps ? x : w.squeeze(x, axes);
}

/// ReduceSum has read its axes at all releases since they are an input.
bool by_sum(Draft& draft) {
  const std::string_view op = draft.node().op_type;
  const ValueId x = draft.node().input(0);
  const std::optional<Ints> axes = draft.ints(draft.node().input(1));
  const std::optional<DataType> type = draft.type(x);
  if (!axes) return draft.refuse(fmt::format("`{}` is not a constant", draft.in(1)));
  if (!type || !is_float(*type)) return draft.refuse("it is rewritten for floating point numbers only");
  const bool keeps = draft.int_attribute("keepdims", 1) != 0;
  Writer w(draft);
  const auto sum = [&](const Name& of) {
    return w.op("ReduceSum", {of, draft.in(1)}, {{"keepdims", std::int64_t{keeps ? 1 : 0}}});
  };
  Name y;
  if (op == "ReduceMean") {
    const std::optional<Name> count = count_of(w, *axes, *type);
    if (!count) return draft.refuse("the rank is not known");
    y = w.div(sum(draft.in(0)), *count);
  } else if (op == "ReduceL1") {
    y = sum(w.op("Abs", {draft.in(0)}));
  } else if (op == "ReduceSumSquare") {
    y = sum(w.mul(draft.in(0), draft.in(0)));
  } else if (op == "ReduceL2") {
    y = w.op("Sqrt", {sum(w.mul(draft.in(0), draft.in(0)))});
  } else if (op == "ReduceLogSumExp") {
    y = w.op("Log", {sum(w.op("Exp", {draft.in(0)}))});
  } else if (op == "ReduceMax" || op == "ReduceMin") {
    draft.promises(CureClass::proven);
    y = extreme(w, draft.in(0), *axes, op == "ReduceMax", keeps);
  } else {
    return draft.refuse("there is no sum that it follows from");
  }
  draft.becomes(0, y);
  draft.remove();
  draft.title(fmt::format("compute `{}` by operators that read their axes", op));
  return true;
}

/// Without axes and with `noop_with_empty_axes` nothing is reduced.
bool no_reduction(Draft& draft) {
  const std::string_view op = draft.node().op_type;
  Writer w(draft);
  draft.promises(CureClass::proven);
  // The logarithm of the sum of one exponential is rounded otherwise.
  if (op == "ReduceLogSumExp" || op == "ReduceL2") draft.promises(CureClass::rounding);
  if (op == "ReduceL1" || op == "ReduceL2") {
    draft.becomes(0, w.op("Abs", {draft.in(0)}));
  } else if (op == "ReduceSumSquare") {
    draft.becomes(0, w.mul(draft.in(0), draft.in(0)));
  } else if (op == "ReduceLogSum") {
    draft.becomes(0, w.op("Log", {draft.in(0)}));
  } else {
    draft.becomes(0, w.op("Identity", {draft.in(0)}));
  }
  draft.remove();
  draft.title(fmt::format("`{}` reduces nothing here", op));
  return true;
}

bool make(Draft& draft, const Finding& finding) {
  if (finding.fact == "reduce-empty-axes") {
    draft.promises(CureClass::proven);
    draft.drop_attribute("axes");
    draft.title("leave out the empty `axes`: every axis is reduced");
    return true;
  }
  if (finding.fact == "reduce-empty-axes-input") {
    if (draft.int_attribute("noop_with_empty_axes", 0) != 0) return no_reduction(draft);
    draft.promises(CureClass::proven);
    draft.add(edit::SetInputs{draft.place(), {draft.in(0)}});
    draft.title("leave out the empty axes: every axis is reduced");
    return true;
  }
  if (finding.fact == "reduce-axes-unread") return by_sum(draft);
  return no_reduction(draft);
}

constexpr std::string_view kFindings[] = {"OPS401:reduce-empty-axes",    "OPS401:reduce-empty-axes-input",
                                          "OPS401:reduce-scalar",        "OPS412:reduce-axes-unread",
                                          "OPS411:reduce-noop-identity", "OPS412:reduce-noop-unread"};

}  // namespace

extern constinit const Cure cure{
    .name = "reduce-axes",
    .kind = CureClass::rounding,
    .summary = "a reduction whose axes the release does not read is computed by operators that read theirs",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::reduce_axes
