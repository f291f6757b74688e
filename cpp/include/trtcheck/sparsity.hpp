// Which stored weights are 2:4 structured sparse along the axis that TensorRT needs: of each four consecutive input
// channels at least two are zero, for each output channel and each position of the kernel.
//
//     const std::vector<trtcheck::Layer> layers = trtcheck::layers(model, shapes, target);
//     for (const trtcheck::Sparsity& found : trtcheck::sparsities(layers, model, shapes, target)) { ... }
//
// Weights are read, those in other files too, and never held. Source: TensorRT guide, "Sparsity" (convolution kernels
// and fully connected weights; `BuilderFlag::kSPARSE_WEIGHTS`, `trtexec --sparsity=enable`).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/layers.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>
#include <trtcheck/target.hpp>

namespace trtcheck {

/// What the weights of a layer are.
enum class SparsityState : std::uint8_t {
  sparse,      ///< each group has two zeros or more
  dense,       ///< one has not
  wrong_axis,  ///< the same, but all groups along another axis have
  unaligned,   ///< the input channels are no multiple of 4
  unread,      ///< nobody could look at them
};
[[nodiscard]] TRTCHECK_API std::string_view to_string(SparsityState state) noexcept;  ///< "wrong-axis"

/// Weights of one Conv, Gemm or MatMul. Axes and indices are those that the layer sees, after any Transpose.
struct Sparsity {
  NodeId node;                                  ///< of the model
  SparsityState state = SparsityState::unread;  ///< what its weights are
  TensorId weights;                             ///< the stored tensor; none: they are computed
  std::size_t axis = 0;                         ///< of the input channels
  std::int64_t channels = 0;                    ///< its size; 0 where weights are computed
  std::uint64_t groups = 0;                     ///< of four that were looked at
  std::uint64_t obeying = 0;                    ///< of them, those of two zeros or more
  std::vector<std::int64_t> first_dense;        ///< index of the first value of the first other group; else empty
  std::optional<std::size_t> sparse_axis;       ///< for wrong_axis: the axis that has it
  std::string why;                              ///< for unread: the reason
};

/// Of the layers whose weights are constant, also after Q/DQ, Cast, Transpose and Identity, in their order. Weights of
/// ConvTranspose are left out: NVIDIA's guide says nothing about them.
/// @param layers  of that model, shapes and target
[[nodiscard]] TRTCHECK_API std::vector<Sparsity> sparsities(std::span<const Layer> layers, const Model& model,
                                                            const Shapes& shapes, const Target& target);

/// Of all multiply-accumulates those of layers with sparse weights, 0 to 1; nothing where it depends on sizes that
/// nobody gave.
/// @param layers  of that model, shapes and target
[[nodiscard]] TRTCHECK_API std::optional<double> sparse_share(std::span<const Sparsity> sparsities,
                                                              std::span<const Layer> layers, const Model& model,
                                                              const Shapes& shapes, const Target& target);

}  // namespace trtcheck
