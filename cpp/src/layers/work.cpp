#include "layers/work.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "schema/kinds.hpp"
#include "shapes/einsum_equation.hpp"
#include "text/plural.hpp"

namespace trtcheck::layers_of {
namespace {

constexpr std::string_view kAttention = "Attention";
constexpr std::string_view kEinsum = "Einsum";

std::string_view equation_of(const Node& node) {
  const Attribute* const attribute = node.attribute("equation");
  return attribute != nullptr && attribute->type == AttributeType::string ? attribute->s() : std::string_view{};
}

/// Products of exact dims only: an unknown in between makes the whole unknown.
class Product {
 public:
  explicit Product(DimTable& dims) : dims_(&dims), value_(dims.literal(1)) {}
  void times(Dim dim) { value_ = dims_->mul(value_, dim); }
  void times(std::span<const Dim> dims) {
    for (const Dim dim : dims) times(dim);
  }
  [[nodiscard]] std::optional<Dim> value() const {
    return dims_->is_exact(value_) ? std::optional(value_) : std::nullopt;
  }

 private:
  DimTable* dims_;
  Dim value_;
};

/// Each element of a Conv's output, or of a ConvTranspose's data, meets all weights but those of the other channels:
/// axis 0 of the weights is the axis that it has itself.
std::optional<Dim> convolution(const ModelView& view, const Node& node) {
  const ValueShape& weight = view.shape(node.input(1));
  const ValueShape& swept = view.shape(node.op_type == "Conv" ? node.output(0) : node.input(0));
  if (!weight.has_rank || !swept.has_rank || weight.rank() < 2) return std::nullopt;
  Product product(view.dims());
  product.times(swept.dims);
  product.times(weight.dims.subspan(1));
  return product.value();
}

std::optional<Dim> matrix_product(const ModelView& view, const Node& node) {
  const ValueShape& a = view.shape(node.input(0));
  const ValueShape& out = view.shape(node.output(0));
  if (!a.has_rank || !out.has_rank || a.rank() == 0) return std::nullopt;
  const bool is_transposed = node.op_type == "Gemm" && int_attribute(node, "transA", 0) != 0;
  Product product(view.dims());
  product.times(out.dims);
  product.times(is_transposed ? a.dims.front() : a.dims.back());
  return product.value();
}

/// Each weight of each gate meets each step of each sequence once, the recurrent ones too: products of matrices, as in
/// the formulas of ONNX. What gates do element by element is left out, as activations are everywhere.
std::optional<Dim> recurrent(const ModelView& view, const Node& node) {
  const ValueShape& x = view.shape(node.input(0));
  const ValueShape& weight = view.shape(node.input(1));
  const ValueShape& recurrence = view.shape(node.input(2));
  if (!x.has_rank || x.rank() != 3 || !weight.has_rank || !recurrence.has_rank) return std::nullopt;
  DimTable& dims = view.dims();
  std::optional<Dim> all;
  for (const ValueShape* each : {&weight, &recurrence}) {
    Product product(dims);
    product.times(x.dims.first(2));  // steps and batch, in the order that `layout` says
    product.times(each->dims);
    if (!product.value()) return std::nullopt;
    all = all ? dims.add(*all, *product.value()) : product.value();
  }
  return all;
}

/// Each query meets each key, and each result is a sum over all values, with those of the past. A mask, also a causal
/// one, takes nothing away.
std::optional<Dim> attention(const ModelView& view, const Node& node) {
  const ValueShape& query = view.shape(node.input(0));
  const ValueShape& key = view.shape(node.input(1));
  const ValueShape& out = view.shape(node.output(0));
  if (!query.has_rank || !key.has_rank || !out.has_rank || key.rank() < 3) return std::nullopt;
  DimTable& dims = view.dims();
  Dim length = key.dims[key.rank() - 2];  // [B, L, H*D] or [B, H, L, D]
  if (const ValueId past = node.input(4)) {
    const ValueShape& before = view.shape(past);
    if (!before.has_rank || before.rank() != 4) return std::nullopt;
    length = dims.add(length, before.dims[2]);
  }
  std::optional<Dim> all;
  for (const ValueShape* each : {&query, &out}) {
    Product product(dims);
    product.times(each->dims);
    product.times(length);
    if (!product.value()) return std::nullopt;
    all = all ? dims.add(*all, *product.value()) : product.value();
  }
  return all;
}

/// Two operands: every combination of their labels. Of more the order of contraction decides.
std::optional<Dim> einsum(const ModelView& view, const Node& node) {
  const auto equation = shapes::read_equation(equation_of(node));
  const ValueShape& result = view.shape(node.output(0));
  if (!equation || equation->inputs.size() != 2 || node.inputs.size() != 2 || !result.has_rank) return std::nullopt;
  DimTable& dims = view.dims();
  std::map<char, Dim> sizes;
  const auto take = [&](const std::string& labels, std::span<const Dim> of) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const auto [known, is_new] = sizes.emplace(labels[i], of[i]);
      const std::optional<Dim> joined = dims.broadcast(known->second, of[i]);
      if (!joined) return false;
      known->second = *joined;
    }
    return true;
  };
  bool has_ellipsis = false;
  for (std::size_t i = 0; i < 2; ++i) {
    const shapes::Operand& operand = equation->inputs[i];
    const ValueShape& shape = view.shape(node.input(i));
    if (!shape.has_rank || shape.rank() < operand.before.size() + operand.behind.size()) return std::nullopt;
    if (!take(operand.before, shape.dims) || !take(operand.behind, shape.dims.last(operand.behind.size())))
      return std::nullopt;
    has_ellipsis = has_ellipsis || operand.has_ellipsis;
  }
  Product product(dims);
  for (const auto& [label, size] : sizes) product.times(size);
  if (has_ellipsis) {
    const shapes::Operand out = equation->output ? *equation->output : shapes::implicit_output(*equation);
    const std::size_t named = out.before.size() + out.behind.size();
    if (!out.has_ellipsis || result.rank() < named) return std::nullopt;
    product.times(result.dims.subspan(out.before.size(), result.rank() - named));
  }
  return product.value();
}

}  // namespace

bool multiplies(const Node& node) { return is_a(node.op_type, kinds::product); }

bool has_formula(const Node& node) {
  if (multiplies(node)) return true;
  // Those of other domains have other inputs.
  return node.domain().empty() && (is_a(node.op_type, kinds::recurrent) || node.op_type == kAttention ||
                                   (node.op_type == kEinsum && node.inputs.size() == 2));
}

bool has_work(const Node& node) {
  if (has_formula(node) || is_a(node.op_type, kinds::product_without_formula) || node.op_type == kAttention)
    return true;
  return node.op_type == kEinsum && node.inputs.size() > 2;
}

std::optional<Dim> work_of(const ModelView& view, const Node& node) {
  if (!has_formula(node)) return std::nullopt;
  if (is_a(node.op_type, kinds::convolution)) return convolution(view, node);
  if (node.op_type == kAttention) return attention(view, node);
  if (node.op_type == kEinsum) return einsum(view, node);
  return is_a(node.op_type, kinds::recurrent) ? recurrent(view, node) : matrix_product(view, node);
}

}  // namespace trtcheck::layers_of
