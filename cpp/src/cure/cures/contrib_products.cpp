// Products and convolutions with what ONNX Runtime fused into them, and its forms of Gelu.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "cure/cures/contrib.hpp"

namespace trtcheck::cure {
namespace {

using Name = Writer::Name;

struct Activation {
  std::string name;
  std::vector<float> params;
};

/// "": not one of those that ONNX Runtime fuses.
Name activated(Writer& w, const Name& x, const Activation& activation) {
  const auto param = [&](std::size_t i, float otherwise) {
    return i < activation.params.size() ? activation.params[i] : otherwise;
  };
  if (activation.name == "Relu" || activation.name == "Tanh" || activation.name == "Sigmoid") {
    return w.op(activation.name, {x});
  }
  if (activation.name == "LeakyRelu") return w.op("LeakyRelu", {x}, {{"alpha", param(0, 0.01F)}});
  if (activation.name == "HardSigmoid") {
    return w.op("HardSigmoid", {x}, {{"alpha", param(0, 0.2F)}, {"beta", param(1, 0.5F)}});
  }
  if (activation.name == "Clip" && activation.params.size() == 2) {
    constexpr std::int64_t kBoundsAsInputs = 11;
    if (w.draft().opset() < kBoundsAsInputs) return w.op("Clip", {x}, {{"min", param(0, 0)}, {"max", param(1, 0)}});
    const DataType type = w.draft().type(w.draft().node().input(0)).value_or(DataType::float32);
    return w.op("Clip", {x, w.draft().scalar(param(0, 0), type, "min"), w.draft().scalar(param(1, 0), type, "max")});
  }
  return {};
}

/// The node itself stays, as a standard one with one output of a new name.
Name stays_as(Writer& w, std::string_view op, std::size_t inputs) {
  Draft& draft = w.draft();
  draft.set_operator(op);
  if (draft.node().inputs.size() > inputs) {
    Draft::Inputs kept;
    for (std::size_t i = 0; i < inputs; ++i) kept.push_back(draft.in(i));
    while (!kept.empty() && kept.back().empty()) kept.pop_back();
    draft.add(edit::SetInputs{draft.place(), std::move(kept)});
  }
  Name product = draft.fresh(fmt::format("{}/{}", draft.out(0), op));
  draft.set_output(0, product);
  draft.after();
  return product;
}

bool with_activation(Writer& w, Name product, const Activation& activation) {
  const Name y = activated(w, product, activation);
  if (y.empty()) return w.draft().refuse(fmt::format("the fused activation `{}` is not known", activation.name));
  w.draft().becomes(0, y);
  return true;
}

std::vector<float> floats_of(const Draft& draft, std::string_view name) {
  const Attribute* given = draft.node().attribute(name);
  if (given == nullptr || given->type != AttributeType::floats) return {};
  return {given->floats().begin(), given->floats().end()};
}

bool fused_conv(Writer& w) {
  Draft& draft = w.draft();
  const Activation activation{draft.text_attribute("activation", ""), floats_of(draft, "activation_params")};
  const Name added = draft.node().input(3) ? draft.in(3) : Name();
  draft.drop_attribute("activation");
  draft.drop_attribute("activation_params");
  if (added.empty() && activation.name.empty()) {
    draft.set_operator("Conv");
    return true;
  }
  Name y = stays_as(w, "Conv", 3);
  if (!added.empty()) y = w.add(y, added);
  if (activation.name.empty()) {
    draft.becomes(0, y);
    return true;
  }
  return with_activation(w, y, activation);
}

bool fused_gemm(Writer& w) {
  Draft& draft = w.draft();
  Activation activation{draft.text_attribute("activation", ""), {}};
  for (const std::string_view name : {"activation_alpha", "activation_beta", "activation_gamma"}) {
    if (draft.node().attribute(name) != nullptr) activation.params.push_back(draft.float_attribute(name, 0));
    draft.drop_attribute(name);
  }
  draft.drop_attribute("activation");
  if (activation.name.empty()) {
    draft.set_operator("Gemm");
    return true;
  }
  return with_activation(w, stays_as(w, "Gemm", 3), activation);
}

std::optional<Name> operand(Writer& w, std::size_t index, bool is_transposed, bool is_turned) {
  Draft& draft = w.draft();
  if (!is_transposed && !is_turned) return draft.in(index);
  const std::optional<std::size_t> rank = draft.rank(draft.node().input(index));
  if (!rank) {
    draft.refuse(fmt::format("the rank of `{}` is not known", draft.in(index)));
    return std::nullopt;
  }
  if (*rank < 2) return draft.in(index);
  Writer::Ints perm(*rank);
  std::iota(perm.begin(), perm.end(), 0);
  // transBatch: the first axis goes behind the batch axes, before that of columns.
  if (is_turned) std::rotate(perm.begin(), perm.begin() + 1, perm.end() - 1);
  if (is_transposed) std::swap(perm[*rank - 1], perm[*rank - 2]);
  return w.transpose(draft.in(index), perm);
}

bool fused_matmul(Writer& w) {
  Draft& draft = w.draft();
  const auto is_set = [&](std::string_view name) { return draft.int_attribute(name, 0) != 0; };
  const std::optional<Name> a = operand(w, 0, is_set("transA"), is_set("transBatchA"));
  const std::optional<Name> b = operand(w, 1, is_set("transB"), is_set("transBatchB"));
  if (!a || !b) return false;
  Name y = w.matmul(*a, *b);
  if (const float alpha = draft.float_attribute("alpha", 1); alpha != 1) {
    const std::optional<DataType> type = float_type(draft);
    if (!type) return false;
    y = w.mul(y, draft.scalar(alpha, *type, "alpha"));
  }
  draft.becomes(0, y);
  draft.remove();
  return true;
}

bool gelu_form(Writer& w, bool is_by_tanh) {
  Draft& draft = w.draft();
  const std::optional<DataType> type = float_type(draft);
  if (!type) return false;
  const Name x = draft.node().input(1) ? w.add(draft.in(0), draft.in(1)) : draft.in(0);
  draft.becomes(0, is_by_tanh ? tanh_gelu(w, x, *type) : gelu(w, x, *type));
  draft.remove();
  return true;
}

bool exact_gelu(Writer& w) { return gelu_form(w, false); }
bool fast_gelu(Writer& w) { return gelu_form(w, true); }

bool quick_gelu(Writer& w) {
  Draft& draft = w.draft();
  const std::optional<DataType> type = float_type(draft);
  if (!type) return false;
  draft.becomes(0, swish(w, draft.in(0), draft.float_attribute("alpha", 1.702F), *type));
  draft.remove();
  return true;
}

bool bias_add(Writer& w) {
  w.draft().becomes(0, w.add(w.add(w.draft().in(0), w.draft().in(1)), w.draft().in(2)));
  w.draft().remove();
  return true;
}

constexpr Expansion kContribProducts[] = {{.op = "BiasAdd", .write = bias_add},
                                          {.op = "BiasGelu", .write = exact_gelu},
                                          {.op = "FastGelu", .write = fast_gelu},
                                          {.op = "FusedConv", .write = fused_conv},
                                          {.op = "FusedGemm", .write = fused_gemm},
                                          {.op = "FusedMatMul", .write = fused_matmul},
                                          {.op = "Gelu", .write = exact_gelu},
                                          {.op = "QuickGelu", .write = quick_gelu},
                                          {.op = "TransposeMatMul", .write = fused_matmul}};

}  // namespace

std::span<const Expansion> contrib_products() noexcept { return kContribProducts; }

}  // namespace trtcheck::cure
