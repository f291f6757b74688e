#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "rules/profile/network_inputs.hpp"
#include "rules/rule_context.hpp"
#include "rules/shape/claimed.hpp"
#include "rules/shape/exact_obligation.hpp"
#include "rules/shape/obligation_words.hpp"
#include "view/inference_options.hpp"

namespace trtcheck::rules::dynamic_size_is_fixed {
namespace {

/// Conditions that are looked at closely: the proof infers the model once or twice.
constexpr int kMostSearches = 16;
/// Where the condition is not linear, sizes up to here are tried.
constexpr std::int64_t kLargestTried = 1024;
/// Differences of such numbers stay within 64 bits.
constexpr std::int64_t kLargestSide = std::int64_t{1} << 60;

/// An axis of a graph input that is a symbol of its own.
struct OpenAxis {
  ValueId input;
  std::size_t axis = 0;
  std::string_view symbol;
  bool is_told = false;
};

/// The first axis of each symbol, without those that a profile bounds.
std::vector<OpenAxis> open_axes(const RuleContext& context) {
  std::vector<OpenAxis> found;
  std::unordered_set<std::string_view> known;
  std::unordered_set<std::string_view> bounded;
  const DimTable& dims = context.dims();
  const ProfileEntries entries(context);
  for (ValueId input : context.model().graph().inputs) {
    if (context.model().value(input).initializer || !context.shape(input).has_rank) continue;
    const bool in_profile = entries.of(context.name(input)) != nullptr;
    for (std::size_t axis = 0; axis < context.shape(input).rank(); ++axis) {
      const Dim dim = context.shape(input).dims[axis];
      const auto symbols = dims.symbols(dim);
      if (symbols.size() != 1 || dims.text(dim) != symbols[0]) continue;
      if (in_profile) bounded.insert(symbols[0]);
      if (known.insert(symbols[0]).second) found.push_back({input, axis, symbols[0]});
    }
  }
  std::erase_if(found, [&](const OpenAxis& open) { return bounded.contains(open.symbol); });
  return found;
}

/// Looks for the size of one axis that meets an obligation, whatever the other symbols are.
class Solver {
 public:
  Solver(const RuleContext& context, const Obligation& obligation, const OpenAxis& axis,
         std::vector<std::string_view> symbols)
      : context_(&context), obligation_(&obligation), axis_(&axis), symbols_(std::move(symbols)) {}

  /// The root of an equation that is linear in the size; of a condition on this size alone that is not, the first two
  /// that meet it.
  [[nodiscard]] std::vector<std::int64_t> candidates() const {
    const auto root = linear_root(1);
    if (symbols_.size() > 1) return root && root == linear_root(3) ? std::vector{*root} : std::vector<std::int64_t>{};
    if (root) return {*root};
    std::vector<std::int64_t> found;
    for (std::int64_t size = 1; size <= kLargestTried && found.size() < 2; ++size) {
      if (is_met_at(size, 1)) found.push_back(size);
    }
    return found;
  }

  /// Every other size is a conflict at the same node.
  [[nodiscard]] bool excludes_all_but(std::int64_t size) const {
    return fails_within({size + 1, Interval::kMax}) && (size == 1 || fails_within({1, size - 1}));
  }

  /// The axis itself broadcasts against an extent that stands in a constant.
  [[nodiscard]] bool broadcasts_constant() const {
    return obligation_->need == Obligation::Need::one_or_equal && symbols_.size() == 1 && obligation_->b.is_literal() &&
           obligation_->b.value() > 1 && context_->dims().text(obligation_->a) == axis_->symbol && reads_constant();
  }
  /// That extent, where it and 1 are the only sizes that fit. @pre broadcasts_constant()
  [[nodiscard]] std::optional<std::int64_t> size_of_constant() const {
    const std::int64_t size = obligation_->b.value();
    const bool is_proved = fails_within({size + 1, Interval::kMax}) && (size == 2 || fails_within({2, size - 1}));
    return is_proved ? std::optional(size) : std::nullopt;
  }
  /// A node that refuses the size although the obligation is met; none: no node does.
  [[nodiscard]] NodeId refused_by(std::int64_t size) const {
    const std::span<const Conflict> before = context_->shapes().conflicts();
    const Shapes shapes = infer(context_->model(), options_with({size, size}));
    for (const Conflict& conflict : shapes.conflicts()) {
      if (conflict.node && std::ranges::find(before, conflict.node, &Conflict::node) == before.end()) {
        return conflict.node;
      }
    }
    return {};
  }

