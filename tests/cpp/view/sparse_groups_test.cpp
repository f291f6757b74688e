// Groups of four stored values along an axis, counted.
#include <as_bytes.hpp>
#include <catch2/catch.hpp>
#include <onnx_text.hpp>
#include <string>

#include <trtcheck/model.hpp>

#include "view/sparse_groups.hpp"

namespace trtcheck::test {
namespace {

struct Case {
  const char* tensor;  ///< as ONNX text has it
  std::size_t axis;
  std::uint64_t groups;
  std::uint64_t dense;
  std::optional<std::uint64_t> first;
  std::optional<std::size_t> other = {};
  std::int64_t zero = 0;
};

std::optional<SparseGroups> groups_of(const Case& one) {
  const std::string bytes =
      onnx_bytes(std::string("agraph (float[N] x) => (float[N] y) <") + one.tensor + "> { y = Relu(x) }", 21);
  const Model model = read_model(as_bytes(bytes));
  return sparse_groups(model, model.tensor(TensorId{0}), one.axis, one.zero);
}

}  // namespace

TEST_CASE("two of four values must be zero") {
  const Case one = GENERATE(values<Case>({
      {"float[4] w = {0, 1, 0, 1}", 0, 1, 0, {}},
      {"float[4] w = {0, 1, 1, 1}", 0, 1, 1, 0},
      {"float[4] w = {0, 0, 0, 0}", 0, 1, 0, {}},
      {"float[4] w = {-0.0, 1, -0.0, 1}", 0, 1, 0, {}},
      // Two zeros in four values, but of two groups.
      {"float[8] w = {1, 1, 1, 0, 0, 1, 1, 1}", 0, 2, 2, 0},
      {"float[8] w = {1, 1, 0, 0, 0, 1, 1, 1}", 0, 2, 1, 4},
      {"float[4,2] w = {1, 1, 1, 1, 0, 0, 0, 1}", 0, 2, 1, 1},
      {"float[2,4] w = {1, 1, 0, 0, 1, 1, 0, 1}", 1, 2, 1, 4},
      {"float[4,4] w = {1,1,1,1, 0,0,0,0, 1,1,1,1, 0,0,0,0}", 1, 4, 2, 0, 0},
      {"float[4,4] w = {1,0,1,0, 1,0,1,0, 1,0,1,0, 1,0,1,0}", 0, 4, 2, 0, 1},
      {"int8[4] w = {3, 3, 1, 1}", 0, 1, 0, {}, {}, 3},
      {"int8[4] w = {3, 3, 1, 1}", 0, 1, 0, {}, {}, 1},
      {"int8[4] w = {0, 0, 1, 1}", 0, 1, 1, 0, {}, 3},
  }));
  CAPTURE(one.tensor, one.axis, one.zero);
  const auto found = groups_of(one);
  REQUIRE(found);
  CHECK(found->groups == one.groups);
  CHECK(found->dense == one.dense);
  CHECK(found->first_dense == one.first);
  CHECK(found->other_axis == one.other);
}

TEST_CASE("types whose zeros nobody knows are not looked at") {
  CHECK_FALSE(groups_of({"int64[4] w = {0, 0, 0, 0}", 0, 0, 0, {}}));
  CHECK_FALSE(has_sparse_groups(DataType::int4));
  CHECK(has_sparse_groups(DataType::float8e4m3fn));
}

}  // namespace trtcheck::test
