// What the user writes: releases, precisions, compute capabilities, profiles.
#include <catch2/catch.hpp>

#include <trtcheck/error.hpp>
#include <trtcheck/target.hpp>

using namespace trtcheck;
using Catch::Matchers::Contains;

TEST_CASE("releases") {
  CHECK(parse_release("10.13") == TrtVersion{10, 13});
  CHECK(parse_release("10.13.2") == TrtVersion{10, 13});
  CHECK(parse_release("8.6.1.6") == TrtVersion{8, 6});
  CHECK(to_string(parse_release("rtx-1.7")) == "rtx-1.7");
  CHECK(parse_release("rtx-1.7.1") == parse_release("rtx-1.7"));
  for (const TrtVersion release : known_rtx_releases()) CHECK(parse_release(to_string(release)) == release);
  for (const char* text : {"rtx", "rtx-", "rtx-1", "rtx-1.70", "rtx-1.7.", "rtx-1.7x", "rtx-1.7.1 ", "rtx1.7.1"}) {
    CHECK_THROWS_WITH(parse_release(text), Contains("rtx-1.5, rtx-1.6, rtx-1.7"));
  }
  CHECK(parse_release("latest") == known_releases().back());
  for (const char* text :
       {"", "10", "10.", ".10", "10.x", "ten", "10.13.", "-10.1", "10.-1", "10.99999", "1.2.3.4.5"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_release(text), Error);
  }
  CHECK_THROWS_WITH(parse_release("10.17"), Contains("10.17") && Contains("nearest known release is 10.16"));
  CHECK_THROWS_WITH(parse_release("8.1"), Contains("nearest known release is 8.0"));
  CHECK_THROWS_WITH(parse_release("7.2"), Contains("8.0"));
  CHECK_THROWS_WITH(parse_release("lates"), Contains("did you mean `latest`?"));
}

TEST_CASE("precisions, in any letter case") {
  CHECK(parse_precision("fp16") == Precision::fp16);
  CHECK(parse_precision("INT8") == Precision::int8);
  CHECK(to_string(Precision::bf16) == "bf16");
  CHECK_THROWS_WITH(parse_precision("fp61"), Contains("did you mean `fp16`?"));
  CHECK_THROWS_WITH(parse_precision("half"), Contains("fp32, tf32, fp16"));
}

TEST_CASE("compute capabilities") {
  struct Row {
    const char* text;
    ComputeCapability expected;
  };
  const Row rows[] = {{"8.6", {8, 6}},   {"86", {8, 6}},   {"sm_86", {8, 6}},
                      {"12.0", {12, 0}}, {"120", {12, 0}}, {"sm_100", {10, 0}}};
  for (const Row& row : rows) CHECK(parse_compute_capability(row.text) == row.expected);
  const Row gpus[] = {{"h100", {9, 0}},
                      {"NVIDIA H100 PCIe", {9, 0}},
                      {"RTX 4090", {8, 9}},
                      {"NVIDIA GeForce RTX 3060 Laptop GPU", {8, 6}},
                      {"rtx-5070-ti", {12, 0}},
                      {"Tesla T4", {7, 5}},
                      {"A100-SXM4-80GB", {8, 0}},
                      {"A10G", {8, 6}},
                      {"RTX A2000", {8, 6}},
                      {"RTX PRO 6000 Blackwell", {12, 0}},
                      {"Jetson AGX Orin", {8, 7}},
                      {"orin", {8, 7}},
                      {"thor", {11, 0}}};
  for (const Row& row : gpus) {
    INFO(row.text);
    CHECK(parse_compute_capability(row.text) == row.expected);
  }
  CHECK_THROWS_WITH(parse_compute_capability("h10"), Contains("did you mean `h100`?"));
  for (const char* text : {"99.9", "999", "8.5", "sm_130"}) {
    INFO(text);
    CHECK_THROWS_WITH(parse_compute_capability(text), Contains("no GPU has ") && Contains("8.6, 8.7, 8.8, 8.9"));
  }
  CHECK_THROWS_WITH(parse_compute_capability("RTX 4091"), Contains("did you mean `rtx4090`?"));
  for (const char* text : {"A1000", "rtx40901", "RTX", "T40", "orin2"}) {
    INFO(text);
    CHECK_THROWS_WITH(parse_compute_capability(text), Contains("no GPU that is known"));
  }
  for (const char* text : {"", "8", "8.", ".6", "8.66", "sm_", "eight", "8.6.1", "86a", "-8.6", "12345"}) {
    INFO(text);
    CHECK_THROWS_WITH(parse_compute_capability(text), Contains("is not of the form"));
  }
}

TEST_CASE("profiles as trtexec writes them") {
  const ProfileInput three = parse_profile("x=1x3x224x224:4x3x224x224:8x3x224x224");
  CHECK(three.name == "x");
  CHECK(three.min == std::vector<std::int64_t>{1, 3, 224, 224});
  CHECK(three.opt == std::vector<std::int64_t>{4, 3, 224, 224});
  CHECK(three.max == std::vector<std::int64_t>{8, 3, 224, 224});
  const ProfileInput one = parse_profile("serving:input=2x5");
  CHECK(one.name == "serving:input");
  CHECK(one.min == std::vector<std::int64_t>{2, 5});
  CHECK(one.max == one.min);
  CHECK(parse_profile("k=").min.empty());  // a scalar
  struct Row {
    const char* text;
    const char* name;
  };
  for (const Row& row : {Row{"x:2x5", "x"}, Row{"input:0:2x5", "input:0"}, Row{"'input:0':2x5", "input:0"},
                         Row{"x=y:z=2x5", "x=y:z"}, Row{"scope:1:2x5", "scope:1"}}) {
    INFO(row.text);
    const ProfileInput shape = parse_profile(row.text);
    CHECK(shape.name == row.name);
    CHECK(shape.min == std::vector<std::int64_t>{2, 5});
    CHECK(shape.max == shape.min);
  }
}

TEST_CASE("profiles that make no sense say why") {
  struct Row {
    const char* text;
    const char* cause;
  };
  const Row rows[] = {
      {"x", "NAME=MIN:OPT:MAX"},
      {"=1x2", "NAME=MIN:OPT:MAX"},
      {":1x2", "NAME=MIN:OPT:MAX"},
      {"x:1x3:4x3:8x3", "NAME=MIN:OPT:MAX"},
      {"x:1x3;2", "separated by x"},
      {"x=n:1x3", "dims with x between"},
      {"x=1x2:3x4", "there are 2"},
      {"x=1x2:1x2:1x2:1x2", "there are 4"},
      {"x=1x2:1x2x3:1x2", "the ranks of min, opt and max differ: 2, 3, 2"},
      {"x=4x2:1x2:8x2", "axis 0 needs min <= opt <= max, it has 4, 1, 8"},
      {"x=1x2:1x9:1x8", "axis 1 needs min <= opt <= max"},
      {"x=1x-2", "dims with x between"},
      {"x=1,3", "separated by x"},
      {"x=1x", "separated by x"},
      {"x=99999999999", "dims with x between"},
      {"x=99999999999999999999999", "dims with x between"},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK_THROWS_WITH(parse_profile(row.text), Contains(row.cause));
  }
}

TEST_CASE("a profile bounds the symbols") {
  Target target;
  target.profile = {parse_profile("x=1x3:2x3:4x3")};
  const InferOptions options = infer_options(target);
  REQUIRE(options.ranges.size() == 1);
  CHECK(options.ranges[0].input == "x");
  CHECK(options.ranges[0].dims == std::vector<Interval>{{1, 4}, {3, 3}});
}
