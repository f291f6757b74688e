// BatchNormalization after a convolution or a Gemm: its factors go into the weights, what it adds into the bias.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/elements.hpp"
#include "cure/cures/layer_folding.hpp"
#include "cure/draft.hpp"
#include "cure/numbers.hpp"

namespace trtcheck::cure::batchnorm_folded {
namespace {

std::optional<Affine> affine_of(Draft& draft) {
  Reals parameters[4];
  for (std::size_t i = 0; i < 4; ++i) {
    const auto constant = stored(draft, draft.node().input(i + 1));
    const auto numbers = constant ? real_numbers(*constant) : std::nullopt;
    if (!numbers) {
      draft.refuse(fmt::format("`{}` is not a constant", draft.in(i + 1)));
      return std::nullopt;
    }
    parameters[i] = *numbers;
    if (parameters[i].size() != parameters[0].size()) return std::nullopt;
  }
  const double epsilon = draft.float_attribute("epsilon", 1e-5F);
  Affine made;
  for (std::size_t i = 0; i < parameters[0].size(); ++i) {
    const double factor = parameters[0][i] / std::sqrt(parameters[3][i] + epsilon);
    made.factors.push_back(factor);
    made.addends.push_back(parameters[1][i] - parameters[2][i] * factor);
  }
  if (!std::ranges::all_of(made.factors, [](double factor) { return std::isfinite(factor); })) {
    draft.refuse("a factor of BatchNormalization is not finite");
    return std::nullopt;
  }
  return made;
}

bool make(Draft& draft, const Finding& /*finding*/) {
  const std::size_t outputs = draft.node().outputs.size();
  if (outputs != 1 || draft.int_attribute("training_mode", 0) != 0) return false;
  const auto affine = affine_of(draft);
  return affine && fold_into_layer(draft, 0, *affine);
}

constexpr std::string_view kOps[] = {"BatchNormalization"};
constexpr std::string_view kFindings[] = {"QDQ207", "WGT205"};

}  // namespace

extern constinit const Cure cure{
    .name = "batchnorm-folded",
    .kind = CureClass::rounding,
    .summary = "BatchNormalization after a convolution or a Gemm goes into its weights and bias",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::batchnorm_folded
