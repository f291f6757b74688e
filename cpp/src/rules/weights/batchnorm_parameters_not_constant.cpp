#include <fmt/core.h>

#include "rules/rule_context.hpp"
#include "rules/weights/batchnorm_words.hpp"
#include "text/plural.hpp"
#include "view/parser_view.hpp"

namespace trtcheck::rules::batchnorm_parameters_not_constant {
namespace {

void check(RuleContext& context) {
  const NormView view = norm_view(context.view(), context.node());
  if (view.all_constant) return;
  const ParserView& parser = context.view().parser;
  for (std::size_t i = 0; i < view.parameters.size(); ++i) {
    const ValueId value = view.parameters[i];
    if (!value || parser.is_constant(value) == Truth::yes) continue;
    const Node* producer = context.producer(value);
    context
        .add(fmt::format(
            "{} `{}` is no initializer but {}: TensorRT computes BatchNormalization with elementwise layers",
            kNormParameters[i], context.name(value),
            producer != nullptr ? "the output of " + with_article(producer->op_type)
                                : std::string("an input of the graph")))
        .value(context.name(value))
        .reason(producer != nullptr ? fmt::format("parameters made by {}", producer->op_type)
                                    : std::string("parameters that are inputs"))
        .note("elementwise layers are not fused into the convolution before")
        .fix(context.shapes().folds_to_constant(value)
                 ? "store the four parameters as initializers (fold constants), or fold the node into the convolution "
                   "before"
                 : "leave it when the parameters are meant to vary, the result is right; else store them as "
                   "initializers");
    return;
  }
}

constexpr std::string_view kOps[] = {"BatchNormalization"};
constexpr std::string_view kEvidence[] = {"onnx-tensorrt onnxOpImporters.cpp batchnormFallback, 10.1"};

}  // namespace

extern constinit const Rule rule{
    .code = "WGT205",
    .name = "batchnorm-parameters-not-constant",
    .since = "0.1.0",
    .severity = Severity::info,
    .certainty = Certainty::proven,
    .rtx_certainty = Certainty::likely,
    .fix = Applicability::display,
    .summary = "a parameter of BatchNormalization is not stored as a constant",
    .docs = R"(## What it checks
Scale, bias, mean and variance should be initializers or outputs of Constant nodes. An Identity or Cast in between is enough to hide them.

## Why TensorRT cares
The parser then writes the node as elementwise layers instead of one scale layer. That works, but is not fused into the convolution before.

## Example
```onnx
agraph (float[1,2,4,4] x) => (float[1,2,4,4] y)
<float[2] s0 = {1,1}, float[2] b = {0,0}, float[2] m = {0,0}, float[2] v = {1,1}> {
  s = Identity(s0)
  y = BatchNormalization(x, s, b, m, v)
}
```

## Instead
```onnx
agraph (float[1,2,4,4] x) => (float[1,2,4,4] y)
<float[2] s = {1,1}, float[2] b = {0,0}, float[2] m = {0,0}, float[2] v = {1,1}> {
  y = BatchNormalization(x, s, b, m, v)
}
```

## Fix
Store the parameters as initializers (fold constants before the conversion), or fold the node into the convolution before. Where
they are computed from an input, as in conditional normalization, leave the node as it is.

## Evidence
Parser source, 8.6 to 11.0.
)",
    .evidence = kEvidence,
    .ops = kOps,
    .check = check,
};

}  // namespace trtcheck::rules::batchnorm_parameters_not_constant