 private:
  struct Sides {
    std::int64_t a = 0;
    std::int64_t b = 0;
  };
  [[nodiscard]] std::optional<Sides> sides_at(std::int64_t size, std::int64_t others) const {
    std::vector<DimTable::Binding> bindings;
    for (const std::string_view symbol : symbols_)
      bindings.push_back({symbol, symbol == axis_->symbol ? size : others});
    const auto a = context_->dims().evaluate(obligation_->a, bindings);
    const auto b = context_->dims().evaluate(obligation_->b, bindings);
    const auto is_large = [](std::int64_t side) { return side > kLargestSide || side < -kLargestSide; };
    if (!a || !b || is_large(*a) || is_large(*b)) return std::nullopt;
    return Sides{*a, *b};
  }
  [[nodiscard]] bool is_met_at(std::int64_t size, std::int64_t others) const {
    const auto sides = sides_at(size, others);
    return sides && is_met(obligation_->need, sides->a, sides->b);
  }
  [[nodiscard]] std::optional<std::int64_t> linear_root(std::int64_t others) const {
    const auto at1 = sides_at(1, others), at2 = sides_at(2, others);
    if (!at1 || !at2) return std::nullopt;
    const std::int64_t start = at1->a - at1->b, slope = at2->a - at2->b - start;
    if (slope == 0 || start % slope != 0 || start / slope > 0) return std::nullopt;
    const std::int64_t root = 1 - start / slope;
    return is_met_at(root, others) ? std::optional(root) : std::nullopt;
  }

  /// The extent stands in a constant of the node: its target, or the other operand.
  [[nodiscard]] bool reads_constant() const {
    const auto is_it = [&](Dim dim) { return dim.same(obligation_->b); };
    return std::ranges::any_of(context_->model().node(obligation_->node).inputs, [&](ValueId input) {
      if (!input || !context_->shapes().folds_to_constant(input)) return false;
      const ValueShape& shape = context_->shape(input);
      return std::ranges::any_of(shape.dims, is_it) || (shape.is_known && std::ranges::any_of(shape.known, is_it));
    });
  }
  [[nodiscard]] bool fails_within(Interval range) const {
    const Model& model = context_->model();
    const Shapes shapes = infer(model, options_with(range));
    return std::ranges::find(shapes.conflicts(), obligation_->node, &Conflict::node) != shapes.conflicts().end();
  }
  [[nodiscard]] InferOptions options_with(Interval range) const {
    InferOptions options = inference_options(context_->model(), context_->target());
    InputRange& input = options.ranges.emplace_back(InputRange{std::string(context_->name(axis_->input)), {}});
    for (const Dim dim : context_->shape(axis_->input).dims) {
      input.dims.push_back(dim.is_literal() ? Interval{dim.value(), dim.value()} : Interval{1, Interval::kMax});
    }
    input.dims[axis_->axis] = range;
    return options;
  }

