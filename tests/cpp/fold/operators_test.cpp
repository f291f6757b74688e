// What a table of cases says better than a comparison with a runtime: rounding, opsets, and what has no value.
#include <catch2/catch.hpp>

#include "fold/families.hpp"
#include "fold/rounding.hpp"
#include "folded.hpp"
#include "schema/facts.hpp"

using namespace trtcheck;
using test::Folded;

namespace {

struct Row {
  std::string_view constants;
  std::string_view node;
  std::string_view result;
  int opset = 17;
};

std::string result(const Row& row) {
  return Folded("g (float unused) => (float y) <" + std::string(row.constants) + "> { " + std::string(row.node) +
                    " unrelated = Neg(unused) }",
                row.opset)
      .text("y");
}

void check(std::initializer_list<Row> rows) {
  for (const Row& row : rows) {
    INFO(row.node << " with " << row.constants << " at opset " << row.opset);
    CHECK(result(row) == row.result);
  }
}

}  // namespace

TEST_CASE("casts round, saturate, wrap, or have no value") {
  check({
      {"float[3] a = {1.9, -1.9, 200}", "y = Cast <to: int = 2> (a)",
       "(operator `Cast`: a number does not fit into UINT8)"},
      {"float[3] a = {1.9, 0.5, 200}", "y = Cast <to: int = 2> (a)", "UINT8[3] 1 0 200"},
      {"float[2] a = {2147483648, 0}", "y = Cast <to: int = 6> (a)",
       "(operator `Cast`: a number does not fit into INT32)"},
      {"float[2] a = {-2147483648, 0}", "y = Cast <to: int = 6> (a)", "INT32[2] -2147483648 0"},
      {"int32[3] a = {300, -1, 7}", "y = Cast <to: int = 2> (a)", "UINT8[3] 44 255 7"},
      {"float[3] a = {0, -0.5, 3}", "y = Cast <to: int = 9> (a)", "BOOL[3] 0 1 1"},
      // 2049 is half way between 2048 and 2050 in FLOAT16, 65520 between its largest number and the next.
      {"float[4] a = {2049, 2051, 65519, 65520}", "y = Cast <to: int = 10> (a)", "FLOAT16[4] 26624 26626 31743 31744"},
      {"float[2] a = {1.00390625, 1.01171875}", "y = Cast <to: int = 16> (a)", "BFLOAT16[2] 16256 16258"},
      {"double[1] a = {1.00048828125001}", "y = Cast <to: int = 10> (a)",
       "(operator `Cast`: a number is rounded differently by way of FLOAT)"},
      {"float[3] a = {500, -1000, 1}", "y = Cast <to: int = 17> (a)", "FLOAT8E4M3FN[3] 126 254 56", 19},
      {"float[3] a = {500, -1000, 1}", "y = Cast <to: int = 17, saturate: int = 0> (a)", "FLOAT8E4M3FN[3] 127 255 56",
       19},
      {"float[3] a = {70000, 1, -0.0}", "y = Cast <to: int = 19, saturate: int = 0> (a)", "FLOAT8E5M2[3] 124 60 128",
       19},
      {"float[3] a = {500, 1, -0.0}", "y = Cast <to: int = 18, saturate: int = 0> (a)", "FLOAT8E4M3FNUZ[3] 128 64 0",
       19},
      {"int64[1] a = {9007199254740993}", "y = Cast <to: int = 1> (a)", "FLOAT[1] 9.0072e+15"},
      {"float[1] a = {1.5}", "y = Cast <to: int = 22> (a)",
       "(operator `Cast`: ONNX does not define how fractions become INT4)", 21},
      {"float[3] a = {-8, 7, 3}", "y = Cast <to: int = 22> (a)", "INT4[3] 120 3", 21},
      {"float[1] a = {1}", "y = Cast <to: int = 8> (a)", "(operator `Cast`: a cast to STRING is not evaluated)"},
  });
}

