#include "layers/work.hpp"

#include <array>
#include <span>
#include <string_view>

#include "text/plural.hpp"

namespace trtcheck::layers_of {
namespace {

constexpr std::array<std::string_view, 4> kMultiplies{"Conv", "ConvTranspose", "Gemm", "MatMul"};

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
std::optional<Dim> convolution(const Facts& facts, const Node& node) {
  const ValueShape& weight = facts.shape(node.input(1));
  const ValueShape& swept = facts.shape(node.op_type == "Conv" ? node.output(0) : node.input(0));
  if (!weight.has_rank || !swept.has_rank || weight.rank() < 2) return std::nullopt;
  Product product(facts.dims());
  product.times(swept.dims);
  product.times(weight.dims.subspan(1));
  return product.value();
}

std::optional<Dim> matrix_product(const Facts& facts, const Node& node) {
  const ValueShape& a = facts.shape(node.input(0));
  const ValueShape& out = facts.shape(node.output(0));
  if (!a.has_rank || !out.has_rank || a.rank() == 0) return std::nullopt;
  const bool is_transposed = node.op_type == "Gemm" && int_attribute(node, "transA", 0) != 0;
  Product product(facts.dims());
  product.times(out.dims);
  product.times(is_transposed ? a.dims.front() : a.dims.back());
  return product.value();
}

}  // namespace

bool multiplies(const Node& node) { return is_one_of(kMultiplies, node.op_type); }

std::optional<Dim> work_of(const Facts& facts, const Node& node) {
  if (!multiplies(node)) return std::nullopt;
  const bool convolves = node.op_type == "Conv" || node.op_type == "ConvTranspose";
  return convolves ? convolution(facts, node) : matrix_product(facts, node);
}

}  // namespace trtcheck::layers_of