  const RuleContext* context_;
  const Obligation* obligation_;
  const OpenAxis* axis_;
  std::vector<std::string_view> symbols_;
};

/// The sizes that an axis may have, by one node, and what the others say of them.
struct Told {
  std::int64_t size = 0;
  bool takes_one = false;    ///< 1 does as well
  NodeId refused_by = {};    ///< another node refuses the size; none: no node does
  bool fits_as_one = false;  ///< all nodes take 1
};

std::string remedy(const RuleContext& context, const OpenAxis& axis, const Told& told) {
  const std::string again =
      "export again with the size read from the tensor (`torch.onnx.export(..., dynamo=True, dynamic_shapes=...)`)";
  const std::string where = fmt::format("axis {} of `{}`", axis.axis, context.name(axis.input));
  if (!told.refused_by) return fmt::format("declare the size {} for {}, or {}", told.size, where, again);
  const std::string other = fmt::format("{} `{}` refuses {}", context.model().node(told.refused_by).op_type,
                                        context.label(told.refused_by), told.size);
  if (told.fits_as_one) return fmt::format("declare the size 1 for {}: {}; or {}", where, other, again);
  return fmt::format("no size of {} fits, {}: {}", where, other, again);
}

void report(RuleContext& context, const Obligation& obligation, const OpenAxis& axis, const Told& told) {
  const std::string_view input = context.name(axis.input);
  const Node& node = context.model().node(obligation.node);
  FindingBuilder finding = context.add(
      obligation.node, fmt::format("axis {} of input `{}` is declared dynamic, but {} `{}` works for size {} only{}",
                                   axis.axis, input, node.op_type, context.label(obligation.node), told.size,
                                   told.takes_one ? ", or for 1, which is repeated" : ""));
  finding.note(fmt::format("{}: it needs {}", obligation.why, wanted(context.dims(), obligation)), obligation.node);
  if (std::string constant = constant_at(context, obligation.node); !constant.empty())
    finding.note(std::move(constant));
  finding.value(input).fix(remedy(context, axis, told));
}

/// True when the obligation was worth a closer look.
bool check_axis(RuleContext& context, const Obligation& obligation, OpenAxis& axis,
                const std::vector<std::string_view>& symbols) {
  const Solver solver(context, obligation, axis, symbols);
  const std::vector<std::int64_t> sizes = solver.candidates();
  const bool is_open = sizes.size() > 1 || (sizes.empty() && symbols.size() > 1);
  if (is_open && !solver.broadcasts_constant()) return false;
  if (rests_on_claims(context, obligation.node)) return true;
  std::optional<std::int64_t> size;
  if (sizes.size() == 1 && solver.excludes_all_but(sizes[0])) size = sizes[0];
  const bool takes_one = !size && solver.broadcasts_constant() && (size = solver.size_of_constant());
  if (!size) return true;
  axis.is_told = true;
  Told told{.size = *size, .takes_one = takes_one, .refused_by = solver.refused_by(*size)};
  told.fits_as_one = told.takes_one && told.refused_by && !solver.refused_by(1);
  report(context, obligation, axis, told);
  return true;
}

void check(RuleContext& context) {
  std::vector<OpenAxis> axes = open_axes(context);
  std::unordered_map<std::string_view, OpenAxis*> axis_of;
  for (OpenAxis& axis : axes) axis_of.emplace(axis.symbol, &axis);
  int searches = 0;
  std::size_t left = kMostLookedAt;
  for (const Obligation& obligation : context.shapes().obligations()) {
    if (!obligation.node || is_claimed(obligation.id, context.model().node(obligation.node).op_type)) continue;
    if (!always_runs(context, obligation.node)) continue;
    if (left == 0) return;
    const std::vector<std::string_view> symbols = symbols_of(context.dims(), obligation, left);
    for (const std::string_view symbol : symbols) {
      const auto axis = axis_of.find(symbol);
      if (axis == axis_of.end() || axis->second->is_told) continue;
      if (check_axis(context, obligation, *axis->second, symbols) && ++searches == kMostSearches) return;
    }
  }
}

constexpr std::string_view kEvidence[] = {
    "https://github.com/NVIDIA/TensorRT/issues/2251",
    "measured: TensorRT-RTX 1.5.0 and 1.7.1",
    "https://docs.nvidia.com/deeplearning/tensorrt/latest/inference-library/work-dynamic-shapes.html",
};
constexpr std::string_view kMessages[] = {"values for profile * violate shape constraints"};

}  // namespace

extern constinit const Rule rule{
    .code = "SHP103",
    .name = "dynamic-size-is-fixed",
    .since = "0.1.0",
    .severity = Severity::warning,
    .certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "an input size that is declared dynamic, and only one value of it fits",
    .docs = R"(## What it checks
Sizes of inputs that are declared dynamic, but of which the graph allows one value: a batch or a sequence length that the export wrote into
a shape. Told once for each size, at the first node that needs the value. So is an axis that broadcasts against a constant, as a table of
positions of length 16: it accepts 16, or 1, which is repeated. Other conditions that several values meet, or several sizes
together only, and those of branches and loop bodies that may not run are left to [profile-breaks-shape](profile-breaks-shape.md). An
input that has a profile is left to it, too.

## Why TensorRT cares
The builder computes all shapes at the optimum of the profile, and refuses a profile whose optimum is another size: `kOPT values for profile
0 violate shape constraints: ... reshape would change volume`. Another smallest or largest size builds, and fails when it runs. Exports
by tracing (`torch.onnx.export(..., dynamo=False, dynamic_axes=...)`) do this where Python code reads a size as a number;
`torch.nn.TransformerEncoder` and `torch.nn.MultiheadAttention` are known for it.

## Example
```onnx
agraph (float[length,1,64] x) => (float[12,4,16] y)
<int64[3] heads = {12,4,16}> {
  y = Reshape(x, heads)
}
```

## Instead
```onnx
agraph (float[length,1,64] x) => (float[length,4,16] y)
<int64[3] heads = {-1,4,16}> {
  y = Reshape(x, heads)
}
```

## Fix
Export again so that the size is read from the tensor: the exporter of PyTorch 2.5 and later with `dynamo=True` and `dynamic_shapes`, or
tensor operations instead of Python numbers. Where one size is all that is needed, declare it.

## Evidence
NVIDIA/TensorRT issue 2251. Measured: exports of TransformerEncoder, refused by TensorRT-RTX 1.5.0 and 1.7.1 (of the branches 11.0 and 11.4) at any
other optimum than the length that they were traced with. That no other size fits is proved here, by inferring the shapes for all smaller
and all larger ones.
)",
    .evidence = kEvidence,
    .messages = kMessages,
    .check = check,
};

}  // namespace trtcheck::rules::dynamic_size_is_fixed
