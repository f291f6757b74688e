// Elements of constant tensors, of the model's file and of files beside it (external_files.hpp). Never reads more than
// asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <trtcheck/model.hpp>

namespace trtcheck {

/// Nobody may ask for the values of a tensor with more elements: those are weights, which are not read.
inline constexpr std::int64_t kMostElements = 65'536;

/// Elements as int64, in row-major order, of a dense tensor with an integer or boolean type. Nothing when there are
/// more than `limit` elements, the type is another one, the data is sparse, missing, not fetched or in a file that
/// cannot be read, does not have the size that dims demand, or a uint64 leaves int64.
std::optional<std::vector<std::int64_t>> decode_ints(const Model& model, const Tensor& tensor, std::int64_t limit);

/// The same as double: every numeric type but the complex ones; integers beyond 2^53 are rounded.
std::optional<std::vector<double>> decode_floats(const Model& model, const Tensor& tensor, std::int64_t limit);

/// Elements of a STRING tensor, as views into the file.
std::optional<std::vector<std::string_view>> decode_strings(const Model& model, const Tensor& tensor,
                                                            std::int64_t limit);

/// What the typed fields of a tensor hold: elements as the tensor's type counts them (two INT4 share one number of
/// int32_data, a complex number is two floats). Nothing for strings, unknown types and malformed data, and for
/// integers that were not fetched.
std::optional<std::uint64_t> typed_element_count(const Model& model, const Tensor& tensor);

}  // namespace trtcheck
