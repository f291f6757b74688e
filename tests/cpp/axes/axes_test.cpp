// What axes may be, which of them cause findings, and the smallest set to pin.
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <trtcheck/axes.hpp>
#include <trtcheck/error.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

namespace trtcheck {
namespace {

using Catch::Matchers::Contains;

class Asked {
 public:
  explicit Asked(const std::string& text, const std::string& target = "10.13", std::vector<std::string> asked = {},
                 int opset = 17)
      : bytes_(test::onnx_bytes(text, opset)) {
    AxesOptions options;
    options.check.target.release = parse_release(target);
    options.asked = std::move(asked);
    report_ = axes(read_model(test::as_bytes(bytes_)), options);
  }
  const AxesReport* operator->() const { return &report_; }
  [[nodiscard]] const AxesReport& report() const { return report_; }

  /// "N multiples 32 at v; M free"
  [[nodiscard]] std::string states() const {
    std::string text;
    for (const DynamicAxis& axis : report_.axes) {
      text += fmt::format("{}{} {}", text.empty() ? "" : "; ", axis.name, to_string(axis.state));
      if (axis.conditions.empty()) continue;
      const AxisCondition& first = axis.conditions.front();
      if (first.number != 0) text += fmt::format(" {}", first.number);
      if (!first.other.empty()) text += fmt::format(" {}", first.other);
      text += fmt::format(" at {}", first.node);
    }
    return text;
  }
  [[nodiscard]] std::vector<std::string> pins() const {
    std::vector<std::string> names;
    for (const PinnedAxis& pin : report_.pins) names.push_back(pin.name);
    std::ranges::sort(names);
    return names;
  }
  [[nodiscard]] std::set<std::set<std::string>> sets(std::size_t cause) const {
    std::set<std::set<std::string>> made;
    for (const auto& set : report_.caused.at(cause).sets) made.emplace(set.begin(), set.end());
    return made;
  }

 private:
  std::string bytes_;
  AxesReport report_;
};

TEST_CASE("what a size may be") {
  struct Row {
    std::string model, states;
  };
  const Row rows[] = {
      {"agraph (float[batch,4] x) => (float[p,q] y) { [r] y = Relu (x) }", "batch free"},
      // Multiples, and two near misses: a size that always fits, and one that never does.
      {"agraph (float[batch,N] x) => (float[p,q,r] y) <int64[3] t = {0, -1, 32}> { [v] y = Reshape (x, t) }",
       "batch free; N multiples 32 at v"},
      {"agraph (float[batch,N] x) => (float[p,q,r] y) <int64[3] t = {0, -1, 1}> { [v] y = Reshape (x, t) }",
       "batch free; N free"},
      {"agraph (float[N,32] x) => (float[p,q] y) <int64[2] t = {-1, 32}> { [v] y = Reshape (x, t) }", "N free"},
      // One number.
      {"agraph (float[2,N] x) => (float[2,q] y) <float[3,2] w = {1,2,3,4,5,6}> { [m] y = MatMul (x, w) }",
       "N fixed 3 at m"},
      // The size of another axis.
      {"agraph (float[a,4] x, float[b,4] z) => (float[p,q] y) { [c] y = Concat <axis = 1> (x, z) }",
       "a equal b at c; b equal a at c"},
      {"agraph (float[a,4] x, float[b,4] z) => (float[p,q] y) { [c] y = Concat <axis = 0> (x, z) }", "a free; b free"},
      // From a size on.
      {"agraph (float[1,N] x) => (float[1,k] y, int64[1,k] i) <int64[1] k = {9}> { [t] y, i = TopK (x, k) }",
       "N at-least 9 at t"},
      // A condition on two axes together.
      {"agraph (float[a,b] x) => (float[p,q] y) <int64[2] t = {-1, 12}> { [v] y = Reshape (x, t) }",
       "a tied at v; b tied at v"},
      // Conditions that contradict each other are told one after the other.
      {"agraph (float[2,N] x) => (float[2,q] y, float[2,r] z) <float[2,1] v = {1,2}, float[3,1] w = {1,2,3}> "
       "{ [m] y = MatMul (x, v) [k] z = MatMul (x, w) }",
       "N fixed 2 at m"},
      {"agraph (float[2,3] x) => (float[2,3] y) { [r] y = Relu (x) }", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.model);
    CHECK(Asked(row.model).states() == row.states);
  }
}

/// A Conv in groups whose channels TensorRT does not know when a size around them is dynamic.
std::string shuffle(const std::string& sizes) {
  return "agraph (float[" + sizes + R"(] x) => (float[p,q,r,s] y)
    <float[8,2,1,1] w = {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}, int64[5] split = {0,2,2,-1,8}, int64[1] two = {2},
     int64[1] four = {4}, int64[2] channels = {1,-1}> {
      [shape] s = Shape (x) [a] a = Reshape (x, split) [b] b = Transpose <perm = [0,2,1,3,4]> (a)
      [hw] hw = Slice (s, two, four) [t] t = Concat <axis = 0> (channels, hw) [d] d = Reshape (b, t)
      [conv] y = Conv <group = 2> (d, w) })";
}

TEST_CASE("a cause is every set of axes that is enough alone") {
  const Asked both(shuffle("1,4,h,w"));
  REQUIRE(both->caused.size() == 1);
  CHECK(both->caused[0].finding.rule->code == "WGT101");
  CHECK(both.sets(0).contains({"h"}));
  CHECK(both->caused[0].has_all_sets);
  // Without dynamic axes nothing is caused.
  CHECK(Asked(shuffle("1,4,6,8"))->caused.empty());
  const Asked one(shuffle("1,4,h,8"));
  REQUIRE(one->caused.size() == 1);
  CHECK(one.sets(0) == std::set<std::set<std::string>>{{"h"}});
  CHECK(one.pins() == std::vector<std::string>{"h"});
  CHECK(one->pins_suffice);
}

/// Refused up to 11.x where two sizes are dynamic: here two sums of two axes.
constexpr const char* kSums = R"(agraph (float[p0,1,3] x0, float[p1,1,3] x1, float[1,q0,3] z0, float[1,q1,3] z1)
  => (float[a,b,c] y) {
    [x] x = Concat <axis = 0> (x0, x1) [z] z = Concat <axis = 1> (z0, z1) [s] s = Add (x, z)
    [h] y = Hardmax <axis = 2> (s) })";

