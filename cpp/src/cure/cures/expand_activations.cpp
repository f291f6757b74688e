// Activations and other elementwise operators, spelt out.
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "cure/cures/expansions.hpp"

namespace trtcheck::cure {

using Name = Writer::Name;

std::optional<DataType> float_type(Draft& draft) {
  const std::optional<DataType> type = draft.type(draft.node().input(0));
  if (type && is_float(*type)) return type;
  draft.refuse(type ? "it is spelt out for floating point numbers only" : "the element type is not known");
  return std::nullopt;
}

Name gelu(Writer& w, const Name& x, DataType type) {
  const Name half = w.draft().scalar(0.5, type, "half");
  const Name one = w.draft().scalar(1, type, "one");
  const Name root = w.draft().scalar(std::numbers::sqrt2, type, "root");
  return w.mul(half, w.mul(x, w.add(one, w.op("Erf", {w.div(x, root)}))));
}

Name tanh_gelu(Writer& w, const Name& x, DataType type) {
  Draft& draft = w.draft();
  const Name half = draft.scalar(0.5, type, "half");
  const Name one = draft.scalar(1, type, "one");
  const Name cube = w.mul(x, w.mul(x, x));
  const Name inner = w.add(x, w.mul(draft.scalar(0.044715, type, "factor"), cube));
  const Name root = draft.scalar(std::sqrt(2.0 * std::numbers::inv_pi), type, "root");
  return w.mul(half, w.mul(x, w.add(one, w.op("Tanh", {w.mul(root, inner)}))));
}

Name swish(Writer& w, const Name& x, double alpha, DataType type) {
  const Name inner = alpha == 1 ? x : w.mul(w.draft().scalar(alpha, type, "alpha"), x);
  return w.mul(x, w.op("Sigmoid", {inner}));
}

namespace {

/// One input, one output, of floating point numbers.
template <Name (*kWritten)(Writer&, const Name&, DataType)>
bool elementwise(Writer& w) {
  const std::optional<DataType> type = float_type(w.draft());
  if (!type) return false;
  w.draft().becomes(0, kWritten(w, w.draft().in(0), *type));
  return true;
}

Name gelu_node(Writer& w, const Name& x, DataType type) {
  return w.draft().text_attribute("approximate", "none") == "tanh" ? tanh_gelu(w, x, type) : gelu(w, x, type);
}

Name swish_node(Writer& w, const Name& x, DataType type) {
  return swish(w, x, w.draft().float_attribute("alpha", 1), type);
}

Name hard_swish(Writer& w, const Name& x, DataType /*type*/) {
  return w.mul(x, w.op("HardSigmoid", {x}, {{"alpha", 1.0F / 6.0F}, {"beta", 0.5F}}));
}

Name mish(Writer& w, const Name& x, DataType /*type*/) { return w.mul(x, w.op("Tanh", {w.op("Softplus", {x})})); }

Name celu(Writer& w, const Name& x, DataType type) {
  const Name alpha = w.draft().scalar(w.draft().float_attribute("alpha", 1), type, "alpha");
  return w.mul(alpha, w.op("Elu", {w.div(x, alpha)}, {{"alpha", 1.0F}}));
}

Name shrink(Writer& w, const Name& x, DataType type) {
  Draft& draft = w.draft();
  const double limit = draft.float_attribute("lambd", 0.5F);
  const Name bias = draft.scalar(draft.float_attribute("bias", 0), type, "bias");
  const Name is_low = w.op("Less", {x, draft.scalar(-limit, type, "low")});
  const Name is_high = w.op("Greater", {x, draft.scalar(limit, type, "high")});
  const Name zero = draft.scalar(0, type, "zero");
  return w.where(is_low, w.add(x, bias), w.where(is_high, w.sub(x, bias), zero));
}

/// Equal of floating point numbers comes with it.
constexpr std::int64_t kEqualOpset = 11;

Name is_inf(Writer& w, const Name& x, DataType type) {
  Draft& draft = w.draft();
  const bool is_above = draft.int_attribute("detect_positive", 1) != 0;
  const bool is_below = draft.int_attribute("detect_negative", 1) != 0;
  // FLOAT16 and BFLOAT16 keep their infinities in FLOAT.
  const Name wide = is_half(type) ? w.cast(x, DataType::float32) : x;
  const DataType compared = is_half(type) ? DataType::float32 : type;
  if (draft.opset() < kEqualOpset && (is_above || is_below)) {
    const double last = compared == DataType::float64 ? std::numeric_limits<double>::max()
                                                      : static_cast<double>(std::numeric_limits<float>::max());
    const Name magnitude = is_above && is_below ? w.op("Abs", {wide}) : wide;
    const Name limit = draft.scalar(is_above ? last : -last, compared, "limit");
    return w.op(is_above ? "Greater" : "Less", {magnitude, limit});
  }
  const Name infinity = draft.scalar(is_above ? INFINITY : -INFINITY, compared, "infinity");
  if (is_above && is_below) return w.op("Equal", {w.op("Abs", {wide}), infinity});
  if (is_above || is_below) return w.op("Equal", {wide, infinity});
  return w.op("Less", {w.op("Abs", {wide}), draft.scalar(0, compared, "zero")});
}

Name is_nan(Writer& w, const Name& x, DataType type) {
  if (w.draft().opset() >= kEqualOpset) return w.op("Not", {w.op("Equal", {x, x})});
  // Every number is below 1 or above 0.
  const Name below = w.op("Less", {x, w.draft().scalar(1, type, "one")});
  const Name above = w.op("Greater", {x, w.draft().scalar(0, type, "zero")});
  return w.op("Not", {w.op("Or", {below, above})});
}

constexpr int kWord = 32;

bool sign(Writer& w) {
  Draft& draft = w.draft();
  const std::optional<DataType> type = draft.type(draft.node().input(0));
  if (!type || (!is_float(*type) && !is_integer(*type))) return draft.refuse("the element type is not known");
  // Sub of small integers comes with opset 14.
  const bool is_small = bits_of(*type) < kWord && !is_float(*type);
  const DataType inner = is_small ? DataType::int32 : *type;
  const Name zero = draft.scalar(0, *type, "zero");
  const Name above = w.cast(w.op("Greater", {draft.in(0), zero}), inner);
  const Name below = w.cast(w.op("Less", {draft.in(0), zero}), inner);
  const Name difference = w.sub(above, below);
  draft.becomes(0, is_small ? w.cast(difference, *type) : difference);
  return true;
}

bool exclusive_or(Writer& w) {
  const Name a = w.draft().in(0);
  const Name b = w.draft().in(1);
  const Name both = w.op("And", {a, b});
  w.draft().becomes(0, w.op("And", {w.op("Or", {a, b}), w.op("Not", {both})}));
  return true;
}

bool cast_like(Writer& w) {
  Draft& draft = w.draft();
  const std::optional<DataType> type = draft.type(draft.node().input(1));
  if (!type) return draft.refuse(fmt::format("the element type of `{}` is not known", draft.in(1)));
  draft.becomes(0, w.cast(draft.in(0), *type));
  return true;
}

/// The rest of a division: of the sign of the divisor, of the dividend with `fmod`.
bool modulo(Writer& w) {
  Draft& draft = w.draft();
  const std::optional<DataType> type = draft.type(draft.node().input(0));
  if (!type || (!is_float(*type) && !is_integer(*type))) return draft.refuse("the element type is not known");
  const Name a = draft.in(0);
  const Name b = draft.in(1);
  const bool is_signed_like_dividend = draft.int_attribute("fmod", 0) != 0;
  Name quotient = w.div(a, b);
  if (is_float(*type)) {
    if (!is_signed_like_dividend) return draft.refuse("of floating point numbers ONNX knows it with `fmod` = 1 only");
    const Name zero = draft.scalar(0, *type, "zero");
    quotient = w.where(w.op("Less", {quotient, zero}), w.op("Ceil", {quotient}), w.op("Floor", {quotient}));
    draft.becomes(0, w.sub(a, w.mul(b, quotient)));
    return true;
  }
  draft.promises(CureClass::proven);
  const Name rest = w.sub(a, w.mul(b, quotient));
  if (is_signed_like_dividend) {
    draft.becomes(0, rest);
    return true;
  }
  const Name zero = draft.scalar(0, *type, "zero");
  const Name has_other_sign = w.op("Less", {w.mul(rest, b), zero});
  draft.becomes(0, w.where(has_other_sign, w.add(rest, b), rest));
  return true;
}

constexpr Expansion kExpandActivations[] = {{.op = "CastLike", .kind = CureClass::proven, .write = cast_like},
                                            {.op = "Celu", .write = elementwise<celu>},
                                            {.op = "Gelu", .write = elementwise<gelu_node>},
                                            {.op = "HardSwish", .write = elementwise<hard_swish>},
                                            {.op = "IsInf", .kind = CureClass::proven, .write = elementwise<is_inf>},
                                            {.op = "IsNaN", .kind = CureClass::proven, .write = elementwise<is_nan>},
                                            {.op = "Mish", .write = elementwise<mish>},
                                            {.op = "Mod", .write = modulo},
                                            {.op = "Shrink", .kind = CureClass::proven, .write = elementwise<shrink>},
                                            {.op = "Sign", .kind = CureClass::proven, .write = sign},
                                            {.op = "Swish", .write = elementwise<swish_node>},
                                            {.op = "Xor", .kind = CureClass::proven, .write = exclusive_or}};

}  // namespace

std::span<const Expansion> activation_expansions() noexcept { return kExpandActivations; }

}  // namespace trtcheck::cure
