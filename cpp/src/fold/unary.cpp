// One tensor, element by element. Functions of real numbers are computed in double and rounded once, to the type of the
// input: sqrt, and whatever IEEE 754 defines, is so what it would be in that type.
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

#include "fold/arithmetic.hpp"
#include "fold/families.hpp"

namespace trtcheck::fold {
namespace {

template <class F>
Outputs each(const Call& call, DataType type, F f) {
  return in_domain(call.in(0).type, [&](auto zero) {
    auto values = numbers<decltype(zero)>(call.in(0));
    for (auto& value : values) value = f(value);
    return one(array_of(type, call.in(0).dims, values));
  });
}

using Real = double (*)(double);

template <Real F>
Outputs real(const Call& call) {
  const Array& x = call.in(0);
  if (!is_real(x.type)) throw Unfolded{"it is not computed for " + to_string(x.type)};
  std::vector<double> values = numbers<double>(x);
  for (double& value : values) value = F(value);
  return one(array_of(x.type, x.dims, values));
}

double reciprocal(double x) { return 1 / x; }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }
double softsign(double x) { return x / (1 + std::fabs(x)); }
double hard_swish(double x) { return x * std::fmax(0, std::fmin(1, x / 6 + 0.5)); }
double mish(double x) { return x * std::tanh(softplus(x)); }
double nearest_even(double x) { return std::nearbyint(x); }

/// A function with two parameters, attributes of the node.
using Shaped = double (*)(double x, double alpha, double beta);

Outputs shaped(const Call& call, Shaped f, float alpha, float beta, const char* first = "alpha",
               const char* second = "beta") {
  const Array& x = call.in(0);
  if (!is_real(x.type)) throw Unfolded{"it is not computed for " + to_string(x.type)};
  const double a = call.real(first, alpha);
  const double b = call.real(second, beta);
  std::vector<double> values = numbers<double>(x);
  for (double& value : values) value = f(value, a, b);
  return one(array_of(x.type, x.dims, values));
}

Outputs leaky_relu(const Call& call) {
  return shaped(
      call, [](double x, double a, double) { return x < 0 ? a * x : x; }, 0.01F, 0);
}
Outputs elu(const Call& call) {
  return shaped(
      call, [](double x, double a, double) { return x < 0 ? a * std::expm1(x) : x; }, 1, 0);
}
Outputs celu(const Call& call) {
  const Shaped f = [](double x, double a, double) { return x < 0 ? a * std::expm1(x / a) : x; };
  return shaped(call, f, 1, 0);
}
Outputs selu(const Call& call) {
  const Shaped f = [](double x, double a, double gamma) { return gamma * (x > 0 ? x : a * std::expm1(x)); };
  const bool is_old = call.opset < 6;
  return shaped(call, f, is_old ? 1.6732F : 1.67326319217681884765625F, is_old ? 1.0507F : 1.05070102214813232421875F,
                "alpha", "gamma");
}
Outputs hard_sigmoid(const Call& call) {
  const Shaped f = [](double x, double a, double b) {
    return std::isnan(x) ? x : std::fmax(0, std::fmin(1, a * x + b));
  };
  return shaped(call, f, 0.2F, 0.5F);
}
Outputs thresholded_relu(const Call& call) {
  return shaped(
      call, [](double x, double a, double) { return x > a ? x : 0; }, 1, 0);
}
Outputs swish(const Call& call) {
  return shaped(
      call, [](double x, double a, double) { return x * sigmoid(a * x); }, 1, 0);
}
Outputs shrink(const Call& call) {
  const Shaped f = [](double x, double lambda, double bias) {
    return x < -lambda ? x + bias : (x > lambda ? x - bias : 0);
  };
  return shaped(call, f, 0.5F, 0, "lambd", "bias");
}

double gelu_exact(double x) { return 0.5 * x * std::erfc(-x / std::numbers::sqrt2); }
double gelu_tanh(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}
Outputs gelu(const Call& call) {
  const std::string_view form = call.text("approximate", "none");
  if (form == "none") return real<gelu_exact>(call);
  if (form == "tanh") return real<gelu_tanh>(call);
  throw Unfolded{"attribute `approximate` is not one that ONNX defines"};
}

Outputs absolute(const Call& call) {
  return each(call, call.in(0).type, [](auto x) {
    if constexpr (std::is_floating_point_v<decltype(x)>)
      return std::fabs(x);
    else
      return x < 0 ? subtracted<decltype(x)>(0, x) : x;
  });
}
Outputs negative(const Call& call) {
  return each(call, call.in(0).type, [](auto x) {
    if constexpr (std::is_floating_point_v<decltype(x)>)
      return -x;
    else
      return subtracted<decltype(x)>(0, x);
  });
}
Outputs sign(const Call& call) {
  return each(call, call.in(0).type, [](auto x) {
    if (is_nan(x)) throw Unfolded{"ONNX does not define the sign of NaN"};
    return static_cast<decltype(x)>((x > 0 ? 1 : 0) - (x < 0 ? 1 : 0));
  });
}
Outputs relu(const Call& call) {
  return each(call, call.in(0).type, [](auto x) { return x < 0 ? decltype(x){0} : x; });
}
Outputs bitwise_not(const Call& call) {
  return each(call, call.in(0).type, [](auto x) {
    if constexpr (std::is_floating_point_v<decltype(x)>)
      return x;
    else
      return static_cast<decltype(x)>(~x);
  });
}
Outputs logical_not(const Call& call) {
  return each(call, call.in(0).type, [](auto x) { return static_cast<decltype(x)>(x == 0); });
}

template <class F>
Outputs question(const Call& call, F f) {
  std::vector<std::int64_t> answers;
  for (const double x : numbers<double>(call.in(0))) answers.push_back(f(x) ? 1 : 0);
  return one(array_of(DataType::boolean, call.in(0).dims, answers));
}
Outputs asks_nan(const Call& call) {
  return question(call, [](double x) { return std::isnan(x); });
}
Outputs asks_infinity(const Call& call) {
  const bool negatives = call.integer("detect_negative", 1) != 0;
  const bool positives = call.integer("detect_positive", 1) != 0;
  return question(call, [=](double x) { return std::isinf(x) && (x < 0 ? negatives : positives); });
}

Outputs clip(const Call& call) {
  const Array& x = call.in(0);
  return in_domain(x.type, [&](auto zero) {
    using T = decltype(zero);
    std::optional<T> low;
    std::optional<T> high;
    if (call.opset < 11) {
      // Real types only at those opsets.
      low = static_cast<T>(call.real("min", std::numeric_limits<float>::lowest()));
      high = static_cast<T>(call.real("max", std::numeric_limits<float>::max()));
    }
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
      if (call.maybe(i) == nullptr) continue;
      const std::vector<T> bound = numbers<T>(call.in(i));
      if (bound.size() != 1) throw Unfolded{"a bound is not one number"};
      (i == 1 ? low : high) = bound.front();
    }
    std::vector<T> values = numbers<T>(x);
    for (T& value : values) {
      if (low) value = larger(value, *low);
      if (high) value = smaller(value, *high);
    }
    return one(array_of(x.type, x.dims, values));
  });
}

