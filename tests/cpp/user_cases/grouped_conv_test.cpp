// Case 0: "kernel weights has count N but N/group was expected" (NVIDIA/TensorRT 3720, 2251, 3273; Incubator 617).
#include <catch2/catch.hpp>

#include "recipe.hpp"

using namespace trtcheck;
using namespace trtcheck::test;

namespace {

/// The channel shuffle of issue 3273: view / transpose / view with `entry` at the channel, then a grouped convolution.
Recipe shuffle(const std::string& input, const std::string& entry, const std::string& weight, int group, int half = 2) {
  Recipe recipe;
  recipe.inputs = input;
  recipe.constants = {weight,
                      "int64[1] i0 = {0}",
                      "int64[1] i2 = {2}",
                      "int64[1] i3 = {3}",
                      "int64[1] two = {2}",
                      "int64[1] half = {" + std::to_string(half) + "}",
                      "int64[1] entry = {" + entry + "}"};
  recipe.lines = {"s = Shape(x)",
                  "n = Gather(s, i0)",
                  "h = Gather(s, i2)",
                  "v = Gather(s, i3)",
                  "t1 = Concat<axis=0>(n, two, half, h, v)",
                  "a = Reshape(x, t1)",
                  "b = Transpose<perm=[0,2,1,3,4]>(a)",
                  "t2 = Concat<axis=0>(n, entry, h, v)",
                  "r = Reshape(b, t2)",
                  "y = Conv<group=" + std::to_string(group) + ", kernel_shape=[3,3], pads=[1,1,1,1]>(r, w)"};
  return recipe;
}

const std::string kDynamic = "float[N,4,H,W] x";
const For kReported{"10.15", {}};  // the newest release that the reports may be of

}  // namespace

TEST_CASE("case 0: the channel shuffle is refused with both counts") {
  const Report report = report_of(shuffle(kDynamic, "-1", constant("w", {8, 2, 3, 3}), 2), kReported);
  INFO(shown(report));
  CHECK(report.verdict() == Verdict::refused);
  REQUIRE(report.findings.size() == 1);
  const Finding finding = only(report, "WGT101");
  CHECK(finding.severity == Severity::error);
  CHECK(finding.certainty == Certainty::likely);
  CHECK(mentions(finding.message, "2 input channels, 8 outputs, 2 groups"));
  CHECK(mentions(finding.message, "kernel weights has count 144 but 72 was expected"));
  CHECK(finding.node == "Conv_9");
  CHECK(has_note(finding, "`N` (axis 0 of graph input `x`)"));
  CHECK(has_note(finding, "Reshape `Reshape_8` writes -1 at index 1"));
  CHECK(has_note(finding, "must be 4"));
  REQUIRE(finding.fix);
  CHECK(mentions(finding.fix->title, "write 4 instead of -1 at index 1 of the target shape of Reshape `Reshape_8`"));
}

TEST_CASE("case 0: an error in the releases of the reports, from 10.16 on a warning with the same numbers") {
  const Recipe recipe = shuffle(kDynamic, "-1", constant("w", {8, 2, 3, 3}), 2);
  for (const TrtVersion release : known_releases()) {
    const Report report = report_of(recipe, {to_string(release), {}});
    INFO(to_string(release) << "\n" << shown(report));
    const bool is_older = release < TrtVersion{10, 16};
    const Finding finding = only(report, "WGT101");
    CHECK(report.verdict() == (is_older ? Verdict::refused : Verdict::uncertain));
    CHECK(finding.severity == (is_older ? Severity::error : Severity::warning));
    CHECK(finding.certainty == (is_older ? Certainty::likely : Certainty::possible));
    CHECK(mentions(finding.message, "kernel weights has count 144 but 72 was expected"));
    CHECK(mentions(finding.message, "TensorRT before 10.16") == !is_older);
    CHECK(mentions(finding.fix->title, "write 4 instead of -1 at index 1"));
  }
}

TEST_CASE("case 0: the chain of reasons runs from the graph input to the convolution") {
  const Finding finding = only(report_of(shuffle(kDynamic, "-1", constant("w", {8, 2, 3, 3}), 2), kReported), "WGT101");
  REQUIRE(finding.notes.size() >= 3);
  CHECK(mentions(finding.notes[0].message, "graph input `x`"));
  CHECK(finding.notes[1].node == "Reshape_8");
  CHECK(finding.notes.back().node == "Conv_9");
}

TEST_CASE("case 0: the numbers of the reports") {
  struct Row {
    Extents weight;
    int group;
    std::string_view counts;
    std::string_view channels;
    std::string_view fix;
  };
  const Row rows[] = {
      {{512, 320, 3, 3},
       2,
       "count 1474560 but 737280 was expected",
       "320 input channels, 512 outputs, 2 groups",
       "write 640 instead"},
      {{256, 128, 3, 3},
       2,
       "count 294912 but 147456 was expected",
       "128 input channels, 256 outputs, 2 groups",
       "write 256 instead"},
  };
  for (const Row& row : rows) {
    const std::string channels = std::to_string(row.weight[1] * row.group);
    const std::string input = "float[N," + channels + ",H,W] x";
    const int half = static_cast<int>(row.weight[1]);
    const Finding finding = only(report_of(shuffle(input, "-1", external("w", row.weight), row.group, half)), "WGT101");
    CHECK(mentions(finding.message, row.counts));
    CHECK(mentions(finding.message, row.channels));
    CHECK(mentions(finding.fix->title, row.fix));
  }
}

