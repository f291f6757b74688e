// Inputs that are lists of numbers (shapes, axes, bounds, counts): with one axis, as TensorRT reads them.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure {
namespace index_inputs_listed {
namespace {

/// The inputs of the operator that are such lists.
std::pair<std::size_t, std::size_t> lists_of(std::string_view op) {
  if (op == "Slice") return {1, 5};
  if (op == "Resize") return {3, 4};
  if (op == "ConstantOfShape") return {0, 1};
  return {1, 2};
}

edit::TensorValue as_list(const Constant& constant) {
  const auto size = static_cast<std::int64_t>(constant.bytes.size());
  const std::int64_t bits = std::max(1, bits_of(constant.type));
  return {.type = constant.type,
          .dims = {size * 8 / bits},
          .bytes = std::string(reinterpret_cast<const char*>(constant.bytes.data()), constant.bytes.size())};
}

bool make_list(Draft& draft, const Finding& /*finding*/) {
  const auto [first, last] = lists_of(draft.node().op_type);
  std::vector<std::string> names;
  for (std::size_t i = first; i < std::min(last, draft.node().inputs.size()); ++i) {
    const ValueId input = draft.node().input(i);
    if (!input || draft.rank(input).value_or(1) == 1) continue;
    names.push_back(fmt::format("`{}`", draft.in(i)));
    if (const auto constant = draft.contents(input)) {
      draft.set_input(i, draft.constant(as_list(*constant), "list"));
    } else {
      draft.set_input(i, draft.op("Reshape", {draft.in(i), draft.ints_constant({-1}, "shape")}));
    }
  }
  draft.title(fmt::format("write {} as a list of numbers, with one axis", fmt::join(names, ", ")));
  return !names.empty();
}

/// Axes that ONNX assumes: the first ones.
bool make_axes(Draft& draft, const Finding& /*finding*/) {
  const auto sizes = draft.sizes(draft.node().input(1));
  const auto type = draft.type(draft.node().input(1));
  if (!sizes || sizes->size() != 1 || draft.node().input(3) || draft.node().inputs.size() < 3) return false;
  std::vector<std::int64_t> axes;
  for (std::int64_t axis = 0; axis < sizes->front(); ++axis) axes.push_back(axis);
  const std::string name = draft.ints_constant(axes, "axes");
  draft.set_input(3, type == DataType::int32 ? draft.op("Cast", {name}, {{"to", std::int64_t{6}}}) : name);
  draft.title(fmt::format("write the axes that ONNX assumes: [{}]", fmt::join(axes, ", ")));
  return true;
}

constexpr std::string_view kListFindings[] = {
    "OPS401:constantofshape-rank",     "OPS401:expand-shape-rank",   "OPS401:pad-pads-rank",
    "OPS401:reshape-shape-cut-volume", "OPS401:reshape-shape-rank",  "OPS401:resize-sizes-rank",
    "OPS401:slice-axes-rank",          "OPS401:slice-bounds-rank",   "OPS401:squeeze-axes-rank",
    "OPS401:tile-computed-rank",       "OPS401:unsqueeze-axes-rank", "OPS411:reshape-shape-cut"};
constexpr std::string_view kAxesFindings[] = {"OPS401:slice-starts-without-axes", "OPS411:slice-starts-without-axes"};

}  // namespace

extern constinit const Cure cure{
    .name = "index-inputs-listed",
    .kind = CureClass::proven,
    .summary = "shapes, axes and bounds that are no lists of one axis become lists",
    .findings = kListFindings,
    .make = make_list,
};

}  // namespace index_inputs_listed

namespace slice_axes_written {

extern constinit const Cure cure{
    .name = "slice-axes-written",
    .kind = CureClass::proven,
    .summary = "the axes of Slice that ONNX assumes are written",
    .findings = index_inputs_listed::kAxesFindings,
    .make = index_inputs_listed::make_axes,
};

}  // namespace slice_axes_written
}  // namespace trtcheck::cure
