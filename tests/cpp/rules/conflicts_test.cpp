// What shape inference cannot reconcile about a convolution or a normalization is told, once, by the rule that speaks
// for it: over a grid of sizes that fit and sizes that do not.
#include <catch2/catch.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include <trtcheck/trtcheck.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

using namespace trtcheck;

namespace {

bool speaks_for(const Rule& rule, ConflictId id) {
  return std::ranges::find(rule.conflicts, id) != rule.conflicts.end();
}

std::vector<const Finding*> flat(const std::vector<Finding>& findings) {
  std::vector<const Finding*> all;
  for (const Finding& finding : findings) {
    all.push_back(&finding);
    for (const Finding& consequence : finding.consequences) all.push_back(&consequence);
  }
  return all;
}

/// @return  how many conflicts the one node has
std::size_t check_each_is_told(const std::string& text) {
  const std::string bytes = test::onnx_bytes(text);
  const Model model = read_model(test::as_bytes(bytes));
  const Shapes shapes = infer(model);
  const Report report = check(model, {});
  const std::vector<const Finding*> findings = flat(report.findings);
  INFO(text);
  for (const Conflict& conflict : shapes.conflicts()) {
    INFO(conflict.message);
    REQUIRE(conflict.id != ConflictId::other);
    CHECK(std::ranges::any_of(findings, [&](const Finding* f) { return speaks_for(*f->rule, conflict.id); }));
  }
  const auto told = std::ranges::count_if(
      findings, [](const Finding* f) { return f->severity == Severity::error && !f->rule->conflicts.empty(); });
  CHECK((told > 0) == !shapes.conflicts().empty());
  CHECK(std::ranges::none_of(findings, [](const Finding* f) { return f->rule->code == "SHP101"; }));
  return shapes.conflicts().size();
}

}  // namespace

TEST_CASE("every conflict of a convolution is told by the rule that speaks for it") {
  std::size_t conflicts = 0;
  std::size_t fits = 0;
  for (const std::string_view op : {"Conv", "ConvTranspose"}) {
    for (const std::string_view data : {"1,4,9,9", "N,4,9,9", "1,6,9,9", "1,4,9", "4,9"}) {
      for (const std::string_view weight : {"4,4,3,3", "4,2,3,3", "6,4,3,3", "4,4,3,3,3"}) {
        for (const std::string_view bias : {"4", "8", "6", "4,1", "1"}) {
          for (const int group : {1, 2, 3, 0}) {
            for (const std::string_view kernel : {"3,3", "3,1", "3,3,3"}) {
              const std::size_t found =
                  check_each_is_told(fmt::format("agraph (float[{}] x, float[{}] w, float[{}] b) => (y) {{ y = "
                                                 "{}<group={}, kernel_shape=[{}]>(x, w, b) }}",
                                                 data, weight, bias, op, group, kernel));
              conflicts += found;
              fits += found == 0 ? 1 : 0;
            }
          }
        }
      }
    }
  }
  CHECK(conflicts > 1000);
  CHECK(fits > 10);
}

TEST_CASE("every conflict of a normalization is told by the rule that speaks for it") {
  std::size_t conflicts = 0;
  for (const std::string_view data : {"1,4,9,9", "N,4,9,9", "N,6,H,W"}) {
    for (const std::string_view scale : {"4", "6", "1,4"}) {
      for (const std::string_view variance : {"4", "6", "4,1"}) {
        const std::string list = fmt::format("float[{}] x, float[{}] s, float[{}] v", data, scale, variance);
        const std::size_t found =
            check_each_is_told(fmt::format("agraph ({}) => (y) {{ y = BatchNormalization(x, s, s, s, v) }}", list));
        conflicts += found;
      }
    }
  }
  CHECK(conflicts > 10);
}
