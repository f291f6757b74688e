// Kinds of operators: cpp/data/operators.toml, as constants.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "schema/facts.hpp"
#include "schema/kinds.hpp"

namespace trtcheck::test {

TEST_CASE("an operator is of a kind, and others are not") {
  struct Case {
    const char* op_type;
    const OperatorKind* kind;
    bool is;
  };
  const Case one = GENERATE(values<Case>({
      {"MaxPool", &kinds::pool, true},
      {"GlobalMaxPool", &kinds::pool, false},
      {"maxpool", &kinds::pool, false},
      {"", &kinds::pool, false},
      // By another kind.
      {"Conv", &kinds::product, true},
      {"Conv", &kinds::matrix_product, false},
      {"QuantizeLinear", &kinds::between_convolutions, true},
      // The last bits.
      {"MatMulNBits", &kinds::weights_in_blocks, true},
      {"MatMul", &kinds::weights_in_blocks, false},
  }));
  CAPTURE(one.op_type, one.kind->name);
  CHECK(is_a(one.op_type, *one.kind) == one.is);
}

TEST_CASE("a name of a hundred megabytes is of no kind") {
  CHECK(kinds_of(std::string(100'000'000, 'A')) == KindMask{});
}

TEST_CASE("the lists say what the bits say") {
  for (const OperatorKind* kind : kinds::kAll) {
    CAPTURE(kind->name);
    CHECK_FALSE(kind->what.empty());
    CHECK(std::ranges::is_sorted(kind->operators));
    for (const KindsOfOperator& row : kinds::kByOperator) {
      CAPTURE(row.op_type);
      CHECK(is_a(row.op_type, *kind) == std::ranges::binary_search(kind->operators, row.op_type));
    }
  }
}

TEST_CASE("operators of ONNX are written as ONNX writes them") {
  for (const KindsOfOperator& row : kinds::kByOperator) {
    const bool is_of_onnx_runtime =
        is_a(row.op_type, kinds::fused_by_onnx_runtime) || is_a(row.op_type, kinds::quantized_by_onnx_runtime) ||
        is_a(row.op_type, kinds::weights_in_blocks) || is_a(row.op_type, kinds::product_without_formula);
    CAPTURE(row.op_type);
    CHECK((is_of_onnx_runtime || schema::was_ever_known("", row.op_type)));
  }
}

}  // namespace trtcheck::test
