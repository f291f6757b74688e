// The file of ranges and the graph that it belongs to; numbers as people read them; stored numbers that are none.
#include <as_bytes.hpp>
#include <catch2/catch.hpp>
#include <limits>
#include <onnx_text.hpp>
#include <string>
#include <vector>

#include <trtcheck/ranges.hpp>
#include <trtcheck/trtcheck.hpp>

#include "text/readable.hpp"
#include "view/number_scan.hpp"

namespace trtcheck::test {
namespace {

std::string id_of(std::string_view text) {
  const std::string bytes = onnx_bytes(text, 17);
  return graph_id(read_model(as_bytes(bytes)));
}

MeasuredTensor measured(std::string name, std::optional<double> min, std::optional<double> max) {
  MeasuredTensor tensor;
  tensor.name = std::move(name);
  tensor.type = DataType::float32;
  tensor.elements = 7;
  tensor.nans = 2;
  tensor.min = min;
  tensor.max = max;
  return tensor;
}

constexpr std::string_view kModel = R"(agraph (float[N,2] x) => (float[N,2] y)
<float[2] w = {1, 2}> { a = Mul(x, w) y = Relu(a) })";

std::string changed(std::string_view part, std::string_view other) {
  std::string text(kModel);
  return text.replace(text.find(part), part.size(), other);
}

}  // namespace

TEST_CASE("the graph is told apart by operators and names, not by weights and sizes") {
  const std::string id = id_of(kModel);
  CHECK(id.size() == 16);
  CHECK(id_of(changed("{1, 2}", "{3, 4}")) == id);
  CHECK(id_of(changed("float[N,2] x", "float[M,2] x")) == id);
  CHECK(id_of(changed("Relu", "Tanh")) != id);
  CHECK(id_of(changed("Relu(a)", "Relu(x)")) != id);
  CHECK(id_of(changed("a = Mul(x, w) y = Relu(a)", "b = Mul(x, w) y = Relu(b)")) != id);
  CHECK(id_of(changed("y = Relu(a)", "y = Relu(a) z = Tanh(a)")) != id);
}

TEST_CASE("what is written is read again") {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const Ranges ranges{.path = "r.json",
                      .model = "a \"quoted\" \xff.onnx",
                      .graph = "0123456789abcdef",
                      .samples = 3,
                      .left_out = 2,
                      .tensors = {measured("x", -0.1, 1e300), measured("all NaN", {}, {}), measured("t", tiny, tiny)}};
  const Ranges read = parse_ranges(to_json(ranges), "r.json");
  CHECK(read.tensors == ranges.tensors);
  CHECK(read.graph == ranges.graph);
  CHECK(read.samples == 3);
  CHECK(read.left_out == 2);
  CHECK(to_json(read) == to_json(ranges));
}

TEST_CASE("ranges of another model name what is missing") {
  const std::string bytes = onnx_bytes(kModel, 17);
  const Model model = read_model(as_bytes(bytes));
  Ranges ranges{.path = "r.json", .model = {}, .graph = graph_id(model), .samples = 1, .left_out = 0, .tensors = {}};
  CHECK_NOTHROW(check_belongs(ranges, model));
  ranges.graph = "0000000000000000";
  CHECK_THROWS_WITH(check_belongs(ranges, model), Catch::Contains("the model: its nodes are not the same; measure"));
  ranges.tensors = {measured("a", 0, 1), measured("aa", 0, 1)};
  CHECK_THROWS_WITH(check_belongs(ranges, model),
                    Catch::StartsWith("r.json: ") && Catch::Contains("it has no tensor `aa`"));
}

TEST_CASE("magnitudes and readable numbers") {
  CHECK(measured("x", -3, 2).magnitude() == 3);
  CHECK(measured("x", {}, {}).magnitude() == 0);
  const std::vector<std::pair<double, std::string>> texts{
      {0, "0"},          {2.54, "2.54"},         {-81204, "-81,204"}, {999.94, "999.9"},
      {999.96, "1,000"}, {1234567, "1,234,567"}, {1e9, "1e+09"},      {-3.4e38, "-3.4e+38"},
      {6e-8, "6e-08"},   {65519.6, "65,520"}};
  for (const auto& [number, text] : texts) CHECK(readable(number) == text);
}

TEST_CASE("NaN and infinite numbers are counted, as raw bytes and as typed ones") {
  const std::string bytes = onnx_bytes(R"(agraph (float[3] x) => (float[3] y)
<float[3] a = {nan, -inf, 1}, float16[4] h = {31744, 64512, 32257, 31743}, int32[1] i = {1}> { y = Add(x, a) })",
                                       17);
  const Model model = read_model(as_bytes(bytes));
  const auto scan = [&](std::size_t index) {
    return scan_numbers(model, model.tensor(model.graph().initializers[index]));
  };
  REQUIRE(scan(0));
  CHECK(scan(0)->elements == 3);
  CHECK(scan(0)->nans == 1);
  CHECK(scan(0)->infinite == 1);
  REQUIRE(scan(1));
  CHECK(scan(1)->nans == 1);
  CHECK(scan(1)->infinite == 2);
  CHECK(!scan(2));
}

}  // namespace trtcheck::test
