// 2:4 structured sparsity. TensorRT guide, "Sparsity": for each output channel and each pixel of the kernel, every four
// input channels must have at least two zeros; hasSparseWeights there counts them for weights of [K, C, R, S] with
// C % 4 == 0.
#include <trtcheck/sparsity.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "model/external_files.hpp"
#include "model/tensor_values.hpp"
#include "model/walk.hpp"
#include "schema/kinds.hpp"
#include "text/plural.hpp"
#include "view/node_view.hpp"
#include "view/qdq_view.hpp"
#include "view/sparse_groups.hpp"

namespace trtcheck {
namespace {

constexpr std::size_t kLookBack = 64;
constexpr std::int64_t kGroup = 4;
using Axes = std::vector<std::int64_t>;

/// Where weights are stored, and what happens to them on their way to the layer.
struct Source {
  TensorId tensor;
  std::vector<Axes> perms;  ///< of Transposes, that next to the layer first; empty: all axes the other way round
  std::int64_t zero = 0;    ///< code that stands for 0
  std::string why;          ///< they cannot be looked at
};

/// For each axis that the layer sees the one of the stored tensor. Nothing: a perm does not fit.
std::optional<std::vector<std::size_t>> stored_axes(const Source& source, std::size_t rank) {
  std::vector<std::size_t> axes(rank);
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  for (const Axes& perm : source.perms) {
    if (!perm.empty() && perm.size() != rank) return std::nullopt;
    for (std::size_t& axis : axes) {
      const auto from = perm.empty() ? rank - 1 - axis : static_cast<std::size_t>(perm[axis]);
      if (from >= rank) return std::nullopt;
      axis = from;
    }
  }
  auto sorted = axes;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < rank; ++i) {
    if (sorted[i] != i) return std::nullopt;
  }
  return axes;
}

class Scan {
 public:
  explicit Scan(const ModelView& view) : view_(view) {}

  /// Nothing: no layer of this kind, or no weights.
  std::optional<Sparsity> of(NodeId id) {
    const Node& node = view_.model.node(id);
    Sparsity found;
    found.node = id;
    if (node.op_type == "Conv") return of_operand(std::move(found), node, 1);
    if (!is_a(node.op_type, kinds::matrix_product)) return std::nullopt;
    if (auto right = of_operand(found, node, 1)) return right;
    return of_operand(std::move(found), node, 0);
  }

 private:
  std::optional<Sparsity> of_operand(Sparsity found, const Node& node, std::size_t index) {
    const std::optional<Source> source = source_of(node.input(index));
    if (!source) return std::nullopt;
    found.why = source->why;
    found.weights = source->tensor;
    if (!source->tensor) return found;
    const Tensor& tensor = view_.model.tensor(source->tensor);
    const std::size_t rank = tensor.dims.size();
    const std::optional<std::vector<std::size_t>> axes = stored_axes(*source, rank);
    const std::optional<std::size_t> axis = axis_of(node, index, rank);
    if (!axes || !axis) {
      found.why = fmt::format("a tensor of {} axes cannot be its weights", rank);
      return found;
    }
    found.axis = *axis;
    const std::size_t stored = (*axes)[*axis];
    found.channels = tensor.dims[stored];
    if (!found.why.empty()) return found;
    const std::optional<std::int64_t> count = tensor.element_count();
    if (!count || *count == 0) {
      found.why = "it has no values";
    } else if (!has_sparse_groups(tensor.type)) {
      found.why = fmt::format("values of {} are not looked at", to_string(tensor.type));
    } else if (found.channels % kGroup != 0) {
      found.state = SparsityState::unaligned;
    } else if (const auto& groups = groups_of(source->tensor, stored, source->zero)) {
      add(found, *groups, tensor, *axes);
    } else {
      found.why = why_unreadable(tensor);
    }
    return found;
  }

  static void add(Sparsity& found, const SparseGroups& groups, const Tensor& tensor,
                  const std::vector<std::size_t>& axes) {
    found.groups = groups.groups;
    found.obeying = groups.groups - groups.dense;
    found.state = groups.dense == 0   ? SparsityState::sparse
                  : groups.other_axis ? SparsityState::wrong_axis
                                      : SparsityState::dense;
    if (groups.other_axis) {
      found.sparse_axis = static_cast<std::size_t>(std::ranges::find(axes, *groups.other_axis) - axes.begin());
    }
    if (!groups.first_dense) return;
    std::vector<std::int64_t> index(axes.size());
    std::uint64_t rest = *groups.first_dense;
    for (std::size_t axis = axes.size(); axis-- > 0;) {
      const auto size = static_cast<std::uint64_t>(tensor.dims[axis]);
      index[axis] = static_cast<std::int64_t>(rest % size);
      rest /= size;
    }
    for (const std::size_t axis : axes) found.first_dense.push_back(index[axis]);
  }

  /// That of the input channels, of the sum that a matrix product is.
  static std::optional<std::size_t> axis_of(const Node& node, std::size_t operand, std::size_t rank) {
    if (node.op_type == "Conv") return rank >= 3 ? std::optional<std::size_t>(1) : std::nullopt;
    if (node.op_type == "Gemm") {
      if (rank != 2) return std::nullopt;
      const bool is_transposed = int_attribute(node, operand == 0 ? "transA" : "transB", 0) != 0;
      return (operand == 0) != is_transposed ? 1 : 0;
    }
    if (rank == 0) return std::nullopt;
    return operand == 0 || rank == 1 ? rank - 1 : rank - 2;
  }

