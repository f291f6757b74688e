// Case 3: "Could not find any implementation for node", INT8 grouped and depthwise convolution (NVIDIA/TensorRT 4060).
#include <catch2/catch.hpp>

#include "recipe.hpp"

using namespace trtcheck;
using namespace trtcheck::test;

namespace {

enum class Quantized { none, weights, both };

Recipe layer(const Extents& weight, int group, Quantized quantized = Quantized::both, const std::string& op = "Conv") {
  const std::int64_t channels = op == "Conv" ? weight[1] * group : weight[0];
  Recipe recipe;
  recipe.inputs = "float[1," + std::to_string(channels) + ",16,16] x";
  recipe.constants = {constant("W", weight), scale("a"), scale("w_s", op == "Conv" ? weight[0] : 0)};
  const std::string data = quantized == Quantized::both ? "xd" : "x";
  const std::string kernel = quantized == Quantized::none ? "W" : "wd";
  if (quantized == Quantized::both) recipe.lines.push_back(pair("x", "xd", "a"));
  if (quantized != Quantized::none) recipe.lines.push_back(pair("W", "wd", "w_s", op == "Conv" ? 0 : -1));
  recipe.lines.push_back("c = " + op + "<group=" + std::to_string(group) + ", kernel_shape=[3,3], pads=[1,1,1,1]>(" +
                         data + ", " + kernel + ")");
  recipe.lines.emplace_back("y = Relu(c)");
  return recipe;
}

const Extents kThreePerGroup{24, 3, 3, 3};
const Extents kDepthwise{6, 1, 3, 3};

}  // namespace

TEST_CASE("case 3: three channels per group") {
  const Report old_release = report_of(layer(kThreePerGroup, 8), {"8.6", {}});
  INFO(shown(old_release));
  const Finding refused = only(old_release, "HWD101");
  CHECK(refused.severity == Severity::error);
  CHECK(mentions(refused.message, "3 input and 3 output channels per group (group=8)"));
  CHECK(has_note(refused, "Could not find any implementation for node W + QuantizeLinear_2 + Conv_4"));

  const Finding newer = only(report_of(layer(kThreePerGroup, 8), {"10.3", {}}), "HWD101");
  CHECK(newer.severity == Severity::warning);
  CHECK(has_note(newer, "in float or slower"));
}

TEST_CASE("case 3: the output side, and transposed convolutions") {
  CHECK(mentions(only(report_of(layer({12, 4, 3, 3}, 2), {"8.6", {}}), "HWD101").message, "4 input and 6 output"));
  CHECK(only(report_of(layer({12, 4, 3, 3}, 2, Quantized::both, "ConvTranspose"), {"8.6", {}}), "HWD101").severity ==
        Severity::error);
  CHECK(found(report_of(layer({16, 4, 3, 3}, 2, Quantized::both, "ConvTranspose"), {"8.6", {}}), "HWD101").empty());
}

TEST_CASE("case 3: depthwise by release and compute capability") {
  struct Row {
    For target;
    Extents weight;
    Severity severity;
  };
  const Row rows[] = {
      {{"8.6", "7.5"}, kDepthwise, Severity::error},    {{"8.6", ""}, kDepthwise, Severity::error},
      {{"10.3", "7.5"}, kDepthwise, Severity::error},   {{"10.3", "8.6"}, kDepthwise, Severity::warning},
      {{"10.3", ""}, kDepthwise, Severity::warning},    {{"8.6", "8.7"}, {32, 1, 3, 3}, Severity::warning},
      {{"10.3", "8.9"}, {32, 1, 3, 3}, Severity::info}, {{"10.3", "7.5"}, {32, 1, 3, 3}, Severity::warning},
      {{"latest", ""}, {32, 1, 3, 3}, Severity::info},
  };
  for (const Row& row : rows) {
    const int group = static_cast<int>(row.weight[0]);
    const Report report = report_of(layer(row.weight, group), row.target);
    INFO(row.target.release << " cc " << row.target.compute_capability << "\n" << shown(report));
    CHECK(only(report, "HWD102").severity == row.severity);
    CHECK(found(report, "HWD101").empty());
  }
  CHECK(has_note(only(report_of(layer(kDepthwise, 6), {"8.6", "7.5"}), "HWD102"), "W + QuantizeLinear_2 + Conv_4"));
}

TEST_CASE("case 3: near misses") {
  for (std::string_view release : {"8.6", "10.3", "latest"}) {
    const For target{release, "7.5"};
    INFO(release);
    // Four channels per group are fine; that the layer may be split per group is information.
    const Report four = report_of(layer({32, 4, 3, 3}, 8), target);
    CHECK(is_quiet(four));
    CHECK(only(four, "HWD103").severity == Severity::info);
    CHECK(is_quiet(report_of(layer(kDepthwise, 6, Quantized::none), target)));
    const Report weights = report_of(layer(kDepthwise, 6, Quantized::weights), target);
    CHECK(is_quiet(weights));
    CHECK(found(weights, "HWD102").empty());
    CHECK(only(weights, "QDQ205").severity == Severity::info);
    CHECK(report_of(layer({16, 3, 3, 3}, 1), target).findings.empty());
  }
}
