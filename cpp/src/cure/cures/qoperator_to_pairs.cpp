// QLinearConv and its like: DequantizeLinear, the operator in FLOAT, QuantizeLinear.
#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/quantizers.hpp"
#include "cure/draft.hpp"
#include "cure/numbers.hpp"

namespace trtcheck::cure::qoperator_to_pairs {
namespace {

using Attributes = Draft::Attributes;

std::int64_t scale_count(Draft& draft, std::size_t scale) {
  const auto sizes = draft.sizes(draft.node().input(scale));
  if (!sizes) return -1;
  std::int64_t count = 1;
  for (const std::int64_t size : *sizes) count *= size;
  return count;
}

/// The operand whose codes are input `data`; scale and zero point follow it.
std::string dequantized(Draft& draft, std::size_t data, std::optional<std::int64_t> axis = std::nullopt) {
  Draft::Inputs inputs{draft.in(data), draft.in(data + 1)};
  if (draft.node().input(data + 2)) inputs.push_back(draft.in(data + 2));
  Attributes attributes;
  if (axis && scale_count(draft, data + 1) != 1) attributes.push_back({"axis", *axis});
  return draft.op("DequantizeLinear", std::move(inputs), std::move(attributes));
}

void quantized(Draft& draft, const std::string& value, std::size_t scale) {
  Draft::Inputs inputs{value, draft.in(scale)};
  if (draft.node().input(scale + 1)) inputs.push_back(draft.in(scale + 1));
  draft.op_to({draft.out(0)}, "QuantizeLinear", std::move(inputs));
}

/// INT32 codes of a bias times the scales of data and weights.
std::optional<Constant> bias_of(Draft& draft, ValueId bias, std::size_t data_scale, std::size_t weight_scale,
                                double factor) {
  const auto codes = draft.contents(bias);
  const auto numbers = codes ? whole_numbers(*codes) : std::nullopt;
  const auto x = draft.contents(draft.node().input(data_scale));
  const auto w = draft.contents(draft.node().input(weight_scale));
  const auto xs = x ? real_numbers(*x) : std::nullopt;
  const auto ws = w ? real_numbers(*w) : std::nullopt;
  if (!numbers || !xs || !ws || xs->size() != 1 || (ws->size() != 1 && ws->size() != numbers->size())) {
    return std::nullopt;
  }
  std::vector<double> made;
  for (std::size_t i = 0; i < numbers->size(); ++i) {
    const double scale = xs->front() * ws->at(ws->size() == 1 ? 0 : i) * factor;
    made.push_back(static_cast<double>((*numbers)[i]) * scale);
  }
  return constant_of(DataType::float32, codes->dims, made);
}

bool per_axis_is_known(Draft& draft, std::size_t scale) {
  constexpr std::int64_t kHasAxis = 13;
  const std::int64_t count = scale_count(draft, scale);
  return count == 1 || (count > 1 && draft.opset() >= kHasAxis);
}

bool convolution(Draft& draft) {
  constexpr std::size_t kBias = 8;
  if (!per_axis_is_known(draft, 4)) return draft.refuse("scales for each channel need opset 13");
  Draft::Inputs inputs;
  std::optional<Constant> bias;
  if (draft.node().input(kBias)) {
    bias = bias_of(draft, draft.node().input(kBias), 1, 4, 1);
    if (!bias) return draft.refuse("bias and scales are not constant");
  }
  inputs.push_back(dequantized(draft, 0));
  inputs.push_back(dequantized(draft, 3, 0));
  if (bias) inputs.push_back(draft.constant(*bias, "bias"));
  const std::string made = draft.fresh(draft.out(0) + "/Conv");
  like_node(draft, "Conv", std::move(inputs), {made});
  quantized(draft, made, 6);
  return true;
}

bool product(Draft& draft) {
  if (scale_count(draft, 1) != 1) return draft.refuse("the data have several scales");
  if (!per_axis_is_known(draft, 4)) return draft.refuse("scales for each column need opset 13");
  const auto rank = draft.rank(draft.node().input(3));
  if (scale_count(draft, 4) != 1 && rank != 2) return draft.refuse("several scales of weights that are no matrix");
  const std::string a = dequantized(draft, 0);
  const std::string b = dequantized(draft, 3, 1);
  quantized(draft, draft.op("MatMul", {a, b}), 6);
  return true;
}

bool gemm(Draft& draft) {
  if (scale_count(draft, 1) != 1 || !per_axis_is_known(draft, 4)) return draft.refuse("the scales are not known");
  const float alpha = draft.float_attribute("alpha", 1);
  const std::int64_t transpose = draft.int_attribute("transB", 0);
  std::optional<Constant> bias;
  if (draft.node().input(6)) {
    bias = bias_of(draft, draft.node().input(6), 1, 4, static_cast<double>(alpha));
    if (!bias) return draft.refuse("bias and scales are not constant");
  }
  Draft::Inputs inputs{dequantized(draft, 0), dequantized(draft, 3, transpose != 0 ? 0 : 1)};
  if (bias) inputs.push_back(draft.constant(*bias, "bias"));
  Attributes attributes{{"alpha", alpha}, {"transA", draft.int_attribute("transA", 0)}, {"transB", transpose}};
  if (!draft.node().input(7)) {
    draft.op_to({draft.out(0)}, "Gemm", std::move(inputs), std::move(attributes));
  } else {
    quantized(draft, draft.op("Gemm", std::move(inputs), std::move(attributes)), 7);
  }
  return true;
}

bool binary(Draft& draft, std::string_view op) {
  const std::string a = dequantized(draft, 0);
  const std::string b = dequantized(draft, 3);
  quantized(draft, draft.op(op, {a, b}), 6);
  return true;
}

bool unary(Draft& draft, std::string_view op, Attributes attributes) {
  if (draft.int_attribute("channels_last", 0) != 0) return draft.refuse("the channels are last");
  quantized(draft, draft.op(op, {dequantized(draft, 0)}, std::move(attributes)), 3);
  return true;
}

/// Its attributes are those of AveragePool, but for the place of the channels.
bool average_pool(Draft& draft) {
  Attributes attributes;
  for (const std::string_view name : {"kernel_shape", "strides", "pads"}) {
    if (const auto given = draft.ints_attribute(name)) attributes.push_back({std::string(name), *given});
  }
  for (const std::string_view name : {"ceil_mode", "count_include_pad"}) {
    if (draft.node().attribute(name) != nullptr)
      attributes.push_back({std::string(name), draft.int_attribute(name, 0)});
  }
  if (draft.node().attribute("auto_pad") != nullptr) {
    attributes.push_back({"auto_pad", draft.text_attribute("auto_pad", "NOTSET")});
  }
  return unary(draft, "AveragePool", std::move(attributes));
}

bool softmax(Draft& draft) {
  constexpr std::int64_t kOneAxis = 13;
  if (draft.int_attribute("opset", kOneAxis) < kOneAxis || draft.opset() < kOneAxis) {
    return draft.refuse("before opset 13 Softmax was over several axes");
  }
  return unary(draft, "Softmax", {{"axis", draft.int_attribute("axis", -1)}});
}

bool concat(Draft& draft) {
  Draft::Inputs inputs;
  for (std::size_t i = 2; i + 1 < draft.node().inputs.size(); i += 3) {
    inputs.push_back(dequantized(draft, i));
  }
  quantized(draft, draft.op("Concat", std::move(inputs), {{"axis", draft.int_attribute("axis", 0)}}), 0);
  return true;
}

bool write(Draft& draft, std::string_view op) {
  if (op == "QLinearConv") return convolution(draft);
  if (op == "QLinearMatMul") return product(draft);
  if (op == "QGemm") return gemm(draft);
  if (op == "QLinearAdd") return binary(draft, "Add");
  if (op == "QLinearMul") return binary(draft, "Mul");
  if (op == "QLinearSigmoid") return unary(draft, "Sigmoid", {});
  if (op == "QLinearGlobalAveragePool") return unary(draft, "GlobalAveragePool", {});
  if (op == "QLinearAveragePool") return average_pool(draft);
  if (op == "QLinearLeakyRelu") {
    constexpr float kSlope = 0.01F;
    return unary(draft, "LeakyRelu", {{"alpha", draft.float_attribute("alpha", kSlope)}});
  }
  if (op == "QLinearSoftmax") return softmax(draft);
  return op == "QLinearConcat" && concat(draft);
}

bool make(Draft& draft, const Finding&) {
  constexpr std::int64_t kHasPairs = 10;
  if (draft.opset() < kHasPairs) return draft.refuse("opset 10 brought QuantizeLinear");
  const std::string op(draft.node().op_type);
  if (!write(draft, op)) return false;
  draft.remove();
  if (op == "QLinearConv") drop_stored(draft, draft.node().input(8));
  if (op == "QGemm") drop_stored(draft, draft.node().input(6));
  draft.title(fmt::format("{} as {} between DequantizeLinear and QuantizeLinear", op,
                          op == "QLinearMatMul" ? "MatMul" : op.substr(op.starts_with("QLinear") ? 7 : 1)));
  return true;
}

constexpr std::string_view kFindings[] = {"OPS101", "OPS102", "OPS103"};
constexpr std::string_view kOps[] = {"QGemm",       "QLinearAveragePool",       "QLinearAdd",       "QLinearConcat",
                                     "QLinearConv", "QLinearGlobalAveragePool", "QLinearLeakyRelu", "QLinearMatMul",
                                     "QLinearMul",  "QLinearSigmoid",           "QLinearSoftmax"};

}  // namespace

extern constinit const Cure cure{
    .name = "qoperator-to-pairs",
    .kind = CureClass::rounding,
    .summary =
        "QLinearConv, QLinearMatMul, QLinearAdd ... become the operator between DequantizeLinear and QuantizeLinear",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::qoperator_to_pairs
