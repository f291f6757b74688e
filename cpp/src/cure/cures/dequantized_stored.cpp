// What DequantizeLinear makes of constants, where TensorRT does not accept these: stored as it comes out, or quantized
// from it (8.x).
#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/quantizers.hpp"
#include "cure/draft.hpp"
#include "cure/numbers.hpp"

namespace trtcheck::cure::dequantized_stored {
namespace {

/// Releases before 9.0 read stored weights as FLOAT behind QuantizeLinear.
bool quantize_from_stored(Draft& draft, const Constant& numbers) {
  const Node& node = draft.node();
  if (draft.type(node.input(0)) != DataType::int8 || !node.input(2)) return false;
  const std::string source = draft.constant(numbers, "dequantized");
  Draft::Inputs inputs{source, draft.in(1), draft.in(2)};
  draft.set_input(0, draft.fresh(draft.in(0) + "/codes"));
  const std::string codes = std::get<edit::SetInput>(draft.edits().back()).name;
  Draft::Attributes attributes;
  if (node.attribute("axis") != nullptr) attributes.push_back({"axis", draft.int_attribute("axis", 1)});
  draft.op_to({codes}, "QuantizeLinear", std::move(inputs), std::move(attributes));
  drop_stored(draft, node.input(0));
  draft.title(fmt::format("store `{}` as FLOAT and quantize it in the model", draft.in(0)));
  return true;
}

/// What made the codes and is read by nobody else.
void remove_quantizer(Draft& draft) {
  const ValueId codes = draft.node().input(0);
  const NodeId before = producer(draft, codes);
  const Value& value = draft.model().value(codes);
  if (!value.is_output && value.users.size() == 1 && is_onnx_op(draft, before, "QuantizeLinear")) {
    draft.remove_node(before);
  }
}

/// Weights of a layer, which may be more than what is computed elsewhere.
std::optional<Constant> dequantized(Draft& draft) {
  const Node& node = draft.node();
  const auto codes = stored(draft, node.input(0));
  const auto scale = draft.contents(node.input(1));
  const auto zeros = zero_points(draft, draft.id());
  if (!codes || !scale || !zeros || scale->type != DataType::float32) return std::nullopt;
  const auto spread = spread_of(node, codes->dims, *scale);
  const auto numbers = whole_numbers(*codes);
  const auto scales = real_numbers(*scale);
  if (!spread || !numbers || !scales || static_cast<std::int64_t>(zeros->size()) != spread->count) return std::nullopt;
  std::vector<double> made(numbers->size());
  for (std::size_t i = 0; i < made.size(); ++i) {
    const std::size_t at = spread->at(i);
    made[i] = static_cast<float>((*numbers)[i] - (*zeros)[at]) * static_cast<float>((*scales)[at]);
  }
  return constant_of(DataType::float32, codes->dims, made);
}

bool make(Draft& draft, const Finding& finding) {
  const ValueId output = draft.node().output(0);
  auto numbers = draft.contents(output);
  if (!numbers) numbers = dequantized(draft);
  if (!numbers) return draft.model().constant(draft.node().input(0)) && draft.refuse(draft.why_unknown(output));
  if (finding.fact == "dq-stored-codes-8" && draft.rank(output).value_or(0) > 0) {
    if (quantize_from_stored(draft, *numbers)) return true;
  }
  draft.title(fmt::format("store `{}` as {}", draft.out(0), to_string(numbers->type)));
  remove_quantizer(draft);
  store_output(draft, draft.id(), *numbers);
  for (const ValueId input : draft.node().inputs) drop_stored(draft, input);
  return true;
}

constexpr std::string_view kFindings[] = {"MDL312",
                                          "QDQ101",
                                          "QDQ102",
                                          "QDQ108",
                                          "QDQ109",
                                          "OPS401:dq-float-codes",
                                          "OPS401:dq-scalar-constant",
                                          "OPS401:dq-scalar-data",
                                          "OPS401:dq-stored-codes-8"};
constexpr std::string_view kOps[] = {"DequantizeLinear"};

}  // namespace

extern constinit const Cure cure{
    .name = "dequantized-stored",
    .kind = CureClass::proven,
    .summary = "a constant after DequantizeLinear that TensorRT does not accept is stored dequantized",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::dequantized_stored
