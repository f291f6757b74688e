// How the layers of the engine are expected to run: in which element type, how much work they are, and why they do not
// run quantized.
//
//     const trtcheck::Model model = trtcheck::read_model("model.onnx");
//     const trtcheck::Target target;
//     const trtcheck::Shapes shapes = trtcheck::infer(model, trtcheck::infer_options(target));
//     for (const trtcheck::Layer& layer : trtcheck::layers(model, shapes, target)) { ... }
//
// A forecast by the documented rules of explicit quantization (a layer runs in the type that Q/DQ around it demand),
// not what the builder's timing chooses. Source: TensorRT guide, "Working with quantized types".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <trtcheck/dim.hpp>
#include <trtcheck/export.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>
#include <trtcheck/target.hpp>

namespace trtcheck {

/// Why a layer does not run quantized.
enum class LayerReason : std::uint8_t {
  none,              ///< it does
  not_quantized,     ///< no Q/DQ is near
  weights_only,      ///< weights that are dequantized, data that are not
  data_only,         ///< the other way round
  types_differ,      ///< data and weights are quantized to different types
  operator_between,  ///< an operator that Q/DQ cannot be moved across is after DequantizeLinear
  input_float,       ///< one of several inputs is not quantized
  output_float,      ///< its result is not quantized
  pair_before,       ///< an activation that a pair splits from its convolution: a kernel of its own, in float
};
[[nodiscard]] TRTCHECK_API std::string_view to_string(LayerReason reason) noexcept;  ///< "weights-only"

/// A layer that computes: those that are multiplications for the most part (Conv, ConvTranspose, Gemm, MatMul, LSTM,
/// GRU, RNN, Attention, Einsum ...) always, of the others those next to Q/DQ, of activations those that a pair splits
/// from their convolution.
struct Layer {
  NodeId node;                             ///< of the model
  DataType type = DataType::undefined;     ///< that it computes in; undefined where not even ONNX's type is known
  DataType weights = DataType::undefined;  ///< that its weights are stored in for weight-only quantization
  DataType output = DataType::undefined;   ///< that it writes
  LayerReason reason = LayerReason::none;  ///< why it does not run quantized
  std::string why;                         ///< the same in words, with the names of the model; "" for none
  NodeId at;                               ///< the node that the reason is about; none: the layer itself
  /// Multiply-accumulates of one run of the model, as an expression of its symbols; nothing: other layers, unknown
  /// sizes, operators without a formula.
  std::optional<Dim> work;
  /// The loop around it whose trip count is not known: `work` is that of one iteration; none: all iterations count.
  NodeId counted_once;
};

/// In the order in which the network runs; a function that is called twice has its layers twice.
[[nodiscard]] TRTCHECK_API std::vector<Layer> layers(const Model& model, const Shapes& shapes, const Target& target);

/// What the layers of one element type come to.
struct TypeShare {
  DataType type = DataType::undefined;  ///< that these layers compute in
  std::size_t layers = 0;               ///< that are multiplications for the most part
  std::size_t unsized = 0;              ///< of them, those whose work is not known
  Dim work;                             ///< sum of the multiply-accumulates that are known
  std::optional<std::int64_t> number;   ///< of `work` at the sizes of the profile's opt, or of a static model
  /// Of all multiply-accumulates, 0 to 1; nothing where it depends on sizes that nobody gave.
  std::optional<double> share;
};
/// Most layers first. @param layers  of that model, shapes and target
[[nodiscard]] TRTCHECK_API std::vector<TypeShare> type_shares(std::span<const Layer> layers, const Model& model,
                                                              const Shapes& shapes, const Target& target);

/// What a sum of multiply-accumulates does not hold.
struct NotCounted {
  /// Layers of one operator.
  struct Layers {
    std::string op_type;       ///< "Attention"
    std::size_t count = 0;     ///< layers without a number
    bool has_formula = false;  ///< their sizes are not known; false: nobody wrote a formula for the operator
  };
  /// Loops of one operator, whose bodies count once.
  struct Loops {
    std::string op_type;    ///< "Loop", "Scan"
    std::size_t count = 0;  ///< whose bodies count once, because their trip count is not known
  };
  std::vector<Layers> layers;  ///< sorted by op_type
  std::vector<Loops> loops;    ///< sorted by op_type
};
[[nodiscard]] TRTCHECK_API NotCounted not_counted(std::span<const Layer> layers, const Model& model);
/// "2 Attention without known sizes, 1 DeformConv; bodies of 1 Loop counted once: trip count unknown"; "" = all counts.
[[nodiscard]] TRTCHECK_API std::string to_string(const NotCounted& not_counted);

/// A Cast between floating point types that the engine has to run.
struct TypeBorder {
  NodeId node;                          ///< the Cast
  DataType from = DataType::undefined;  ///< that it reads
  DataType to = DataType::undefined;    ///< that it writes
};
[[nodiscard]] TRTCHECK_API std::vector<TypeBorder> type_borders(const Model& model, const Shapes& shapes,
                                                                const Target& target);

}  // namespace trtcheck