TEST_CASE("case 0: depthwise, the group count must divide the one channel seen") {
  const Finding small = only(report_of(shuffle(kDynamic, "-1", constant("w", {4, 1, 3, 3}), 4), kReported), "WGT101");
  CHECK(small.severity == Severity::error);
  CHECK(mentions(small.message, "would see 1 input channel, which group=4 must divide"));

  Recipe reported;  // 128 channels, reshaped to (B, -1, 7, 7)
  reported.inputs = "float[B,6272] x";
  reported.constants = {external("w", {128, 1, 3, 3}), "int64[1] i0 = {0}", "int64[3] rest = {-1,7,7}"};
  reported.lines = {"s = Shape(x)", "n = Gather(s, i0)", "t = Concat<axis=0>(n, rest)", "r = Reshape(x, t)",
                    "y = Conv<group=128, kernel_shape=[3,3], pads=[1,1,1,1]>(r, w)"};
  const Finding finding = only(report_of(reported), "WGT101");
  CHECK(mentions(finding.message, "which group=128 must divide"));
  CHECK(mentions(finding.fix->title, "write 128 instead of -1 at index 1"));
  reported.inputs = "float[10,6272] x";
  CHECK(is_quiet(report_of(reported)));
}

TEST_CASE("case 0: the smaller variant without the shuffle, and ConvTranspose") {
  Recipe recipe = shuffle(kDynamic, "-1", constant("w", {8, 2, 3, 3}), 2);
  recipe.lines.erase(recipe.lines.begin() + 4, recipe.lines.begin() + 7);
  recipe.lines[5] = "r = Reshape(x, t2)";
  CHECK(only(report_of(recipe, kReported), "WGT101").severity == Severity::error);
  CHECK(only(report_of(recipe), "WGT101").severity == Severity::warning);

  recipe.constants[0] = constant("w", {4, 2, 3, 3});
  recipe.lines.back() = "y = ConvTranspose<group=2, kernel_shape=[3,3]>(r, w)";
  CHECK(only(report_of(recipe, kReported), "WGT101").severity == Severity::error);
  CHECK(only(report_of(recipe), "WGT101").severity == Severity::warning);
}

TEST_CASE("case 0: near misses stay silent") {
  const std::string weight = constant("w", {8, 2, 3, 3});
  SECTION("literal channel") { CHECK(report_of(shuffle(kDynamic, "4", weight, 2)).findings.empty()); }
  SECTION("everything folds") { CHECK(report_of(shuffle("float[1,4,32,32] x", "-1", weight, 2)).findings.empty()); }
  SECTION("no reshape") {
    Recipe recipe;
    recipe.inputs = kDynamic;
    recipe.constants = {weight};
    recipe.lines = {"y = Conv<group=2, kernel_shape=[3,3], pads=[1,1,1,1]>(x, w)"};
    CHECK(report_of(recipe).findings.empty());
  }
  SECTION("-1 at the batch") {
    Recipe recipe = shuffle(kDynamic, "4", weight, 2);
    recipe.constants.push_back("int64[1] any = {-1}");
    recipe.lines[7] = "t2 = Concat<axis=0>(any, entry, h, v)";
    CHECK(report_of(recipe).findings.empty());
  }
}

TEST_CASE("case 0: one group builds, which is a warning at most") {
  const Recipe recipe = shuffle(kDynamic, "-1", constant("w", {8, 4, 3, 3}), 1);
  const Report report = report_of(recipe, kReported);
  INFO(shown(report));
  CHECK(found(report, "WGT101").empty());
  CHECK(only(report, "WGT102").severity == Severity::warning);
  CHECK(report.count(Severity::error) == 0);
  // Measured: 10.16 and later build it.
  CHECK(report_of(recipe, {"10.16", {}}).findings.empty());
  CHECK(report_of(recipe).findings.empty());
}

TEST_CASE("case 0: an INT8 layer with one group is refused all the same before 10.16") {
  Recipe recipe = shuffle(kDynamic, "-1", constant("w", {8, 4, 3, 3}), 1);
  recipe.constants.push_back(scale("q"));
  recipe.lines.back() =
      pair("r", "rd", "q") + "\n" + pair("w", "wd", "q") + "\ny = Conv<kernel_shape=[3,3], pads=[1,1,1,1]>(rd, wd)";
  CHECK(only(report_of(recipe, kReported), "WGT102").severity == Severity::error);
  CHECK(only(report_of(recipe), "WGT102").severity == Severity::warning);
}