TEST_CASE("every small number survives its decoding") {
  for (const DataType type : {DataType::float16, DataType::bfloat16, DataType::float8e4m3fn, DataType::float8e4m3fnuz,
                              DataType::float8e5m2, DataType::float8e5m2fnuz, DataType::float4e2m1}) {
    const std::uint32_t end = 1U << static_cast<unsigned>(bits_of(type));
    std::uint32_t kept = 0;
    for (std::uint32_t bits = 0; bits < end; ++bits) {
      const double x = fold::decode(type, bits);
      kept += std::isnan(x) || fold::encode(type, x) == bits ? 1U : 0U;
    }
    INFO(to_string(type));
    CHECK(kept == end);
  }
}

TEST_CASE("arithmetic of integers and reals") {
  check({
      {"int8[2] a = {127, -128}, int8[2] b = {1, 1}", "y = Add(a, b)", "INT8[2] -128 -127"},
      {"uint8[2] a = {255, 0}, uint8[2] b = {1, 1}", "y = Sub(a, b)", "UINT8[2] 254 255"},
      {"int32[2] a = {-7, 7}, int32[2] b = {2, -2}", "y = Div(a, b)", "INT32[2] -3 -3"},
      {"int32[2] a = {-7, 7}, int32[2] b = {2, -2}", "y = Mod(a, b)", "INT32[2] 1 -1"},
      {"int32[2] a = {-7, 7}, int32[2] b = {2, -2}", "y = Mod <fmod: int = 1> (a, b)", "INT32[2] -1 1"},
      {"float[1] a = {7}, float[1] b = {2}", "y = Mod(a, b)",
       "(operator `Mod`: this opset defines Mod of real numbers with fmod=1 only)"},
      {"float[1] a = {1}, float[1] b = {0}", "y = Div(a, b)", "FLOAT[1] inf"},
      {"uint32[2] a = {1, 4}, uint32[2] b = {31, 1}", "y = BitShift <direction: string = \"RIGHT\"> (a, b)",
       "UINT32[2] 0 2"},
      {"uint8[1] a = {129}, uint8[1] b = {1}", "y = BitShift <direction: string = \"LEFT\"> (a, b)", "UINT8[1] 2"},
      {"uint8[1] a = {129}, uint8[1] b = {8}", "y = BitShift <direction: string = \"LEFT\"> (a, b)",
       "(operator `BitShift`: a shift by all bits or more)"},
      {"int64[3] a = {2, -1, 3}, int64[3] b = {62, 63, 3}", "y = Pow(a, b)", "INT64[3] 4611686018427387904 -1 27"},
      {"int64[1] a = {2}, int64[1] b = {63}", "y = Pow(a, b)", "(operator `Pow`: a power leaves its type)"},
      {"int64[1] a = {1}, int64[1] b = {9223372036854775807}", "y = Pow(a, b)", "INT64[1] 1"},
      {"int64[1] a = {2}, int64[1] b = {-1}", "y = Pow(a, b)", "(operator `Pow`: a negative power of an integer)"},
      {"float[4] a = {0.5, 1.5, 2.5, -0.5}", "y = Round(a)", "FLOAT[4] 0 2 2 -0"},
      {"float[2,1] a = {1, 2}, float[2] b = {3, 4}", "y = Max(a, b)", "FLOAT[2,2] 3 4 3 4"},
      {"float[2] a = {1, 2}, float[3] b = {3, 4, 5}", "y = Max(a, b)",
       "(operator `Max`: sizes 2 and 3 cannot be broadcast)"},
      {"float[2,1] a = {1, 2}, float[2] b = {3, 4}", "y = Add(a, b)",
       "(operator `Add`: sizes are not equal, and attribute `broadcast` is not set)", 6},
      {"float[2,2] a = {1, 2, 3, 4}, float[2] b = {10, 20}", "y = Add <broadcast: int = 1> (a, b)",
       "FLOAT[2,2] 11 22 13 24", 6},
      {"float[2,2] a = {1, 2, 3, 4}, float[2] b = {10, 20}", "y = Add <broadcast: int = 1, axis: int = 0> (a, b)",
       "FLOAT[2,2] 11 12 23 24", 6},
      {"float[2,1] a = {1, 2}, float[2] b = {3, 4}", "y = Add <broadcast: int = 1> (a, b)",
       "(operator `Add`: sizes cannot be broadcast in one direction)", 6},
      {"float[1,2,1] a = {-1, -1}, float[2] b = {3, 4}", "y = PRelu(a, b)", "FLOAT[1,2,1] -3 -4", 6},
      {"float[3] a = {-3, 0.5, 9}, float low = {-1}, float high = {2}", "y = Clip(a, low, high)", "FLOAT[3] -1 0.5 2"},
      {"float[3] a = {-3, 0.5, 9}", "y = Clip <min: float = -1.0, max: float = 2.0> (a)", "FLOAT[3] -1 0.5 2", 6},
  });
}

