// MatMulNBits of ONNX Runtime: DequantizeLinear of INT4 in blocks and MatMul, or MatMul with the weights as numbers.
#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/elements.hpp"
#include "cure/draft.hpp"
#include "cure/numbers.hpp"

namespace trtcheck::cure::matmul_nbits_dequantized {
namespace {

/// Everything of the node, transposed: rows are those of the product, blocks lie along them.
struct Weights {
  std::int64_t rows = 0;     ///< K
  std::int64_t columns = 0;  ///< N
  std::int64_t bits = 4;
  std::int64_t block = 0;
  std::int64_t blocks = 0;            ///< of each column
  std::vector<std::int64_t> codes{};  ///< [rows, columns]
  std::vector<double> scales{};       ///< [blocks, columns]
  std::vector<double> zero_points{};  ///< [blocks, columns]
};

/// Numbers of `bits` bits, the first one lowest, each row of them beginning with a byte of its own.
std::int64_t unpacked(const std::vector<std::int64_t>& bytes, std::int64_t row_bytes, std::int64_t row,
                      std::int64_t index, std::int64_t bits) {
  constexpr std::int64_t kByte = 8;
  const std::int64_t byte = bytes[static_cast<std::size_t>(row * row_bytes + index * bits / kByte)];
  return byte >> (index * bits % kByte) & ((std::int64_t{1} << bits) - 1);
}

bool read_codes(Draft& draft, Weights& weights) {
  const auto stored_codes = stored(draft, draft.node().input(1));
  const auto bytes = stored_codes ? whole_numbers(*stored_codes) : std::nullopt;
  constexpr std::int64_t kByte = 8;
  const std::int64_t row_bytes = weights.blocks * weights.block * weights.bits / kByte;
  if (!bytes || static_cast<std::int64_t>(bytes->size()) != weights.columns * row_bytes) return false;
  weights.codes.resize(static_cast<std::size_t>(weights.rows * weights.columns));
  for (std::int64_t n = 0; n < weights.columns; ++n) {
    for (std::int64_t k = 0; k < weights.rows; ++k) {
      weights.codes[static_cast<std::size_t>(k * weights.columns + n)] =
          unpacked(*bytes, row_bytes, n, k, weights.bits);
    }
  }
  return true;
}

/// From [columns, blocks] to [blocks, columns].
template <class T>
std::vector<double> transposed(const Weights& weights, const T& at) {
  std::vector<double> made(static_cast<std::size_t>(weights.blocks * weights.columns));
  for (std::int64_t n = 0; n < weights.columns; ++n) {
    for (std::int64_t b = 0; b < weights.blocks; ++b) {
      made[static_cast<std::size_t>(b * weights.columns + n)] = static_cast<double>(at(n, b));
    }
  }
  return made;
}

bool read_scales(Draft& draft, Weights& weights) {
  const auto constant = stored(draft, draft.node().input(2));
  const auto numbers = constant ? real_numbers(*constant) : std::nullopt;
  if (!numbers || static_cast<std::int64_t>(numbers->size()) != weights.columns * weights.blocks) return false;
  weights.scales = transposed(weights, [&](std::int64_t n, std::int64_t b) {
    return (*numbers)[static_cast<std::size_t>(n * weights.blocks + b)];
  });
  return true;
}

bool read_zero_points(Draft& draft, Weights& weights) {
  if (!draft.node().input(3)) {
    weights.zero_points.assign(weights.scales.size(), static_cast<double>(std::int64_t{1} << (weights.bits - 1)));
    return true;
  }
  const auto constant = stored(draft, draft.node().input(3));
  const auto count = static_cast<std::size_t>(weights.columns * weights.blocks);
  if (!constant) return false;
  if (constant->type != DataType::uint8) {
    const auto numbers = real_numbers(*constant);
    if (!numbers || numbers->size() != count) return false;
    weights.zero_points = transposed(weights, [&](std::int64_t n, std::int64_t b) {
      return (*numbers)[static_cast<std::size_t>(n * weights.blocks + b)];
    });
    return true;
  }
  const auto bytes = whole_numbers(*constant);
  constexpr std::int64_t kByte = 8;
  const std::int64_t row_bytes = (weights.blocks * weights.bits + kByte - 1) / kByte;
  if (!bytes || static_cast<std::int64_t>(bytes->size()) != weights.columns * row_bytes) return false;
  weights.zero_points = transposed(
      weights, [&](std::int64_t n, std::int64_t b) { return unpacked(*bytes, row_bytes, n, b, weights.bits); });
  return true;
}

std::optional<Weights> read(Draft& draft) {
  Weights weights{.rows = draft.int_attribute("K", 0),
                  .columns = draft.int_attribute("N", 0),
                  .bits = draft.int_attribute("bits", 4),
                  .block = draft.int_attribute("block_size", 0)};
  constexpr std::int64_t kLeast = 16;
  const bool is_known = weights.bits == 2 || weights.bits == 4 || weights.bits == 8;
  if (!is_known || weights.rows < 1 || weights.columns < 1 || weights.block < kLeast) return std::nullopt;
  weights.blocks = (weights.rows + weights.block - 1) / weights.block;
  if (!read_codes(draft, weights) || !read_scales(draft, weights) || !read_zero_points(draft, weights)) {
    return std::nullopt;
  }
  return weights;
}

/// INT4 in blocks came with opset 21 and TensorRT 10.
bool stays_quantized(const Draft& draft, const Weights& weights) {
  constexpr std::int64_t kHasBlocks = 21, kBits = 4;
  constexpr double kMiddle = 8;
  return weights.bits == kBits && draft.opset() >= kHasBlocks && draft.target().release >= TrtVersion{10, 0} &&
         weights.rows % weights.block == 0 && weights.blocks > 1 && weights.columns % 2 == 0 &&
         std::ranges::all_of(weights.zero_points, [](double zero) { return zero == kMiddle; });
}

std::string in_blocks(Draft& draft, const Weights& weights, DataType type) {
  constexpr std::int64_t kMiddle = 8;
  std::vector<std::int64_t> codes;
  for (const std::int64_t code : weights.codes) codes.push_back(code - kMiddle);
  const std::string stored_codes =
      draft.constant(constant_of(DataType::int4, {weights.rows, weights.columns}, codes), "codes");
  const std::string scales =
      draft.constant(constant_of(type, {weights.blocks, weights.columns}, weights.scales), "scales");
  return draft.op("DequantizeLinear", {stored_codes, scales},
                  {{"axis", std::int64_t{0}}, {"block_size", weights.block}});
}

std::string as_numbers(Draft& draft, const Weights& weights, DataType type) {
  std::vector<double> numbers;
  for (std::int64_t k = 0; k < weights.rows; ++k) {
    for (std::int64_t n = 0; n < weights.columns; ++n) {
      const auto at = static_cast<std::size_t>(k / weights.block * weights.columns + n);
      const auto code = static_cast<double>(weights.codes[static_cast<std::size_t>(k * weights.columns + n)]);
      numbers.push_back((code - weights.zero_points[at]) * weights.scales[at]);
    }
  }
  return draft.constant(constant_of(type, {weights.rows, weights.columns}, numbers), "weights");
}

bool make(Draft& draft, const Finding&) {
  const auto type = draft.type(draft.node().input(0));
  constexpr std::size_t kOrder = 4, kBias = 5;
  if (!type || draft.node().input(kOrder)) return draft.refuse("its rows are reordered by `g_idx`");
  const auto weights = read(draft);
  if (!weights)
    return draft.refuse("its weights, scales and zero points are not constants of the sizes that it states");
  const bool is_quantized = stays_quantized(draft, *weights);
  const std::string matrix = is_quantized ? in_blocks(draft, *weights, *type) : as_numbers(draft, *weights, *type);
  if (draft.node().input(kBias)) {
    draft.op_to({draft.out(0)}, "Add", {draft.op("MatMul", {draft.in(0), matrix}), draft.in(kBias)});
  } else {
    draft.op_to({draft.out(0)}, "MatMul", {draft.in(0), matrix});
  }
  draft.remove();
  for (std::size_t i = 1; i < kOrder; ++i) drop_stored(draft, draft.node().input(i));
  draft.title(is_quantized ? "DequantizeLinear of INT4 in blocks, and MatMul"
                           : "store the weights as numbers, and multiply with MatMul");
  return true;
}

constexpr std::string_view kFindings[] = {"OPS102", "OPS103", "OPS401:matmul-nbits-bits",
                                          "OPS401:matmul-nbits-block-size", "OPS401:matmul-nbits-type"};
constexpr std::string_view kOps[] = {"MatMulNBits"};

}  // namespace

extern constinit const Cure cure{
    .name = "matmul-nbits-dequantized",
    .kind = CureClass::rounding,
    .summary = "MatMulNBits becomes DequantizeLinear of INT4 in blocks and MatMul, or MatMul with stored numbers",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::matmul_nbits_dequantized
