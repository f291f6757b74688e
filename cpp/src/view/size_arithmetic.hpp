// How a size is computed: what TensorRT computes data with, and sizes not.
#pragma once

#include <trtcheck/model.hpp>

#include "view/node_view.hpp"

namespace trtcheck {

struct SizeArithmetic {
  bool has_matrix_where = false;  ///< a Where of rank 2 and more
  bool has_half = false;          ///< a size that varies in FLOAT16 or BFLOAT16, computed with or a multiple of another
  bool has_half_cast = false;     ///< a size that varies is cast to FLOAT16 or BFLOAT16
  bool is_claimed = false;        ///< a size on the way is what the file declares and nobody computed
};

/// @param size  an operand whose elements are sizes; looks back as far as a Shape or a Size
[[nodiscard]] SizeArithmetic size_arithmetic(const ModelView& view, ValueId size);

}  // namespace trtcheck
