// The values of a model as rows: what `trtcheck shapes` and `trtcheck report` tell of them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

#include "one_report/unknown_names.hpp"

namespace trtcheck::one_report {

/// Values of one graph: inputs, initializers, outputs of its nodes in execution order.
struct GraphValues {
  GraphId graph;
  std::vector<ValueId> values;
};
/// Definitions of functions are left out: each call is a graph of its own.
[[nodiscard]] std::vector<GraphValues> values_by_graph(const Model& model);

/// "input", "initializer", or the operator that makes it; "?" = nothing does.
[[nodiscard]] std::string_view kind_of(const Model& model, ValueId id);

/// What stands for every `?`; "" = all of it is known.
[[nodiscard]] std::string reason_of(const Model& model, const Shapes& shapes, ValueId id);

/// Texts of dims. Neighbours often have the same ones: a million outputs of one Split do.
class DimTexts {
 public:
  DimTexts(const Shapes& shapes, const UnknownNames& unknowns) : shapes_(&shapes), unknowns_(&unknowns) {}
  /// Valid until the next call.
  [[nodiscard]] const std::string& at(std::size_t axis, Dim dim);

 private:
  struct Last {
    Dim dim;
    std::string text;
    bool is_made = false;
  };
  const Shapes* shapes_;
  const UnknownNames* unknowns_;
  std::array<Last, 8> last_;
};

/// The columns of a row that are as wide as their widest text: name, element type, dims, kind_of. All are printable.
using Cells = std::array<std::string, 4>;
[[nodiscard]] Cells cells_of(const Model& model, const Shapes& shapes, DimTexts& texts, ValueId id);

/// Last column: contents of small integer tensors, whether the file is believed, why something is not known.
[[nodiscard]] std::string remark(const Model& model, const Shapes& shapes, const UnknownNames& unknowns, ValueId id);

/// The row in a table that can be searched: the cells, and the remark.
[[nodiscard]] std::string row_html(const Model& model, const Shapes& shapes, const UnknownNames& unknowns,
                                   DimTexts& texts, ValueId id);
/// The head of that table.
inline constexpr std::string_view kRowsHead =
    "<tr><th scope=\"col\">Tensor</th><th scope=\"col\">Type</th><th scope=\"col\">Dims</th><th "
    "scope=\"col\">From</th><th scope=\"col\">Remark</th></tr>";

}  // namespace trtcheck::one_report
