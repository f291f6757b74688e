// Groups of four stored values along an axis: in how many at least two are zero. Looks at every element, part by part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <trtcheck/model.hpp>

namespace trtcheck {

struct SparseGroups {
  std::uint64_t groups = 0;
  std::uint64_t dense = 0;                   ///< of three or four values that are not zero
  std::optional<std::uint64_t> first_dense;  ///< position of its first value in the tensor
  std::optional<std::size_t> other_axis;     ///< the first other axis whose groups are all sparse, if these are not
  std::uint64_t elements = 0;                ///< looked at
};

/// Whether `sparse_groups` knows the zeros of the type.
[[nodiscard]] bool has_sparse_groups(DataType type) noexcept;

/// Nothing: another type, data that cannot be read, or more than kMostElements numbers that are not stored as raw
/// bytes.
/// @param zero  the code that stands for 0, of integers; -0.0 is a zero of floats
/// @pre  axis < tensor.dims.size(), and the size of that axis is a multiple of 4
[[nodiscard]] std::optional<SparseGroups> sparse_groups(const Model& model, const Tensor& tensor, std::size_t axis,
                                                        std::int64_t zero = 0);

}  // namespace trtcheck
