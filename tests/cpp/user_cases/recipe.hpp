// Building blocks of the five reported conversion failures, as ONNX text, and questions about the report.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/trtcheck.hpp>

namespace trtcheck::test {

using Extents = std::vector<std::int64_t>;

/// "float[8,2,3,3] w = {1,1,...}", for the initializer list of a graph.
std::string constant(std::string_view name, const Extents& dims, std::string_view type = "float",
                     std::string_view value = "1");
/// The same with its data in an external file, which nobody opens: for weights of the size that was reported.
std::string external(std::string_view name, const Extents& dims);
/// Scale and all-zero INT8 zero point of `count` values: "s" and "s_zero". count 0 = one scalar.
std::string scale(std::string_view name, std::int64_t count = 0);

/// `out` = DequantizeLinear(QuantizeLinear(in)), with scale `scale` and zero point `scale`_zero. axis < 0: no
/// attribute.
std::string pair(std::string_view in, std::string_view out, std::string_view scale, int axis = -1);

/// A graph from its parts; everything opset 13.
struct Recipe {
  std::string inputs;
  std::vector<std::string> constants;
  std::vector<std::string> lines;
  std::string outputs = "y";
  [[nodiscard]] std::string text() const;
};

struct For {
  std::string_view release = "latest";
  std::string_view compute_capability;
};
Report report_of(const Recipe& recipe, const For& target = {});

/// The findings with that code, consequences included.
std::vector<Finding> found(const Report& report, std::string_view code);
/// Exactly one finding has that code.
Finding only(const Report& report, std::string_view code);
/// Neither errors nor warnings.
bool is_quiet(const Report& report);
bool has_note(const Finding& finding, std::string_view part);
bool mentions(std::string_view text, std::string_view part);
/// All findings as text, for INFO.
std::string shown(const Report& report);

}  // namespace trtcheck::test
