#include "one_report/shapes_rows.hpp"

#include <algorithm>

#include "report/html_parts.hpp"
#include "shapes/why_unknown.hpp"
#include "text/printable.hpp"

namespace trtcheck::one_report {
namespace {

std::string dims_text(DimTexts& texts, const ValueShape& shape) {
  // A sequence may hold tensors of any shape.
  if (shape.kind != ValueShape::Kind::tensor && shape.kind != ValueShape::Kind::unknown) return "";
  if (!shape.has_rank) return "?";
  std::string out;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    out.append(axis == 0 ? "" : ", ").append(texts.at(axis, shape.dims[axis]));
  }
  return "[" + out + "]";
}

std::string type_text(const ValueShape& shape) {
  const std::string element = shape.type == DataType::undefined ? "?" : to_string(shape.type);
  switch (shape.kind) {
    case ValueShape::Kind::sequence:
      return "seq(" + element + ")";
    case ValueShape::Kind::optional:
      return "optional";
    case ValueShape::Kind::map:
      return "map";
    case ValueShape::Kind::unknown:
      return "?";
    case ValueShape::Kind::tensor:
      break;
  }
  return element;
}

/// "= [N, 2]"; "" = not known.
std::string contents_text(const Shapes& shapes, const UnknownNames& unknowns, const ValueShape& shape) {
  constexpr std::size_t kShown = 8;
  if (!shape.is_known) return "";
  const auto text = [&](Dim dim) { return printable(unknowns.text(shapes, dim)); };
  if (shape.dims.empty() && shape.known.size() == 1) return "= " + text(shape.known[0]);
  std::string out;
  for (std::size_t i = 0; i < std::min(shape.known.size(), kShown); ++i) {
    out += (i == 0 ? "" : ", ") + text(shape.known[i]);
  }
  return "= [" + out + (shape.known.size() > kShown ? ", ...]" : "]");
}

}  // namespace

std::vector<GraphValues> values_by_graph(const Model& model) {
  std::vector<GraphValues> out;
  for (std::uint32_t g = 0; g < model.graph_count(); ++g) {
    if (model.graph(GraphId{g}).kind == Graph::Kind::function_definition) continue;
    out.push_back({GraphId{g}, {}});
  }
  std::vector<std::vector<ValueId>*> place(model.graph_count(), nullptr);
  for (GraphValues& entry : out) place[entry.graph.index] = &entry.values;
  const auto add = [&](ValueId id) {
    std::vector<ValueId>* list = id ? place[model.value(id).graph.index] : nullptr;
    if (list != nullptr) list->push_back(id);
  };
  for (const GraphValues& entry : out) {
    for (const ValueId id : model.graph(entry.graph).inputs) add(id);
  }
  for (std::uint32_t v = 0; v < model.value_count(); ++v) {
    if (model.value(ValueId{v}).initializer && !model.value(ValueId{v}).is_input) add(ValueId{v});
  }
  for (const GraphValues& entry : out) {
    for (const NodeId node : model.graph(entry.graph).order) {
      for (const ValueId id : model.node(node).outputs) add(id);
    }
  }
  return out;
}

std::string_view kind_of(const Model& model, ValueId id) {
  const Value& value = model.value(id);
  if (value.is_input && !model.constant(id)) return "input";
  if (value.initializer) return "initializer";
  return value.producer ? model.node(value.producer).op_type : std::string_view("?");
}

std::string reason_of(const Model& model, const Shapes& shapes, ValueId id) {
  const ValueShape& shape = shapes[id];
  std::string reason = why_unknown(model, shapes, shape);
  const bool is_unknown = shape.kind == ValueShape::Kind::unknown || shape.type == DataType::undefined ||
                          (shape.kind == ValueShape::Kind::tensor && !shape.has_rank);
  if (!reason.empty() || !is_unknown) return reason;
  const Value& value = model.value(id);
  if (value.is_input) return "the file does not declare it";
  return value.is_defined ? "its node says nothing of it" : "nothing makes it";
}

const std::string& DimTexts::at(std::size_t axis, Dim dim) {
  Last& last = last_[axis % last_.size()];
  if (!last.is_made || !last.dim.same(dim)) last = {dim, printable(unknowns_->text(*shapes_, dim)), true};
  return last.text;
}

Cells cells_of(const Model& model, const Shapes& shapes, DimTexts& texts, ValueId id) {
  const ValueShape& shape = shapes[id];
  return {printable(model.value(id).name, kMaxName), type_text(shape), dims_text(texts, shape),
          printable(kind_of(model, id), kMaxName)};
}

std::string remark(const Model& model, const Shapes& shapes, const UnknownNames& unknowns, ValueId id) {
  const ValueShape& shape = shapes[id];
  std::string out = contents_text(shapes, unknowns, shape);
  const auto add = [&out](const std::string& text) {
    if (!text.empty()) out += (out.empty() ? "" : "; ") + text;
  };
  if (shape.assumed && !shape.is_known) {
    add(model.value(id).declared ? "as the file declares" : "from what the file declares");
  }
  add(printable(reason_of(model, shapes, id)));
  return out;
}

std::string row_html(const Model& model, const Shapes& shapes, const UnknownNames& unknowns, DimTexts& texts,
                     ValueId id) {
  const Cells cells = cells_of(model, shapes, texts, id);
  const GraphId graph = model.value(id).graph;
  std::string row = "<tr><th scope=\"row\">" + escape_markup(cells[0]);
  if (graph.index != 0)
    row += "<br><span class=\"soft\">" + escape_markup(model.graph_path(graph), kMaxName) + "</span>";
  row += "</th>";
  for (std::size_t i = 1; i < cells.size(); ++i) {
    row += cells[i].empty() ? "<td></td>" : "<td>" + escape_markup(cells[i]) + "</td>";
  }
  return row + "<td>" + report::html_prose(remark(model, shapes, unknowns, id)) + "</td></tr>\n";
}

}  // namespace trtcheck::one_report
