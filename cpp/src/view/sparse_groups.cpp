#include "view/sparse_groups.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

#include "model/tensor_values.hpp"
#include "model/weight_parts.hpp"

namespace trtcheck {
namespace {

constexpr std::size_t kGroup = 4;

/// How zeros look: of the bits that `mask` leaves, they have those of `zero`.
struct Zeros {
  std::uint64_t mask = 0;
  std::uint64_t zero = 0;
};

/// Values come one after the other; a group is four rows of `inner` values, one group in each column.
template <class Bits>
class Groups {
 public:
  Groups(std::size_t inner, Zeros zeros, bool only_first)
      : inner_(inner),
        mask_(static_cast<Bits>(zeros.mask)),
        zero_(static_cast<Bits>(zeros.zero)),
        only_first_(only_first) {}

  void add(std::span<const std::byte> part) {
    const std::size_t count = part.size() / sizeof(Bits);
    for (std::size_t i = 0; i < count;) {
      if (only_first_ && found_.dense > 0) return;
      if (in_rows_ == 0 && count - i >= kGroup * inner_) {
        i += add_whole(part.data() + i * sizeof(Bits), count - i);
      } else {
        i += add_piece(part.data() + i * sizeof(Bits), count - i);
      }
    }
  }

  [[nodiscard]] const SparseGroups& found() const noexcept { return found_; }

 private:
  /// 1 or 0.
  [[nodiscard]] Bits is_set(const std::byte* bytes, std::size_t index) const {
    Bits bits{};
    std::memcpy(&bits, bytes + index * sizeof(Bits), sizeof(Bits));
    return static_cast<Bits>(static_cast<Bits>(bits & mask_) != zero_ ? 1 : 0);
  }

  [[nodiscard]] Bits is_dense(const std::byte* bytes, std::size_t column, std::size_t inner) const {
    const auto set = static_cast<Bits>(is_set(bytes, column) + is_set(bytes, column + inner) +
                                       is_set(bytes, column + 2 * inner) + is_set(bytes, column + 3 * inner));
    return static_cast<Bits>(set > 2 ? 1 : 0);
  }

  /// Those of some columns, at most as many as Bits can count.
  [[nodiscard]] Bits dense_in(const std::byte* bytes, std::size_t first, std::size_t last) const {
    Bits dense = 0;
    for (std::size_t i = first; i < last; ++i) dense = static_cast<Bits>(dense + is_dense(bytes, i, inner_));
    return dense;
  }

  /// The same of whole rows. @tparam kInner  columns; 0: inner_
  template <std::size_t kInner>
  [[nodiscard]] Bits dense_of(const std::byte* bytes, std::size_t rows) const {
    const std::size_t inner = kInner == 0 ? inner_ : kInner;
    Bits dense = 0;
    for (std::size_t row = 0; row < rows; ++row, bytes += kGroup * inner * sizeof(Bits)) {
      for (std::size_t i = 0; i < inner; ++i) dense = static_cast<Bits>(dense + is_dense(bytes, i, inner));
    }
    return dense;
  }
  /// Kernels of 1x1 and 3x3, which are most, are loops of known length.
  [[nodiscard]] Bits dense_of_rows(const std::byte* bytes, std::size_t rows) const {
    constexpr std::size_t kKernel = 9;
    return inner_ == 1         ? dense_of<1>(bytes, rows)
           : inner_ == kKernel ? dense_of<kKernel>(bytes, rows)
                               : dense_of<0>(bytes, rows);
  }

  void add_found(std::uint64_t dense, std::uint64_t groups, std::uint64_t position, auto&& is_dense_at) {
    found_.groups += groups;
    found_.dense += dense;
    if (dense == 0 || found_.first_dense) return;
    for (std::uint64_t i = 0; i < groups; ++i) {
      if (!is_dense_at(static_cast<std::size_t>(i))) continue;
      found_.first_dense = position + i / inner_ * kGroup * inner_ + i % inner_;
      return;
    }
  }

  /// Groups whose four rows are there. @returns elements
  std::size_t add_whole(const std::byte* bytes, std::size_t count) {
    constexpr std::size_t kAtOnce = 240;  // that every Bits can count
    const std::size_t of_rows = kGroup * inner_;
    if (inner_ <= kAtOnce) {
      const std::size_t rows = std::min(count / of_rows, kAtOnce / inner_);
      add_found(dense_of_rows(bytes, rows), rows * inner_, position_, [&](std::size_t i) {
        return is_dense(bytes + i / inner_ * of_rows * sizeof(Bits), i % inner_, inner_);
      });
      position_ += rows * of_rows;
      return rows * of_rows;
    }
    for (std::size_t start = 0; start < inner_; start += kAtOnce) {
      const std::size_t end = std::min(start + kAtOnce, inner_);
      add_found(dense_in(bytes, start, end), end - start, position_ + start,
                [&](std::size_t i) { return is_dense(bytes, start + i, inner_); });
    }
    position_ += of_rows;
    return of_rows;
  }

