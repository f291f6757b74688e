// What a caller assumes of the sizes of a model, and what a size is made of.
#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <trtcheck/error.hpp>
#include <trtcheck/shapes.hpp>

#include "shapes/trace.hpp"

#include "inferred.hpp"

namespace trtcheck::test {
namespace {

using Texts = std::vector<std::string>;

std::string sized(std::string_view model, Texts assume, std::string_view value = "y") {
  return Inferred(model, 17, {.ranges = {}, .as_tensorrt = false, .assume = std::move(assume)}).text(value);
}

std::string refused(std::string_view model, Texts assume, std::vector<InputRange> ranges = {}) {
  try {
    const Inferred inferred(model, 17,
                            {.ranges = std::move(ranges), .as_tensorrt = false, .assume = std::move(assume)});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

constexpr std::string_view kSum =
    "g (float[past,4] a, float[seq,4] b, float[total,4] m) => (y) "
    "{ c = Concat<axis = 0>(a, b)  y = Add(c, m) }";

TEST_CASE("equations are solved, whatever their order") {
  CHECK(sized(kSum, {}, "m") == "FLOAT[total,4]");
  CHECK(sized(kSum, {"past + seq == total"}, "m") == "FLOAT[past + seq,4]");
  CHECK(sized(kSum, {"total == past + seq"}) == "FLOAT[past + seq,4]");
  CHECK(sized(kSum, {"total - seq == past"}) == "FLOAT[past + seq,4]");
  CHECK(sized(kSum, {"seq == 2*past", "past + seq == total"}) == "FLOAT[3*past,4]");
  CHECK(sized(kSum, {"past + seq == total", "seq == 2*past"}) == "FLOAT[3*past,4]");
  CHECK(sized(kSum, {"past + seq == total", "total == 12", "seq == 1"}, "a") == "FLOAT[11,4]");
  CHECK(sized(kSum, {"past + seq == total", "seq + past == total"}) == "FLOAT[past + seq,4]");
}

TEST_CASE("an equation removes what it answers") {
  CHECK_FALSE(Inferred(kSum).obligations().empty());
  const Inferred solved(kSum, 17, {.ranges = {}, .as_tensorrt = false, .assume = {"past + seq == total"}});
  CHECK(solved.obligations().empty());
}

TEST_CASE("bounds that follow from sums") {
  const Inferred inferred(kSum, 17, {.ranges = {}, .as_tensorrt = false, .assume = {"past + seq <= 9", "past >= 3"}});
  DimTable& dims = inferred.shapes().dims();
  CHECK(dims.bounds(dims.symbol("past")) == Interval{3, 8});
  CHECK(dims.bounds(dims.symbol("seq")) == Interval{1, 6});
  const Interval total = dims.bounds(inferred.shapes()[inferred.value("c")].dims[0]);
  CHECK(total.low <= 4);
  CHECK(total.high >= 9);
}

TEST_CASE("a range of the size that is solved for is kept") {
  const Inferred inferred(
      kSum, 17, {.ranges = {{"m", {{2, 64}, {4, 4}}}}, .as_tensorrt = false, .assume = {"past + seq == total"}});
  DimTable& dims = inferred.shapes().dims();
  CHECK(dims.bounds(inferred.shapes()[inferred.value("m")].dims[0]) == Interval{2, 64});
  CHECK(dims.bounds(dims.symbol("past")) == Interval{1, 63});
}

TEST_CASE("a computed size may still be zero") {
  constexpr std::string_view model = "g (float[4] x) => (float[K] y) { c = NonZero(x)  y = Foo(c) }";
  const Inferred inferred(model, 17, {.ranges = {}, .as_tensorrt = false, .assume = {"K <= 7"}});
  CHECK(inferred.shapes().dims().bounds(inferred.shapes()[inferred.value("y")].dims[0]) == Interval{0, 7});
}

TEST_CASE("assumptions that make no sense are refused with both sides") {
  CHECK(refused(kSum, {"totl == 4"}) == "assumption `totl == 4`: the model has no size `totl`, did you mean `total`?");
  CHECK(refused(kSum, {"past <= 4", "past >= 8"}) ==
        "assumption `past >= 8`: it cannot hold together with the assumption `past <= 4`");
  CHECK(refused(kSum, {"past + seq + 2 == total", "total >= 9"}).find("contradicts the model: Add `") !=
        std::string::npos);
  CHECK(refused(kSum, {"past == 9"}, {{"a", {{1, 4}, {4, 4}}}}) ==
        "assumption `past == 9`: it cannot hold: `past` is from 1 to 4");
  CHECK(refused(kSum, {"past"}).find("it must compare sizes") != std::string::npos);
}

/// "a:0 b:1", "t[1]": the sources of an axis.
std::string sources(const Inferred& inferred, std::string_view value, std::uint32_t index,
                    TracePlace::Part part = TracePlace::Part::axis) {
  Tracer tracer(inferred.model(), {});
  std::string out;
  for (const TracePlace& place : tracer.sources({inferred.value(value), part, index})) {
    const bool is_axis = place.part == TracePlace::Part::axis;
    out += (out.empty() ? "" : " ") + std::string(inferred.model().value(place.value).name) + (is_axis ? ":" : "[") +
           std::to_string(place.index) + (is_axis ? "" : "]");
  }
  return out;
}

TEST_CASE("what an axis is made of") {
  const Inferred inferred(
      "g (float[N,8,H,W] x, float[16,8,3,3] w, float[N,K] p, float[K,M] q) "
      "=> (y) <int64[2] target = {0, -1}, int64[1] i = {2}> { "
      "c = Conv(x, w)  t = Transpose<perm = [0, 2, 3, 1]>(x)  m = MatMul(p, q)  j = Concat<axis = 1>(p, p) "
      "s = Shape(x)  h = Gather(s, i)  r = Reshape(p, target)  e = Expand(q, h)  a = Add(x, x)  y = Relu(c) }");
  CHECK(sources(inferred, "c", 0) == "x:0");
  CHECK(sources(inferred, "c", 1) == "w:0");
  CHECK(sources(inferred, "c", 2) == "x:2 w:2");
  CHECK(sources(inferred, "t", 1) == "x:2");
  CHECK(sources(inferred, "t", 3) == "x:1");
  CHECK(sources(inferred, "m", 0) == "p:0");
  CHECK(sources(inferred, "m", 1) == "q:1");
  CHECK(sources(inferred, "j", 1) == "p:1");
  CHECK(sources(inferred, "s", 2, TracePlace::Part::element) == "x:2");
  CHECK(sources(inferred, "h", 0, TracePlace::Part::element) == "s[2]");
  CHECK(sources(inferred, "a", 3) == "x:3");
  CHECK(sources(inferred, "x", 0).empty());
}

TEST_CASE("asking leaves everything as it was") {
  const Inferred inferred("g (float[N,4] x, float[M,4] w) => (y) { c = Add(x, w)  y = Relu(c) }");
  Tracer tracer(inferred.model(), {});
  const ValueId y = inferred.value("y");
  const std::string before = tracer.shapes().text(y);
  const std::size_t obligations = tracer.shapes().obligations().size();
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    static_cast<void>(tracer.sources({y, TracePlace::Part::axis, axis}));
    static_cast<void>(tracer.sources({inferred.value("c"), TracePlace::Part::axis, axis}));
  }
  CHECK(tracer.shapes().text(y) == before);
  CHECK(tracer.shapes().text(inferred.value("c")) == inferred.text("c"));
  CHECK(tracer.shapes().obligations().size() == obligations);
  CHECK(tracer.shapes().conflicts().empty());
}

}  // namespace
}  // namespace trtcheck::test