TEST_CASE("forms of operators at different opsets") {
  check({
      {"float[4] a = {1, 2, 3, 4}", "y = Slice <starts: ints = [1], ends: ints = [3]> (a)", "FLOAT[2] 2 3", 9},
      {"float[4] a = {1, 2, 3, 4}, int64[1] s = {-1}, int64[1] e = {-9}, int64[1] x = {0}, int64[1] t = {-2}",
       "y = Slice(a, s, e, x, t)", "FLOAT[2] 4 2"},
      {"float[4] a = {1, 2, 3, 4}, int64[1] s = {-9}, int64[1] e = {-10}, int64[1] x = {0}, int64[1] t = {-1}",
       "y = Slice(a, s, e, x, t)", "(operator `Slice`: a slice that goes back starts before the first element)"},
      {"float[4] a = {1, 2, 3, 4}, int64[1] s = {2}, int64[1] e = {9223372036854775807}, int64[1] x = {0}, int64[1] t "
       "= {-1}",
       "y = Slice(a, s, e, x, t)", "(operator `Slice`: a slice that goes back ends at the largest number)"},
      {"float[1,2] a = {1, 2}", "y = Squeeze <axes: ints = [0]> (a)", "FLOAT[2] 1 2", 11},
      {"float[1,2] a = {1, 2}, int64[1] x = {0}", "y = Squeeze(a, x)", "FLOAT[2] 1 2"},
      {"float[1,2] a = {1, 2}, int64[1] x = {1}", "y = Squeeze(a, x)",
       "(operator `Squeeze`: a size that is not 1 is squeezed)"},
      {"float[2,2] a = {1, 2, 3, 4}", "y = ReduceSum <axes: ints = [0], keepdims: int = 0> (a)", "FLOAT[2] 4 6", 11},
      {"float[2,2] a = {1, 2, 3, 4}, int64[1] x = {1}", "y = ReduceMax(a, x)", "FLOAT[2,1] 2 4", 18},
      {"float[2] a = {1, 2}", "y = ReduceSum <noop_with_empty_axes: int = 1> (a)", "FLOAT[2] 1 2", 18},
      {"int32[2] a = {2147483647, 1}", "y = ReduceSum(a)", "(operator `ReduceSum`: an integer leaves its type)"},
      {"int32[2] a = {2147483647, -1}", "y = ReduceSum(a)", "INT32[1] 2147483646"},
      {"float[1,2,1] a = {0, 0}", "y = Softmax(a)", "FLOAT[1,2,1] 0.5 0.5", 11},
      {"float[1,2,1] a = {0, 0}", "y = Softmax(a)", "FLOAT[1,2,1] 1 1", 13},
      {"float[2,3] a = {1, 2, 3, 4, 5, 6}, int64[2] s = {0, -1}", "y = Reshape(a, s)", "FLOAT[2,3] 1 2 3 4 5 6"},
      {"float[2,3] a = {1, 2, 3, 4, 5, 6}, int64[2] s = {4, -1}", "y = Reshape(a, s)",
       "(operator `Reshape`: the new sizes do not keep the number of elements)"},
      {"float[2,3] a = {1, 2, 3, 4, 5, 6}", "y = Reshape <shape: ints = [3, 2]> (a)", "FLOAT[3,2] 1 2 3 4 5 6", 4},
      {"float[1] a = {1}", "y = Split <num_outputs: int = 1> (a)", "FLOAT[1] 1", 18},
      {"float[3] a = {1, 2, 3}, int64[2] p = {0, 0}", "y = Pad <mode: string = \"wrap\"> (a, p)", "FLOAT[3] 1 2 3", 19},
      {"float[3] a = {1, 2, 3}, int64[2] p = {2, 1}", "y = Pad <mode: string = \"reflect\"> (a, p)",
       "FLOAT[6] 3 2 1 2 3 2"},
      {"float[3] a = {1, 2, 3}, int64[2] p = {3, 1}", "y = Pad <mode: string = \"reflect\"> (a, p)",
       "(operator `Pad`: a reflection is longer than its axis)"},
      {"float[3] a = {1, 2, 3}, int64[2] p = {-1, 1}", "y = Pad(a, p)", "FLOAT[3] 2 3 0"},
      {"float[2] a = {1, 2}, int64[2] i = {0, 0}, float[2] u = {3, 4}", "y = ScatterElements(a, i, u)",
       "(operator `ScatterElements`: two updates of one element)"},
      {"float[2] a = {1, 2}, int64[2] i = {0, 0}, float[2] u = {3, 4}",
       "y = ScatterElements <reduction: string = \"add\"> (a, i, u)", "FLOAT[2] 8 2"},
      {"float[2] a = {1, 2}, int64[2] i = {0, -1}, float[2] u = {3, 4}", "y = ScatterElements(a, i, u)",
       "FLOAT[2] 3 4"},
      {"float a = {0}, float b = {1}, float d = {0.1}", "y = Range(a, b, d)",
       "(operator `Range`: a range of FLOAT that can be rounded in two ways)"},
      {"float a = {0}, float b = {3}, float d = {1}", "y = Range(a, b, d)", "FLOAT[3] 0 1 2"},
      {"int64 a = {0}, int64 b = {3}, int64 d = {0}", "y = Range(a, b, d)",
       "(operator `Range`: a range has no end, or is too long)"},
      {"float[2] a = {1, 2}", "y = Neg(a)", "FLOAT[2] -1 -2", 1},
      {"float[1,1,1] a = {1}, float[1] s = {2}, float[1] z = {0}, float[1] v = {1}",
       "y = BatchNormalization <epsilon: float = 0.0> (a, s, z, z, v)", "FLOAT[1,1,1] 2"},
      {"float[1,1,1] a = {1}, float[1] s = {2}, float[1] z = {0}, float[1] v = {1}",
       "y = BatchNormalization <training_mode: int = 1> (a, s, z, z, v)",
       "(operator `BatchNormalization`: it is in training mode)"},
      {"float[3] a = {0.5, 1.5, 300}, float s = {1}, uint8 z = {1}", "y = QuantizeLinear(a, s, z)", "UINT8[3] 1 3 255"},
      {"float[2,2] a = {1, 2, 3, 4}, float[2] s = {1, 2}", "y = QuantizeLinear <axis: int = 0> (a, s)",
       "UINT8[2,2] 1 2 2 2"},
      {"float[2,2] a = {1, 2, 3, 4}, float[3] s = {1, 2, 3}", "y = QuantizeLinear <axis: int = 0> (a, s)",
       "(operator `QuantizeLinear`: there is not one scale for each index of the axis)"},
      {"int8[2,4] a = {1, 2, 3, 4, 5, 6, 7, 8}, float[2,2] s = {1, 2, 3, 4}",
       "y = DequantizeLinear <axis: int = 1, block_size: int = 2> (a, s)", "FLOAT[2,4] 1 2 6 8 15 18 28 32", 21},
  });
}

TEST_CASE("every row names an operator that ONNX has") {
  std::size_t rows = 0;
  for (const auto family :
       {fold::unary_rows, fold::binary_rows, fold::logic_rows, fold::cast_rows, fold::making_rows, fold::movement_rows,
        fold::slicing_rows, fold::indexing_rows, fold::selecting_rows, fold::reduction_rows, fold::running_rows,
        fold::matrix_rows, fold::quantize_rows, fold::inference_rows}) {
    for (const fold::Row& row : family()) {
      INFO(row.op);
      CHECK(schema::was_ever_known("", row.op));
      CHECK(fold::find_row(row.op) == &row);
      ++rows;
    }
  }
  CHECK(rows > 120);
  CHECK(fold::find_row("Conv") == nullptr);
}
