#include "view/weight_range.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "model/small_floats.hpp"
#include "model/tensor_values.hpp"
#include "model/weight_parts.hpp"

namespace trtcheck {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();

// Magnitudes of floats compare as their bits do. Signed numbers, for which the compiler has vector instructions.
struct Float {
  using Bits = std::uint32_t;
  using Order = std::int32_t;
  static Order order(Bits bits) { return static_cast<Order>(bits & 0x7fffffffU); }
  static float value(Order order) {
    const float value = std::bit_cast<float>(order);
    return std::isfinite(value) ? value : kInfinite;
  }
};
struct Half {
  using Bits = std::uint16_t;
  using Order = std::int16_t;
  static Order order(Bits bits) { return static_cast<Order>(bits & 0x7fffU); }
  static float value(Order order) {
    constexpr Order kInfinity = 0x7c00;
    if (order >= kInfinity) return kInfinite;
    return static_cast<float>(small_float(DataType::float16)->decode(static_cast<std::uint64_t>(order)));
  }
};
struct Code {
  using Bits = std::int8_t;
  using Order = std::int16_t;
  static Order order(Bits bits) { return static_cast<Order>(bits < 0 ? -bits : bits); }
  static float value(Order order) { return order; }
};

/// Elements come one after the other, the slices of the axis in turns of `inner` elements.
template <class Element>
class Maxima {
 public:
  Maxima(std::size_t slices, std::size_t inner) : found_(slices), inner_(inner) {}

  void take(std::span<const std::byte> part) {
    const std::size_t count = part.size() / sizeof(typename Element::Bits);
    for (std::size_t i = 0; i < count;) {
      const std::size_t in_slice = at_ % inner_;
      const std::size_t slice = at_ / inner_ % found_.size();
      const std::size_t run =
          inner_ == 1 ? std::min(count - i, found_.size() - slice) : std::min(count - i, inner_ - in_slice);
      if (inner_ == 1) {
        for (std::size_t k = 0; k < run; ++k) found_[slice + k] = std::max(found_[slice + k], order(part, i + k));
      } else {
        typename Element::Order largest = found_[slice];
        for (std::size_t k = 0; k < run; ++k) largest = std::max(largest, order(part, i + k));
        found_[slice] = largest;
      }
      i += run;
      at_ += run;
    }
  }

  [[nodiscard]] std::vector<float> values() const {
    std::vector<float> values;
    values.reserve(found_.size());
    for (const typename Element::Order order : found_) values.push_back(Element::value(order));
    return values;
  }

 private:
  static typename Element::Order order(std::span<const std::byte> part, std::size_t index) {
    typename Element::Bits bits{};
    std::memcpy(&bits, part.data() + index * sizeof(bits), sizeof(bits));
    return Element::order(bits);
  }

  std::vector<typename Element::Order> found_;
  std::size_t inner_;
  std::size_t at_ = 0;  ///< of the next element
};

template <class Element>
std::optional<std::vector<float>> largest_of(const Model& model, const Tensor& tensor, std::size_t slices,
                                             std::size_t inner) {
  Maxima<Element> maxima(slices, inner);
  if (!each_part(model, tensor, [&](std::span<const std::byte> part) { maxima.take(part); })) return std::nullopt;
  return maxima.values();
}

std::optional<std::vector<float>> largest_of_typed(const Model& model, const Tensor& tensor, std::size_t slices,
                                                   std::size_t inner) {
  const auto values = decode_floats(model, tensor, kMostElements);
  if (!values) return std::nullopt;
  std::vector<float> found(slices);
  for (std::size_t i = 0; i < values->size(); ++i) {
    const double value = (*values)[i];
    float& largest = found[i / inner % slices];
    largest = std::max(largest, std::isfinite(value) ? static_cast<float>(std::fabs(value)) : kInfinite);
  }
  return found;
}

}  // namespace

std::optional<std::vector<float>> largest_along(const Model& model, const Tensor& tensor, std::size_t axis) {
  const auto count = tensor.element_count();
  if (!count || *count <= 0) return std::nullopt;
  const auto slices = static_cast<std::size_t>(tensor.dims[axis]);
  std::size_t inner = 1;
  for (const std::int64_t dim : tensor.dims.subspan(axis + 1)) inner *= static_cast<std::size_t>(dim);
  const bool is_typed = tensor.data == Tensor::Data::typed;
  switch (tensor.type) {
    case DataType::float32:
      return is_typed ? largest_of_typed(model, tensor, slices, inner)
                      : largest_of<Float>(model, tensor, slices, inner);
    case DataType::float16:
      return is_typed ? largest_of_typed(model, tensor, slices, inner) : largest_of<Half>(model, tensor, slices, inner);
    case DataType::int8:
      return is_typed ? largest_of_typed(model, tensor, slices, inner) : largest_of<Code>(model, tensor, slices, inner);
    default:
      return std::nullopt;
  }
}

}  // namespace trtcheck
