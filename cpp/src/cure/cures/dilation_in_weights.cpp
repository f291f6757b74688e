// ConvTranspose with strides and dilations: zeros between the weights are the dilation.
#include <cstring>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/elements.hpp"
#include "cure/draft.hpp"
#include "fold/array.hpp"

namespace trtcheck::cure::dilation_in_weights {
namespace {

/// The kernels spread out along the spatial axes.
std::optional<Constant> spread(const Constant& weights, const std::vector<std::int64_t>& dilations) {
  const std::size_t width = fold::width_of(weights.type);
  if (width == 0 || weights.dims.size() != dilations.size() + 2) return std::nullopt;
  Constant made{weights.type, weights.dims, {}};
  std::int64_t elements = weights.dims[0] * weights.dims[1];
  std::int64_t spread_elements = elements;
  for (std::size_t i = 0; i < dilations.size(); ++i) {
    const std::int64_t size = weights.dims[i + 2];
    made.dims[i + 2] = (size - 1) * dilations[i] + 1;
    elements *= size;
    spread_elements *= made.dims[i + 2];
  }
  constexpr std::int64_t kMost = std::int64_t{1} << 28;
  if (elements <= 0 || spread_elements > kMost) return std::nullopt;
  if (weights.bytes.size() != static_cast<std::size_t>(elements) * width) return std::nullopt;
  made.bytes.resize(static_cast<std::size_t>(spread_elements) * width);
  for (std::int64_t from = 0; from < elements; ++from) {
    std::int64_t rest = from;
    std::int64_t to = 0;
    std::int64_t stride = 1;
    for (std::size_t axis = weights.dims.size(); axis-- > 0;) {
      const std::int64_t at = rest % weights.dims[axis];
      rest /= weights.dims[axis];
      to += at * (axis < 2 ? 1 : dilations[axis - 2]) * stride;
      stride *= made.dims[axis];
    }
    std::memcpy(made.bytes.data() + static_cast<std::size_t>(to) * width,
                weights.bytes.data() + static_cast<std::size_t>(from) * width, width);
  }
  return made;
}

bool make(Draft& draft, const Finding&) {
  const auto dilations = draft.ints_attribute("dilations");
  if (!dilations) return false;
  const auto weights = stored(draft, draft.node().input(1));
  if (!weights) return draft.refuse(fmt::format("`{}` is not a constant", draft.in(1)));
  const auto made = spread(*weights, *dilations);
  if (!made) return draft.refuse(fmt::format("`{}` cannot be spread out", draft.in(1)));
  draft.set_input(1, draft.constant(*made, "spread"));
  drop_stored(draft, draft.node().input(1));
  draft.drop_attribute("dilations");
  if (draft.node().attribute("kernel_shape") != nullptr) {
    draft.set_attribute("kernel_shape", std::vector<std::int64_t>(made->dims.begin() + 2, made->dims.end()));
  }
  draft.title("put zeros between the weights in place of `dilations`");
  return true;
}

constexpr std::string_view kFindings[] = {"OPS401:conv-transpose-strided-dilated"};
constexpr std::string_view kOps[] = {"ConvTranspose"};

}  // namespace

extern constinit const Cure cure{
    .name = "dilation-in-weights",
    .kind = CureClass::rounding,
    .summary = "zeros between the weights of a ConvTranspose take the place of its dilations",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::dilation_in_weights
