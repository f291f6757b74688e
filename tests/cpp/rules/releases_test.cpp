// What changes from release to release, asked of every known one.
#include <algorithm>
#include <catch2/catch.hpp>

#include "checked.hpp"

using namespace trtcheck;
using namespace trtcheck::test;

namespace {

/// The finding of that rule; nullptr: there is none.
const Finding* of_rule(const std::vector<Finding>& findings, std::string_view code) {
  const auto it = std::ranges::find_if(findings, [&](const Finding& f) { return f.rule->code == code; });
  return it == findings.end() ? nullptr : &*it;
}

}  // namespace

TEST_CASE("from 11.0 on every network is strongly typed") {
  constexpr TrtVersion kStronglyTyped{11, 0};
  for (const TrtVersion release : known_releases()) {
    const std::string name = to_string(release);
    INFO(name);
    const bool strong = release >= kStronglyTyped;
    const std::vector<Finding> of_flag = findings_of("agraph (float[N,4] x) => (float[N,4] y) { y = Relu(x) }",
                                                     "opset=13 precision=fp16 target=" + name);
    const Finding* flag = of_rule(of_flag, "STY201");
    CHECK((flag != nullptr) == strong);
    if (flag != nullptr) {
      CHECK(flag->message.find("precision `fp16` does nothing: TensorRT " + name + " has no such flag") == 0);
      CHECK(flag->fix->title.find("--low_precision_type fp16") != std::string::npos);
    }

    const std::vector<Finding> of_mixed =
        findings_of("agraph (float16[N,4] x) => (float16[N,4] y) <float[4] b = {1,2,3,4}> { y = Add(x, b) }",
                    "opset=13 target=" + name);
    const Finding* mixed = of_rule(of_mixed, "STY101");
    CHECK((mixed != nullptr) == strong);
    if (mixed != nullptr) CHECK(mixed->severity == Severity::error);
  }
}

TEST_CASE("what the tables say is proven as far as they were read, and likely behind that") {
  for (const TrtVersion release : known_releases()) {
    INFO(to_string(release));
    const std::vector<Finding> findings =
        findings_of("agraph (float[2,2] x) => (float y, float z) { y = Det(x) z = Det(x) }",
                    "opset=13 target=" + to_string(release));
    const Finding* finding = of_rule(findings, "OPS101");
    REQUIRE(finding != nullptr);
    const bool is_read = release <= newest_read_release();
    CHECK(finding->certainty == (is_read ? Certainty::proven : Certainty::likely));
    CHECK(std::ranges::none_of(finding->notes, [](const Note& note) {
            return note.message.starts_with("known up to TensorRT ");
          }) == is_read);
    REQUIRE(finding->consequences.size() == 1);
    CHECK(finding->consequences[0].certainty == finding->certainty);
  }
}
