// Reading QuantizeLinear and DequantizeLinear for the cures of quantized models.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cure/cures/elements.hpp"

namespace trtcheck::cure {

/// Along which axis one scale or zero point belongs to which elements.
struct Spread {
  std::int64_t count = 1;  ///< scales
  std::int64_t inner = 1;  ///< elements that lie together and share one
  [[nodiscard]] std::size_t at(std::size_t element) const {
    return static_cast<std::size_t>((static_cast<std::int64_t>(element) / inner) % count);
  }
};
/// Nothing: blocks, or it does not fit.
[[nodiscard]] std::optional<Spread> spread_of(const Node& node, const std::vector<std::int64_t>& data,
                                              const Constant& scale);

/// The zero point of the node as numbers, one for each scale; all 0 when there is none. Nothing: it is no constant.
[[nodiscard]] std::optional<std::vector<std::int64_t>> zero_points(Draft& draft, NodeId node);

/// The DequantizeLinear nodes that read the codes, each as its data. Nothing: somebody else reads them too, or they
/// leave the graph.
[[nodiscard]] std::optional<std::vector<NodeId>> dequantizers(const Draft& draft, ValueId codes);

/// Who reads codes, also behind nodes that move or choose among them.
struct CodeReaders {
  std::vector<ValueId> codes;          ///< all of them: of QuantizeLinear, and what the nodes between make
  std::vector<NodeId> makers;          ///< of each of these
  std::vector<std::uint32_t> outputs;  ///< of the maker, which each of these is
  std::vector<NodeId> dequantizers;
  [[nodiscard]] bool is_direct() const noexcept { return codes.size() == 1; }
};
[[nodiscard]] std::optional<CodeReaders> code_readers(const Draft& draft, NodeId quantize);
/// Their type changes: they get new names.
void rename_codes(Draft& draft, const CodeReaders& readers);

/// The node of the finding, or the QuantizeLinear whose codes it reads, perhaps moved. None: nothing of that kind.
[[nodiscard]] NodeId quantizer_before(const Draft& draft);

/// The numbers that codes stand for, beyond which QuantizeLinear cuts off. Quantizers rely on that: they leave out a
/// Relu or a Clip where the codes do the same.
struct CodeRange {
  double low = 0;
  double high = 0;
};
/// Nothing: several scales, or scale and zero point are no constants.
[[nodiscard]] std::optional<CodeRange> code_range(Draft& draft, NodeId quantize);
/// The data of a QuantizeLinear, cut off where the codes did, before the node. @returns its name
std::string within(Draft& draft, NodeId quantize, std::optional<double> low, std::optional<double> high);

/// INT8 zeros of the shape of the scale.
std::string zeros_like(Draft& draft, const Constant& scale);

/// One number as a scalar, whatever dims of 1 it has.
[[nodiscard]] Constant constant_like_scalar(Constant one);

/// What only moves elements, so that one scale for all of them may be applied before or after.
[[nodiscard]] bool moves_elements(std::string_view op_type) noexcept;

}  // namespace trtcheck::cure
