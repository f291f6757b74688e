// Which findings of a model share a cause.
#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/trtcheck.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

using namespace trtcheck;

namespace {

Report checked(std::string_view text, const CheckOptions& options = {}) {
  const std::string bytes = test::onnx_bytes(text);
  return check(test::as_bytes(bytes), options);
}

/// "WGT103 x2, OPS103 x1"
std::string groups_of(const Report& report) {
  std::string made;
  for (const FindingGroup& group : report.groups()) {
    made += (made.empty() ? "" : ", ") + std::string(group.front()->rule->code) + " x" + std::to_string(group.size());
  }
  return made;
}

/// Two convolutions on 4 channels; the weights expect `first` and `second`.
std::string convolutions(int first, int second, int outputs = 2) {
  const auto weight = [&](const char* name, int channels, int count) {
    return "float[" + std::to_string(count) + "," + std::to_string(channels) + ",1,1] " + name;
  };
  return "agraph (float[N,4,8,8] x, " + weight("v", first, 2) + ", " + weight("w", second, outputs) +
         ") => (y, z) { [left] y = Conv<kernel_shape=[1,1]>(x, v) [right] z = Conv<kernel_shape=[1,1]>(x, w) }";
}

}  // namespace

TEST_CASE("the same mistake at two nodes is one cause, another mistake another one") {
  CheckOptions options;
  options.select = {"WGT103"};
  CHECK(groups_of(checked(convolutions(3, 3), options)) == "WGT103 x2");
  // Each has a repair of its own.
  CHECK(groups_of(checked(convolutions(3, 5), options)) == "WGT103 x1, WGT103 x1");
}

TEST_CASE("names do not part what belongs together, attributes do") {
  const Report report = checked(
      R"(agraph (float[4] x, float[4] z) => (float[6] a, float[8] b, float[6] c) <int64[2] p = {1, 1}, int64[2] q = {2, 2}> {
    [one] a = Pad<mode="symmetric">(x, p)
    b = Pad<mode="symmetric">(z, q)
    [three] c = Pad<mode="mirror">(x, p)
  })");
  CHECK(groups_of(report) == "OPS401 x2, OPS401 x1");
  CHECK(report.count(Severity::error) == 3);
  CHECK(report.findings[0].group == report.findings[1].group);
  CHECK(report.findings[0].group.size() == 16);
}

TEST_CASE("a rule says what its findings have in common") {
  const std::string text = R"(agraph (float[N,4] x) => (y, z)
    <float s = {0.1}, uint8 p = {3}, uint8 q = {7}> {
    a = QuantizeLinear (x, s, p)
    y = DequantizeLinear (a, s, p)
    b = QuantizeLinear (x, s, q)
    z = DequantizeLinear (b, s, q)
  })";
  CheckOptions options;
  options.select = {"QDQ101"};
  CHECK(groups_of(checked(text, options)) == "QDQ101 x2");
}

TEST_CASE("weights of one type are one cause, whatever their sizes") {
  const std::string text = R"(agraph (float[N,4] x) => (y)
    <bfloat16[4] a = {1, 1, 1, 1}, bfloat16[2,2] b = {1, 1, 1, 1}> { y = Relu (x) })";
  CheckOptions options;
  options.target.release = {8, 6};
  options.select = {"MDL312"};
  CHECK(groups_of(checked(text, options)) == "MDL312 x2");
}

TEST_CASE("selection, severities and suppressions stay those of single findings") {
  CheckOptions options;
  options.select = {"WGT103"};
  options.node_ignores = {{"left", {}, "known"}};
  const Report report = checked(convolutions(3, 3), options);
  CHECK(groups_of(report) == "WGT103 x1");
  REQUIRE(report.suppressions.size() == 1);
  CHECK(report.suppressions[0].finding.group == report.findings[0].group);
  options.node_ignores.clear();
  options.severities = {{"WGT103", Severity::info}};
  CHECK(groups_of(checked(convolutions(3, 3), options)) == "WGT103 x2");
}