  /// Nothing: they are no constant.
  [[nodiscard]] std::optional<Source> source_of(ValueId value) const {
    Source source;
    const bool is_constant = value && view_.shapes.folds_to_constant(value);
    const Walked end = walk<kLookBack>(value, [&](ValueId at, auto& onward) {
      if (const TensorId tensor = view_.model.constant(at)) {
        source.tensor = tensor;
        return true;
      }
      const NodeId producer = producer_of(view_.model, at);
      if (!producer) return false;
      const Node& node = view_.model.node(producer);
      if (node.op_type == "Transpose") {
        const Attribute* const perm = node.attribute("perm");
        source.perms.emplace_back();
        if (perm != nullptr) source.perms.back().assign(perm->ints().begin(), perm->ints().end());
      } else if (is_dequantize(node)) {
        if (node.input(2)) set_zero(source, node.input(2));
      } else if (!is_quantize(node) && !is_a(node.op_type, kinds::passes_numbers)) {
        if (is_constant)
          source.why = fmt::format("{} `{}` computes it", node.op_type, view_.model.node_label(producer));
        return is_constant;
      }
      onward.add(node.input(0));
      return false;
    });
    return end == Walked::found ? std::optional(source) : std::nullopt;
  }

  /// Codes that come out of a QuantizeLinear are those of stored floats, whose zeros are looked at.
  void set_zero(Source& source, ValueId zero_point) const {
    const DataType type = view_.shape(zero_point).type;
    if (type != DataType::int8 && type != DataType::uint8) return;
    const auto zeros = constant_ints(view_, zero_point, kMostElements);
    if (!zeros) {
      source.why = "its zero point is not known";
    } else if (!zeros->empty() && std::ranges::any_of(*zeros, [&](std::int64_t z) { return z != zeros->front(); })) {
      source.why = "it has more than one zero point";
    } else if (!zeros->empty()) {
      source.zero = zeros->front();
    }
  }

  /// Layers that share weights have them looked at once.
  const std::optional<SparseGroups>& groups_of(TensorId id, std::size_t axis, std::int64_t zero) {
    const auto key = std::tuple(id.index, axis, zero);
    const auto found = scanned_.find(key);
    if (found != scanned_.end()) return found->second;
    return scanned_.emplace(key, sparse_groups(view_.model, view_.model.tensor(id), axis, zero)).first->second;
  }

  [[nodiscard]] std::string why_unreadable(const Tensor& tensor) const {
    if (tensor.is_sparse) return "it is stored as a sparse tensor";
    if (tensor.data == Tensor::Data::none) return "it has no data";
    if (tensor.data == Tensor::Data::external) {
      const ExternalFile file = external_file(view_.model, tensor);
      const std::string place = file.location.empty() ? "another file" : fmt::format("`{}`", file.location);
      if (!file.detail.empty()) return fmt::format("{} could not be read ({})", place, file.detail);
      return place + " could not be read";
    }
    if (tensor.data == Tensor::Data::typed && tensor.element_count() > kMostElements) {
      return fmt::format("it has more than {} numbers that are not stored as raw bytes", kMostElements);
    }
    return "its data could not be read, or are not of the size that its dims demand";
  }

  const ModelView& view_;
  std::map<std::tuple<std::uint32_t, std::size_t, std::int64_t>, std::optional<SparseGroups>> scanned_;
};

}  // namespace

std::string_view to_string(SparsityState state) noexcept {
  constexpr std::array<std::string_view, 5> kNames{"sparse", "dense", "wrong-axis", "unaligned", "unread"};
  return kNames[static_cast<std::size_t>(state)];
}

std::vector<Sparsity> sparsities(std::span<const Layer> layers, const Model& model, const Shapes& shapes,
                                 const Target& target) {
  std::vector<NodeId> nodes;
  for (const Layer& layer : layers) nodes.push_back(layer.node);
  const TensorView tensors(model);
  const ModelView view(model, shapes, target, tensors, nodes);
  Scan scan(view);
  std::vector<Sparsity> found;
  for (const NodeId node : nodes) {
    if (std::optional<Sparsity> one = scan.of(node)) found.push_back(std::move(*one));
  }
  return found;
}

std::optional<double> sparse_share(std::span<const Sparsity> sparsities, std::span<const Layer> layers,
                                   const Model& model, const Shapes& shapes, const Target& target) {
  // The share of an element type, which is that of sparse weights for once.
  constexpr DataType kSparse = DataType::float16;
  std::vector<Layer> marked(layers.begin(), layers.end());
  for (Layer& layer : marked) {
    const auto own = std::ranges::find(sparsities, layer.node, &Sparsity::node);
    const bool is_sparse = own != sparsities.end() && own->state == SparsityState::sparse;
    layer.type = is_sparse ? kSparse : DataType::undefined;
  }
  const std::vector<TypeShare> shares = type_shares(marked, model, shapes, target);
  const auto found = std::ranges::find(shares, kSparse, &TypeShare::type);
  return found == shares.end() ? std::optional(0.0) : found->share;
}

}  // namespace trtcheck
