#include "rules/ops/usual_remedy.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/core.h>

#include "schema/kinds.hpp"

namespace trtcheck::rules {
namespace {

struct Step {
  std::string_view op;
  std::string_view text;
};

// Tried with TensorRT-RTX 1.7.1 where the step leaves a network: tests/python/test_remedies.py.
constexpr Step kSteps[] = {
    {"AffineGrid",
     "compute the grid in the module: `(base @ theta.transpose(1, 2)).view(n, h, w, 2)`, with the points "
     "(x, y, 1) of the output as a stored `base` of the shape [h*w, 3]"},
    {"BitCast", "keep the data in the type that is computed with: TensorRT does not read the bits of one as another"},
    {"BitShift", "write it as arithmetic: `x * 2**k` for a shift to the left, `x // 2**k` for one to the right"},
    {"BitwiseAnd", "use BOOL tensors and `torch.logical_and`; for the lowest bits of an integer `x % 2**k`"},
    {"BitwiseNot", "use BOOL tensors and `torch.logical_not`; for an integer `-x - 1`"},
    {"BitwiseOr", "use BOOL tensors and `torch.logical_or`; for integers without common bits `x + y`"},
    {"BitwiseXor", "use BOOL tensors and `torch.logical_xor`"},
    {"Col2Im",
     "write `torch.nn.functional.fold` as `conv_transpose2d` of the columns, as [n, c*kh*kw, h, w], with a "
     "constant kernel of zeros and ones"},
    {"Compress",
     "write `x[mask]` as `x.index_select(0, torch.nonzero(mask)[:, 0])`, or keep the shape: "
     "`torch.where(mask, x, 0)`"},
    {"CumProd", "for positive data: `torch.exp(torch.cumsum(torch.log(x), dim))`"},
    {"Det",
     "write `torch.linalg.det` of 2x2 matrices as `a[..., 0, 0] * a[..., 1, 1] - a[..., 0, 1] * a[..., 1, 0]`, "
     "of 3x3 by its first row in the same way; compute larger ones outside of the network"},
    {"ImageDecoder", "decode before the network and give it the pixels"},
    {"MaxRoiPool", "use `torchvision.ops.roi_align`"},
    {"MaxUnpool",
     "use `torch.nn.functional.interpolate(x, scale_factor=2)` or ConvTranspose2d, and MaxPool2d without "
     "`return_indices`; the weights after it have to be trained again"},
    {"MelWeightMatrix", "compute the matrix once and store it: `self.register_buffer(\"mel\", matrix)`"},
    {"Multinomial",
     "sample with noise: `torch.argmax(logits - torch.log(-torch.log(torch.rand_like(logits))), -1)`, or "
     "sample outside of the network"},
    {"RegexFullMatch", "handle text before the network and give it numbers"},
    {"StringConcat", "handle text before the network and give it numbers"},
    {"StringNormalizer", "handle text before the network and give it numbers"},
    {"StringSplit", "handle text before the network and give it numbers"},
    {"TfIdfVectorizer", "handle text before the network and give it numbers"},
    {"Unique",
     "remove `torch.unique` from the module: give the network the result as an input, or return what it "
     "is applied to and call it on the output"},
};

static_assert(std::ranges::is_sorted(kSteps, {}, &Step::op));

/// Lists and values that may be missing, which TensorRT has none of.
bool is_of_sequences(std::string_view op) {
  return op.find("Sequence") != std::string_view::npos || op.starts_with("Optional");
}

}  // namespace

std::optional<std::string> usual_remedy(std::string_view op_type) {
  const auto* const step = std::ranges::lower_bound(kSteps, op_type, {}, &Step::op);
  if (step != std::end(kSteps) && step->op == op_type) return std::string(step->text);
  if (is_a(op_type, kinds::loss)) return "export the module without its loss, which is for training only";
  if (is_a(op_type, kinds::defined_by_supported)) {
    return fmt::format(
        "write it as other operators, by its definition in ONNX: `model = "
        "onnx.inliner.inline_selected_functions(model, "
        "[(\"\", \"{}\")], inline_schema_functions=True)`",
        op_type);
  }
  if (is_of_sequences(op_type)) {
    return "write the module without lists of tensors: `torch.stack` or `torch.cat` of a fixed number of them, "
           "`torch.split` and `torch.chunk` with fixed sizes into as many names; `torch.onnx.export(..., dynamo=True)` "
           "unrolls Python lists of fixed length";
  }
  return std::nullopt;
}

}  // namespace trtcheck::rules
