#include "recipe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <as_bytes.hpp>
#include <catch2/catch.hpp>
#include <functional>
#include <numeric>
#include <onnx_text.hpp>

namespace trtcheck::test {
namespace {

std::int64_t count_of(const Extents& dims) {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

std::string type_of(std::string_view type, const Extents& dims) {
  return dims.empty() ? std::string(type) : fmt::format("{}[{}]", type, fmt::join(dims, ","));
}

}  // namespace

std::string constant(std::string_view name, const Extents& dims, std::string_view type, std::string_view value) {
  const std::vector<std::string_view> values(static_cast<std::size_t>(count_of(dims)), value);
  return fmt::format("{} {} = {{{}}}", type_of(type, dims), name, fmt::join(values, ","));
}

std::string external(std::string_view name, const Extents& dims) {
  return fmt::format(R"({} {} = ["location": "{}.bin", "offset": "0", "length": "{}"])", type_of("float", dims), name,
                     name, 4 * count_of(dims));
}

std::string scale(std::string_view name, std::int64_t count) {
  const Extents dims = count == 0 ? Extents{} : Extents{count};
  return constant(name, dims, "float", "0.05") + ", " + constant(fmt::format("{}_zero", name), dims, "int8", "0");
}

std::string pair(std::string_view in, std::string_view out, std::string_view scale, int axis) {
  const std::string at = axis < 0 ? std::string() : fmt::format("<axis={}>", axis);
  return fmt::format(
      "{0}_codes = QuantizeLinear{1}({2}, {3}, {3}_zero)\n{0} = DequantizeLinear{1}({0}_codes, {3}, {3}_zero)", out, at,
      in, scale);
}

std::string Recipe::text() const {
  const std::string stored = constants.empty() ? std::string() : fmt::format("<{}>", fmt::join(constants, ", "));
  return fmt::format("agraph ({}) => ({})\n{} {{\n{}\n}}", inputs, outputs, stored, fmt::join(lines, "\n"));
}

Report report_of(const Recipe& recipe, const For& target) {
  CheckOptions options;
  options.target.release = parse_release(target.release);
  if (!target.compute_capability.empty()) {
    options.target.compute_capability = parse_compute_capability(target.compute_capability);
  }
  const std::string bytes = with_declared_outputs(onnx_bytes(recipe.text(), 13));
  return check(as_bytes(bytes), options);
}

std::vector<Finding> found(const Report& report, std::string_view code) {
  std::vector<Finding> hits;
  for (const Finding& finding : report.findings) {
    if (finding.rule->code == code) hits.push_back(finding);
    for (const Finding& consequence : finding.consequences) {
      if (consequence.rule->code == code) hits.push_back(consequence);
    }
  }
  return hits;
}

Finding only(const Report& report, std::string_view code) {
  INFO(shown(report));
  const std::vector<Finding> hits = found(report, code);
  REQUIRE(hits.size() == 1);
  return hits.front();
}

bool is_quiet(const Report& report) { return report.verdict() == Verdict::clean; }

bool mentions(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool has_note(const Finding& finding, std::string_view part) {
  return std::ranges::any_of(finding.notes, [&](const Note& note) { return mentions(note.message, part); });
}

std::string shown(const Report& report) {
  std::string text;
  for (const Finding& finding : report.findings) {
    text +=
        fmt::format("{} {} {}: {}\n", to_string(finding.severity), finding.rule->code, finding.node, finding.message);
    for (const Note& note : finding.notes) text += "  " + note.message + "\n";
  }
  return text.empty() ? "nothing found" : text;
}

}  // namespace trtcheck::test