constexpr Row kUnaryRows[] = {
    {"Abs", absolute},
    {"Acos", real<std::acos>},
    {"Acosh", real<std::acosh>},
    {"Asin", real<std::asin>},
    {"Asinh", real<std::asinh>},
    {"Atan", real<std::atan>},
    {"Atanh", real<std::atanh>},
    {"BitwiseNot", bitwise_not},
    {"Ceil", real<std::ceil>},
    {"Celu", celu},
    {"Clip", clip},
    {"Cos", real<std::cos>},
    {"Cosh", real<std::cosh>},
    {"Elu", elu},
    {"Erf", real<std::erf>},
    {"Exp", real<std::exp>},
    {"Floor", real<std::floor>},
    {"Gelu", gelu},
    {"HardSigmoid", hard_sigmoid},
    {"HardSwish", real<hard_swish>},
    {"IsInf", asks_infinity},
    {"IsNaN", asks_nan},
    {"LeakyRelu", leaky_relu},
    {"Log", real<std::log>},
    {"Mish", real<mish>},
    {"Neg", negative},
    {"Not", logical_not},
    {"Reciprocal", real<reciprocal>},
    {"Relu", relu},
    {"Round", real<nearest_even>},
    {"Selu", selu},
    {"Shrink", shrink},
    {"Sigmoid", real<sigmoid>},
    {"Sign", sign},
    {"Sin", real<std::sin>},
    {"Sinh", real<std::sinh>},
    {"Softplus", real<softplus>},
    {"Softsign", real<softsign>},
    {"Sqrt", real<std::sqrt>},
    {"Swish", swish},
    {"Tan", real<std::tan>},
    {"Tanh", real<std::tanh>},
    {"ThresholdedRelu", thresholded_relu},
};

}  // namespace

std::span<const Row> unary_rows() noexcept { return kUnaryRows; }

}  // namespace trtcheck::fold