  /// A piece of one row: what it adds to the groups of its columns is kept until the fourth. @returns elements
  std::size_t add_piece(const std::byte* bytes, std::size_t count) {
    if (set_.empty()) set_.resize(inner_);
    const std::size_t column = in_rows_ % inner_;
    const std::size_t run = std::min(count, inner_ - column);
    if (in_rows_ < inner_) std::fill_n(set_.begin() + static_cast<std::ptrdiff_t>(column), run, std::uint8_t{0});
    for (std::size_t i = 0; i < run; ++i) {
      set_[column + i] = static_cast<std::uint8_t>(set_[column + i] + is_set(bytes, i));
    }
    in_rows_ += run;
    position_ += run;
    if (in_rows_ == kGroup * inner_) {
      const auto dense_at = [&](std::size_t i) { return set_[i] > 2; };
      const auto dense = static_cast<std::uint64_t>(std::ranges::count_if(set_, [](auto set) { return set > 2; }));
      add_found(dense, inner_, position_ - in_rows_, dense_at);
      in_rows_ = 0;
    }
    return run;
  }

  SparseGroups found_;
  std::size_t inner_;
  Bits mask_;
  Bits zero_;
  bool only_first_;                ///< nobody asks for more than whether there is a dense one
  std::vector<std::uint8_t> set_;  ///< of rows that parts split: values other than zero in each column
  std::size_t in_rows_ = 0;        ///< elements of the group that are there
  std::uint64_t position_ = 0;     ///< of the next element
};

std::size_t inner_of(const Tensor& tensor, std::size_t axis) {
  std::size_t inner = 1;
  for (const std::int64_t dim : tensor.dims.subspan(axis + 1)) inner *= static_cast<std::size_t>(dim);
  return inner;
}

/// @param for_parts  calls for each part; false: they cannot be read
template <class Bits>
std::optional<SparseGroups> look(const Tensor& tensor, std::size_t axis, Zeros zeros, auto&& for_parts) {
  Groups<Bits> groups(inner_of(tensor, axis), zeros, false);
  std::vector<std::size_t> axes;
  std::vector<Groups<Bits>> others;
  for (std::size_t other = 0; other < tensor.dims.size(); ++other) {
    if (other == axis || tensor.dims[other] % static_cast<std::int64_t>(kGroup) != 0) continue;
    axes.push_back(other);
    others.emplace_back(inner_of(tensor, other), zeros, true);
  }
  std::uint64_t elements = 0;
  const bool is_read = for_parts([&](std::span<const std::byte> part) {
    elements += part.size() / sizeof(Bits);
    groups.add(part);
    for (Groups<Bits>& other : others) other.add(part);
  });
  if (!is_read) return std::nullopt;
  SparseGroups found = groups.found();
  found.elements = elements;
  for (std::size_t i = 0; found.dense > 0 && i < axes.size(); ++i) {
    if (others[i].found().dense > 0) continue;
    found.other_axis = axes[i];
    break;
  }
  return found;
}

constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kDoubleMagnitude = kAll >> 1U;

/// Nothing: of no type that is looked at. FLOAT8...FNUZ have no -0.0: these bits are NaN.
std::optional<Zeros> zeros_of(DataType type, std::int64_t zero) {
  switch (type) {
    case DataType::float64:
      return Zeros{.mask = kDoubleMagnitude};
    case DataType::float32:
      return Zeros{.mask = 0x7fffffffU};
    case DataType::float16:
    case DataType::bfloat16:
      return Zeros{.mask = 0x7fffU};
    case DataType::float8e4m3fn:
    case DataType::float8e5m2:
      return Zeros{.mask = 0x7fU};
    case DataType::float8e4m3fnuz:
    case DataType::float8e5m2fnuz:
      return Zeros{.mask = 0xffU};
    case DataType::int8:
    case DataType::uint8:
      return Zeros{.mask = 0xffU, .zero = static_cast<std::uint8_t>(zero)};
    default:
      return std::nullopt;
  }
}

}  // namespace

bool has_sparse_groups(DataType type) noexcept { return zeros_of(type, 0).has_value(); }

std::optional<SparseGroups> sparse_groups(const Model& model, const Tensor& tensor, std::size_t axis,
                                          std::int64_t zero) {
  const std::optional<Zeros> zeros = zeros_of(tensor.type, zero);
  if (!zeros || !tensor.element_count()) return std::nullopt;
  if (tensor.data == Tensor::Data::typed) {
    auto values = decode_floats(model, tensor, kMostElements);
    if (!values) return std::nullopt;
    const bool is_code = tensor.type == DataType::int8 || tensor.type == DataType::uint8;
    for (double& value : *values) value -= is_code ? static_cast<double>(zero) : 0;
    return look<std::uint64_t>(tensor, axis, {.mask = kDoubleMagnitude}, [&](const OnPart& on_part) {
      on_part(std::as_bytes(std::span(*values)));
      return true;
    });
  }
  const auto parts = [&](const OnPart& on_part) { return each_part(model, tensor, on_part); };
  switch (bits_of(tensor.type)) {
    case 8:
      return look<std::uint8_t>(tensor, axis, *zeros, parts);
    case 16:
      return look<std::uint16_t>(tensor, axis, *zeros, parts);
    case 32:
      return look<std::uint32_t>(tensor, axis, *zeros, parts);
    default:
      return look<std::uint64_t>(tensor, axis, *zeros, parts);
  }
}

}  // namespace trtcheck
