// Operators spelt out in other operators, as the ONNX standard defines them.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "cure/cures/writer.hpp"

namespace trtcheck::cure {

struct Expansion {
  std::string_view op;
  CureClass kind = CureClass::rounding;
  /// Makes all outputs of the node. False: not for this one.
  bool (*write)(Writer& w) = nullptr;
};

[[nodiscard]] std::span<const Expansion> activation_expansions() noexcept;
[[nodiscard]] std::span<const Expansion> normalization_expansions() noexcept;
[[nodiscard]] std::span<const Expansion> attention_expansions() noexcept;
[[nodiscard]] std::span<const Expansion> loss_expansions() noexcept;
[[nodiscard]] std::span<const Expansion> index_expansions() noexcept;
[[nodiscard]] std::span<const Expansion> grid_expansions() noexcept;
[[nodiscard]] std::span<const Expansion> signal_expansions() noexcept;

/// Type of the first input; nothing, with the reason, unless it is a floating point one.
[[nodiscard]] std::optional<DataType> float_type(Draft& draft);

// Parts that operators of ONNX Runtime are made of too.
[[nodiscard]] Writer::Name gelu(Writer& w, const Writer::Name& x, DataType type);
[[nodiscard]] Writer::Name tanh_gelu(Writer& w, const Writer::Name& x, DataType type);
/// x * sigmoid(alpha * x)
[[nodiscard]] Writer::Name swish(Writer& w, const Writer::Name& x, double alpha, DataType type);

struct Normalized {
  Writer::Name y;
  Writer::Name mean;     ///< "": there is none
  Writer::Name inverse;  ///< of the deviation
};
struct Norm {
  Writer::Ints axes;
  double epsilon = 1e-5;
  bool has_mean = true;  ///< false: RMS
};
/// Without scale and bias.
[[nodiscard]] Normalized normalized(Writer& w, const Writer::Name& x, const Norm& norm, DataType type);

/// Queries, keys and values of one attention, [batch, heads, length, head size].
struct Heads {
  Writer::Name query;
  Writer::Name key;
  Writer::Name value;
  double scale = 1;
  double softcap = 0;
  Writer::Name bias{};                ///< added to the scores; "" = none
  std::optional<DataType> precise{};  ///< type of Softmax, where it is another one
  DataType type = DataType::float32;
};
struct Attended {
  Writer::Name y;       ///< [batch, heads, length, head size]
  Writer::Name scores;  ///< scaled products of queries and keys
  Writer::Name shares;  ///< after Softmax
};
[[nodiscard]] Attended attended(Writer& w, const Heads& heads);
/// [batch, length, heads * size] to [batch, heads, length, size], and back.
[[nodiscard]] Writer::Name heads_apart(Writer& w, const Writer::Name& x, std::int64_t heads);
[[nodiscard]] Writer::Name heads_together(Writer& w, const Writer::Name& x);
/// Keys or values of few heads for the queries of many. @param size  of a head
[[nodiscard]] Writer::Name repeated_heads(Writer& w, const Writer::Name& x, std::int64_t heads, std::int64_t times,
                                          std::int64_t size);
/// 0 where a query may look, minus infinity at later places: [queries, keys]. Lengths are INT64[1]; the first query
/// stands at `past`, "" = 0.
[[nodiscard]] Writer::Name causal_bias(Writer& w, const Writer::Name& queries, const Writer::Name& keys,
                                       const Writer::Name& past, DataType type);
/// 0 where a mask of BOOL is true, else minus infinity.
[[nodiscard]] Writer::Name mask_bias(Writer& w, const Writer::Name& mask, DataType type);

struct Rotary {
  Writer::Name cos;  ///< broadcasts to [..., part / 2]
  Writer::Name sin;
  std::int64_t size = 0;  ///< of a head
  std::int64_t part = 0;  ///< of it that is rotated
  bool is_interleaved = false;
};
/// Rotates the last axis of a value of rank 4.
[[nodiscard]] Writer::Name rotated(Writer& w, const Writer::Name& x, const Rotary& rotary);

}  // namespace trtcheck::cure
