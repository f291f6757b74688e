// A model that is inferred once for several targets.
#include <catch2/catch.hpp>

#include <string>

#include <trtcheck/trtcheck.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

using namespace trtcheck;

TEST_CASE("one analysis serves many targets") {
  const std::string bytes = test::onnx_bytes(R"(agraph (float[N,4] x) => (y)
    <float s = {0.1}, int8 p = {0}> { a = QuantizeLinear (x, s, p) b = DequantizeLinear (a, s, p) y = Gelu (b) })",
                                             20);
  const Model model = read_model(test::as_bytes(bytes));
  const Analysis analysis(model);
  CHECK(&analysis.model() == &model);
  for (const TrtVersion release : known_releases()) {
    CheckOptions options;
    options.target.release = release;
    CAPTURE(to_string(release));
    const Report shared = check(analysis, options), alone = check(model, options);
    CHECK(render({&shared, 1}, {.format = Format::json}) == render({&alone, 1}, {.format = Format::json}));
  }
  Target newer, with_profile;
  newer.release = TrtVersion{10, 13};
  with_profile.profile = {parse_profile("x=2x4")};
  CHECK(&analysis.shapes() == &analysis.shapes(newer));
  CHECK(&analysis.shapes() != &analysis.shapes(with_profile));
  CHECK(&analysis.shapes(with_profile) == &analysis.shapes(with_profile));
  with_profile.profile = {parse_profile("y=2x4")};
  CHECK_THROWS_AS(analysis.shapes(with_profile), Error);
}
