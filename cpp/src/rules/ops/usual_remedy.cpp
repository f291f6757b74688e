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

// Tried, with TensorRT-RTX 1.7.1 where it has not the operator either: tests/python/test_remedies.py.
constexpr Step kSteps[] = {
    {"AffineGrid",
     "compute the grid in the module: `(base @ theta.transpose(1, 2)).view(n, h, w, 2)`, with the points (x, "
     "y, 1) of the output as a stored `base` of the shape [h*w, 3]"},
    {"Attention", "export with `opset_version=22` or lower, where PyTorch writes it as MatMul and Softmax"},
    {"BitCast", "keep the data in the type that is computed with: TensorRT does not read the bits of one as another"},
    {"BitShift", "write it as arithmetic: `x * 2**k` for a shift to the left, `x // 2**k` for one to the right"},
    {"BitwiseAnd", "use BOOL tensors and `torch.logical_and`; for the lowest bits of an integer `x % 2**k`"},
    {"BitwiseNot", "use BOOL tensors and `torch.logical_not`; for an integer `-x - 1`"},
    {"BitwiseOr", "use BOOL tensors and `torch.logical_or`; for integers without common bits `x + y`"},
    {"BitwiseXor", "use BOOL tensors and `torch.logical_xor`"},
    {"BlackmanWindow", "compute the window once and store it: `self.register_buffer(\"window\", window)`"},
    {"Col2Im",
     "write `torch.nn.functional.fold` as `conv_transpose2d` of the columns, as [n, c*kh*kw, h, w], with a "
     "constant kernel of zeros and ones"},
    {"Compress",
     "write `x[mask]` as `x.index_select(0, torch.nonzero(mask)[:, 0])`, or keep the shape: "
     "`torch.where(mask, x, 0)`"},
    {"CumProd", "for positive data: `torch.exp(torch.cumsum(torch.log(x), dim))`"},
    {"Det",
     "write `torch.linalg.det` of 2x2 matrices as `a[..., 0, 0] * a[..., 1, 1] - a[..., 0, 1] * a[..., 1, "
     "0]`, of 3x3 by its first row in the same way; compute larger ones outside of the network"},
    {"Einsum", "write `torch.einsum` as `torch.matmul` with `permute` and `reshape`"},
    {"Gelu", "export with `opset_version=19` or lower, where PyTorch writes it as Erf or Tanh and Mul"},
    {"GridSample",
     "sample outside of the network; where the grid never changes, store positions and weights of the four "
     "neighbours and gather them: `x.flatten(2)[:, :, positions]`"},
    {"GroupNormalization", "export with `dynamo=False`, which writes it as InstanceNormalization"},
    {"HammingWindow", "compute the window once and store it: `self.register_buffer(\"window\", window)`"},
    {"HannWindow", "compute the window once and store it: `self.register_buffer(\"window\", window)`"},
    {"HardSwish", "write it as `x * torch.nn.functional.relu6(x + 3) / 6`"},
    {"Hardmax", "write it as `torch.where(torch.arange(x.shape[-1]) == x.argmax(-1, keepdim=True), 1.0, 0.0)`"},
    {"ImageDecoder", "decode before the network and give it the pixels"},
    {"IsInf", "write it as `x.abs() == float(\"inf\")`"},
    {"IsNaN", "write it as `~(x == x)`"},
    {"LayerNormalization",
     "export with `opset_version=16, dynamo=False` (or lower), where PyTorch writes it as ReduceMean, Sub, "
     "Pow, Sqrt and Div"},
    {"MaxRoiPool", "use `torchvision.ops.roi_align`"},
    {"MaxUnpool",
     "use `torch.nn.functional.interpolate(x, scale_factor=2)` or ConvTranspose2d, and MaxPool2d without "
     "`return_indices`; the weights after it have to be trained again"},
    {"MelWeightMatrix", "compute the matrix once and store it: `self.register_buffer(\"mel\", matrix)`"},
    {"Mish", "write it as `x * torch.tanh(torch.nn.functional.softplus(x))`"},
    {"Mod", "write it as `a - b * torch.floor(a / b)`, for integers in floating point"},
    {"Multinomial",
     "sample with noise: `torch.argmax(logits - torch.log(-torch.log(torch.rand_like(logits))), -1)`, or "
     "sample outside of the network"},
    {"NonMaxSuppression", "return boxes and scores and call `torchvision.ops.nms` on the outputs of the engine"},
    {"NonZero",
     "return the mask (`x > 0`) and select outside of the network, or take a fixed number: `scores.topk(k)`; "
     "how many elements are selected follows from data"},
    {"OneHot", "write it as `(x.unsqueeze(-1) == torch.arange(classes)).to(torch.float32)`"},
    {"RMSNormalization",
     "export with `opset_version=22` or lower, where PyTorch writes it as Mul, ReduceMean and Sqrt"},
    {"RandomNormal", "make the noise an input of the network"},
    {"RandomNormalLike", "make the noise an input of the network"},
    {"RegexFullMatch", "handle text before the network and give it numbers"},
    {"Shrink", "write it as `torch.where(x.abs() > lambd, x, 0)`, less the bias"},
    {"Sign", "write it as `(x > 0).to(x.dtype) - (x < 0).to(x.dtype)`"},
    {"StringConcat", "handle text before the network and give it numbers"},
    {"StringNormalizer", "handle text before the network and give it numbers"},
    {"StringSplit", "handle text before the network and give it numbers"},
    {"Swish", "write it as `x * torch.sigmoid(x)`"},
    {"TfIdfVectorizer", "handle text before the network and give it numbers"},
    {"Trilu",
     "store the mask and select with it: `self.register_buffer(\"mask\", torch.ones(n, n).tril().bool())`, "
     "`torch.where(self.mask, x, 0)`"},
    {"Unique",
     "remove `torch.unique` from the module: give the network the result as an input, or return what it is "
     "applied to and call it on the output"},
    {"Xor", "write it as `(a | b) & ~(a & b)`"},
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