TEST_CASE("sets of several axes are minimal, and the pins hit them all") {
  const Asked made(kSums, "11.4", {}, 11);
  REQUIRE(made->caused.size() == 1);
  CHECK(made.sets(0) == std::set<std::set<std::string>>{{"p0", "q0"}, {"p0", "q1"}, {"p1", "q0"}, {"p1", "q1"}});
  const std::vector<std::string> pins = made.pins();
  CHECK((pins == std::vector<std::string>{"p0", "p1"} || pins == std::vector<std::string>{"q0", "q1"}));
  CHECK(made->pins_suffice);
  CHECK(made->remaining == 0);
}

TEST_CASE("sizes to pin fit the conditions of the model") {
  // `h` reaches the Conv, and must be a multiple of 6 by another node.
  std::string text = shuffle("1,4,h,8");
  text.replace(text.find("=> (float[p,q,r,s] y)"), 21, "=> (float[p,q,r,s] y, float[u,v] z)");
  text.replace(text.find("int64[1] two"), 0, "int64[2] six = {192, -1}, ");
  text.replace(text.find("[shape]"), 0, "[rows] z = Reshape (x, six) ");
  const Asked made(text);
  REQUIRE(made->pins.size() == 1);
  CHECK(made->pins[0].name == "h");
  CHECK(made->pins[0].size % 6 == 0);
  CHECK(made->axes[0].state == AxisState::multiples);
  CHECK_THAT(made->fix_command, Contains(fmt::format("--static h={}", made->pins[0].size)));
}

TEST_CASE("equal axes get one size") {
  std::string text = shuffle("1,4,h,8");
  text.replace(text.find("] x)"), 4, "] x, float[g,1] o)");
  text.replace(text.find("=> (float[p,q,r,s] y)"), 21, "=> (float[p,q,r,s] y, float[u,v] z)");
  text.replace(text.find("int64[1] two"), 0, "int64[2] rows = {-1, 32}, ");
  text.replace(text.find("[shape]"), 0, "[flat] f = Reshape (x, rows) [join] z = Concat <axis = 1> (f, o) ");
  const Asked made(text);
  CHECK(made.states() == "h equal g at join; g equal h at join");
  std::set<std::int64_t> sizes;
  for (const DynamicAxis& axis : made->axes) sizes.insert(axis.size);
  CHECK(sizes.size() == 1);
}

TEST_CASE("few checks are made") {
  CHECK(Asked("agraph (float[a,b,c,d] x) => (float[e,f,g,h] y) { [r] y = Relu (x) }")->checks <= 3);
  CHECK(Asked(shuffle("1,4,h,8"))->checks <= 5);
}

TEST_CASE("axes that came out as numbers") {
  const std::string text = "agraph (float[batch,1] x, float[1,4] z) => (float[p,q] y) { [a] y = Add (x, z) }";
  const Asked made(text, "10.13", {"x.dim1"});
  REQUIRE(made->fixed.size() == 2);
  CHECK((made->fixed[0].place == "axis 1 of `x`" && made->fixed[0].number == 1 && made->fixed[0].is_asked));
  CHECK((made->fixed[1].place == "axis 0 of `z`" && !made->fixed[1].is_asked));
  CHECK(Asked("agraph (float[2,1] x) => (float[2,1] y) { y = Relu (x) }")->fixed.empty());
}

TEST_CASE("requests that make no sense") {
  const std::string text = "agraph (float[batch,1] x) => (float[p,q] y) { [r] y = Relu (x) }";
  const auto asked = [&](const char* word) { return Asked(text, "10.13", {word}); };
  CHECK_THROWS_WITH(asked("x"), Contains("`x`: an axis is written as NAME.dimN, such as x.dim0"));
  CHECK_THROWS_WITH(asked("x.dim"), Contains("an axis is written as NAME.dimN"));
  CHECK_THROWS_WITH(asked("x.dim-1"), Contains("an axis is written as NAME.dimN"));
  CHECK_THROWS_WITH(asked("x.dim2"), Contains("`x.dim2`: `x` has 2 dims"));
  CHECK_THROWS_WITH(asked("xx.dim0"), Contains("there is no input `xx`, did you mean `x`?"));
  CHECK_NOTHROW(asked("x.dim1"));
  CHECK_THROWS_WITH(render(Asked(text).report(), {.format = Format::sarif}), Contains("full, json"));
  std::string inputs, outputs, nodes;
  for (int i = 0; i < 65; ++i) {
    inputs += fmt::format("{}float[s{}] x{}", i == 0 ? "" : ", ", i, i);
    outputs += fmt::format("{}float[t{}] y{}", i == 0 ? "" : ", ", i, i);
    nodes += fmt::format("y{} = Relu (x{}) ", i, i);
  }
  CHECK_THROWS_WITH(Asked(fmt::format("agraph ({}) => ({}) {{ {} }}", inputs, outputs, nodes)),
                    Contains("the model has 65 dynamic axes, at most 64 can be told apart"));
}

}  // namespace
}  // namespace trtcheck
