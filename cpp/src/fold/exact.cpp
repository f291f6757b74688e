#include "fold/exact.hpp"

#include <algorithm>
#include <iterator>

#include "fold/array.hpp"

namespace trtcheck::fold {
namespace {

/// For real numbers; sorted.
constexpr std::string_view kExact[] = {
    "Abs",          "Add",         "ArgMax",
    "ArgMin",       "Cast",        "CastLike",
    "Ceil",         "Clip",        "Compress",
    "Concat",       "Constant",    "ConstantOfShape",
    "DepthToSpace", "Div",         "Equal",
    "Expand",       "EyeLike",     "Flatten",
    "Floor",        "Gather",      "GatherElements",
    "GatherND",     "Greater",     "GreaterOrEqual",
    "Identity",     "IsInf",       "IsNaN",
    "Less",         "LessOrEqual", "Max",
    "Min",          "Mul",         "Neg",
    "NonZero",      "OneHot",      "Pad",
    "ReduceMax",    "ReduceMin",   "Relu",
    "Reshape",      "Round",       "Shape",
    "Sign",         "Size",        "Slice",
    "SpaceToDepth", "Split",       "Sqrt",
    "Squeeze",      "Sub",         "Tile",
    "TopK",         "Transpose",   "Trilu",
    "Unsqueeze",    "Where",
};
static_assert(std::ranges::is_sorted(kExact));

}  // namespace

bool is_exact(std::string_view op, DataType type) noexcept {
  return !is_real(type) || std::ranges::binary_search(kExact, op);
}

}  // namespace trtcheck::fold
