// An operator that the target lacks, or lacks in this form: other operators in its place, as ONNX defines it.
#include <algorithm>
#include <array>
#include <variant>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/expansions.hpp"

namespace trtcheck::cure::standard_function {
namespace {

const Expansion* expansion_of(std::string_view op) {
  const std::array tables = {activation_expansions(), normalization_expansions(), attention_expansions(),
                             loss_expansions(),       index_expansions(),         grid_expansions(),
                             signal_expansions()};
  for (const std::span<const Expansion> table : tables) {
    const auto found = std::ranges::find(table, op, &Expansion::op);
    if (found != table.end()) return &*found;
  }
  return nullptr;
}

std::string_view why_never(std::string_view op) {
  if (op == "Bernoulli") return "it draws random numbers, and no other operator draws the same ones";
  if (op == "Unique" || op == "StringSplit" || op == "TfIdfVectorizer") {
    return "the size of its output follows from the data";
  }
  if (op == "Det") return "a determinant needs an elimination, which no operator of TensorRT does";
  return {};
}

bool make(Draft& draft, const Finding& /*finding*/) {
  if (!draft.node().domain().empty()) return false;
  const std::string_view op = draft.node().op_type;
  const Expansion* expansion = expansion_of(op);
  if (expansion == nullptr) {
    const std::string_view reason = why_never(op);
    return !reason.empty() && draft.refuse(std::string(reason));
  }
  if (draft.opset() == 0) return false;
  Writer w(draft);
  draft.promises(expansion->kind);
  if (!expansion->write(w)) return false;
  for (const edit::Edit& edit : draft.edits()) {
    const auto* inserted = std::get_if<edit::InsertNode>(&edit);
    if (inserted == nullptr || draft.may_use(inserted->node.op_type)) continue;
    if (inserted->node.op_type != op && expansion_of(inserted->node.op_type) != nullptr) continue;
    return draft.refuse(fmt::format("it is made of `{}`, which is not there either", inserted->node.op_type));
  }
  draft.title(fmt::format("write `{}` as the operators that ONNX defines it by", op));
  draft.remove();
  return true;
}

constexpr std::string_view kFindings[] = {"OPS101",
                                          "OPS112",
                                          "OPS401:attention-head-groups",
                                          "OPS401:attention-mask-causal",
                                          "OPS401:attention-mask-precision",
                                          "OPS401:attention-mask-type",
                                          "OPS401:attention-no-kernel",
                                          "OPS401:attention-no-past-key",
                                          "OPS401:attention-no-past-value",
                                          "OPS401:attention-no-present-key",
                                          "OPS401:attention-no-present-value",
                                          "OPS401:attention-no-qk-output",
                                          "OPS401:attention-no-softcap",
                                          "OPS401:attention-no-softmax-precision",
                                          "OPS414:attention-no-kernel-documented",
                                          "OPS401:celu-float-only",
                                          "OPS401:celu-half",
                                          "OPS401:eyelike-open",
                                          "OPS401:group-normalization-one-element",
                                          "OPS401:groupnorm-min-rank",
                                          "OPS411:groupnorm-per-channel",
                                          "OPS401:hardmax-dynamic-size",
                                          "OPS401:hardmax-open-sizes",
                                          "OPS401:instancenorm-bias-initializer",
                                          "OPS401:instancenorm-one-element",
                                          "OPS401:instancenorm-rank",
                                          "OPS401:instancenorm-scale-initializer",
                                          "OPS401:isinf-one-sided-bfloat16",
                                          "OPS401:isinf-one-sided-half",
                                          "OPS401:layernorm-one-output",
                                          "OPS401:mod-fmod",
                                          "OPS401:mvn-epsilon-half",
                                          "OPS401:mvn-half",
                                          "OPS401:onehot-computed-depth",
                                          "OPS401:rotaryembedding-cache-unknown",
                                          "OPS401:rotaryembedding-one-is-open",
                                          "OPS401:rotaryembedding-sequence",
                                          "OPS401:sign-no-integers",
                                          "OPS401:window-fp32-output",
                                          "OPS401:trilu-rank",
                                          "OPS401:window-scalar-size"};

}  // namespace

extern constinit const Cure cure{
    .name = "standard-function",
    .kind = CureClass::rounding,
    .summary = "an operator that the target lacks is written as the operators that ONNX defines it by",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::standard_function
