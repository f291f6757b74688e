// The driver: report, options that make no sense.
#include <catch2/catch.hpp>

#include <trtcheck/trtcheck.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

using namespace trtcheck;
using Catch::Matchers::Contains;

namespace {

const std::string kModel = test::onnx_bytes("agraph (float[N,3] x, float[3] s) => (float[N,3] y) { y = Foo (x, s) }");

}  // namespace

TEST_CASE("a report holds the target, the findings and the number of nodes") {
  CheckOptions options;
  options.target.release = parse_release("10.13");
  const Report report = check(test::as_bytes(kModel), options);
  CHECK(report.path.empty());
  CHECK(report.target.release == TrtVersion{10, 13});
  CHECK(report.node_count == 1);
  CHECK(report.verdict() == Verdict::refused);
  CHECK(report.count(Severity::error) == 1);

  options.ignore = {"OPS"};
  const Report quiet = check(test::as_bytes(kModel), options);
  CHECK(quiet.verdict() == Verdict::clean);
  CHECK(quiet.suppressed == 1);

  options.ignore.clear();
  options.target.plugins = {"Foo"};
  CHECK(check(test::as_bytes(kModel), options).verdict() == Verdict::clean);
}

TEST_CASE("options that make no sense are errors") {
  const auto with_profile = [](const char* text) {
    CheckOptions options;
    options.target.profile = {parse_profile(text)};
    return check(test::as_bytes(kModel), options);
  };
  CHECK_THROWS_WITH(with_profile("X2=1x3"), Contains("the model has no input `X2`"));
  CHECK_THROWS_WITH(with_profile("xx=1x3"), Contains("did you mean `x`?"));
  CHECK_THROWS_WITH(with_profile("image=1x3"), Contains("there is `x`, `s`"));
  CHECK_THROWS_WITH(with_profile("x=1x3x4"), Contains("3 axes, the input has 2"));
  CheckOptions options;
  options.select = {"OPS999"};
  CHECK_THROWS_AS(check(test::as_bytes(kModel), options), Error);
}

TEST_CASE("no file, and what is no model") {
  CHECK_THROWS_AS(check(std::string("/no/such/model.onnx"), {}), Error);
  CHECK_THROWS_AS(check(test::as_bytes(std::string("hello, world")), {}), Error);
  CHECK_THROWS_AS(check(std::span<const std::byte>{}, {}), Error);
}

TEST_CASE("the version is three numbers") {
  CHECK_THAT(std::string(version()), Catch::Matchers::Matches("\\d+\\.\\d+\\.\\d+"));
}
