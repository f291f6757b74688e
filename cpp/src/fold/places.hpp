// Which element comes from where: all that operators do that move data, repeat it, or meet tensors of different dims.
#pragma once

#include <cstddef>
#include <vector>

#include "fold/call.hpp"

namespace trtcheck::fold {

/// An index into the elements of a tensor, in row-major order; for each element of another one.
using Places = std::vector<std::size_t>;
inline constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

/// Elements between neighbours along each axis.
[[nodiscard]] Places strides_of(const Dims& dims);

/// For each element of a tensor of dims `out`: the sum of index times stride, from `start` on.
[[nodiscard]] Places strided(const Call& call, const Dims& out, const Places& strides, std::size_t start = 0);

/// For each axis of a tensor which of its indices are wanted, in order. kNowhere: none.
using Picks = std::vector<Places>;
/// All of each axis.
[[nodiscard]] Picks all_of(const Call& call, const Dims& dims);
/// Where the wanted elements are; kNowhere where any axis says so.
[[nodiscard]] Places picked(const Call& call, const Dims& dims, const Picks& picks);
[[nodiscard]] Dims picked_dims(const Picks& picks);

/// The elements of `from` at these places; `otherwise` (an array of one element, or nothing for 0) where nowhere.
[[nodiscard]] Array take(const Call& call, const Array& from, const Places& places, Dims dims,
                         const Array* otherwise = nullptr);
[[nodiscard]] Array take(const Call& call, const Array& from, const Picks& picks, const Array* otherwise = nullptr);

/// Of numpy's broadcasting: the dims of the result, and where each of its elements comes from.
[[nodiscard]] Dims broadcast(const Dims& a, const Dims& b);
/// @throws Unfolded  `from` cannot be broadcast to `to`
[[nodiscard]] Places broadcast_places(const Call& call, const Dims& from, const Dims& to);

/// For each element of a tensor in which place of the tensor without (or with 1 for) these axes it ends.
[[nodiscard]] Places reduced_places(const Call& call, const Dims& dims, const std::vector<std::size_t>& axes);
/// Those dims with 1 for each of the axes.
[[nodiscard]] Dims reduced_dims(Dims dims, const std::vector<std::size_t>& axes);

}  // namespace trtcheck::fold
