// `trtcheck shapes`: every value of every graph with its element type, dims and known contents.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <trtcheck/trtcheck.hpp>

#include "cli/commands.hpp"
#include "cli/shapes_options.hpp"
#include "cli/terminal.hpp"
#include "report/printable.hpp"
#include "report/style.hpp"
#include "shapes/why_unknown.hpp"

namespace trtcheck::cli {
namespace {

using Json = nlohmann::ordered_json;
using report::display_width;
using report::printable;

/// Values of one graph: inputs, initializers, outputs of its nodes in execution order.
struct GraphValues {
  GraphId graph;
  std::vector<ValueId> values;
};

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

std::string dims_text(const Shapes& shapes, const ValueShape& shape) {
  // A sequence may hold tensors of any shape.
  if (shape.kind != ValueShape::Kind::tensor && shape.kind != ValueShape::Kind::unknown) return "";
  if (!shape.has_rank) return "?";
  std::string out;
  for (const Dim dim : shape.dims) out += (out.empty() ? "" : ", ") + printable(shapes.dims().text(dim));
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
std::string contents_text(const Shapes& shapes, const ValueShape& shape) {
  constexpr std::size_t kShown = 8;
  if (!shape.is_known) return "";
  if (shape.dims.empty() && shape.known.size() == 1) return "= " + printable(shapes.dims().text(shape.known[0]));
  std::string out;
  for (std::size_t i = 0; i < std::min(shape.known.size(), kShown); ++i) {
    out += (i == 0 ? "" : ", ") + printable(shapes.dims().text(shape.known[i]));
  }
  return "= [" + out + (shape.known.size() > kShown ? ", ...]" : "]");
}

/// What stands for every `?`.
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

/// Last column: contents of small integer tensors, whether the file is believed, why something is not known.
std::string remark(const Model& model, const Shapes& shapes, ValueId id) {
  const ValueShape& shape = shapes[id];
  std::string out = contents_text(shapes, shape);
  const auto add = [&out](const std::string& text) {
    if (!text.empty()) out += (out.empty() ? "" : "; ") + text;
  };
  if (shape.assumed && !shape.is_known) {
    add(model.value(id).declared ? "as the file declares" : "from what the file declares");
  }
  add(printable(reason_of(model, shapes, id)));
  return out;
}

using Row = std::array<std::string, 5>;

Row row_of(const Model& model, const Shapes& shapes, ValueId id) {
  const ValueShape& shape = shapes[id];
  return {printable(model.value(id).name, report::kMaxName), type_text(shape), dims_text(shapes, shape),
          printable(kind_of(model, id), report::kMaxName), remark(model, shapes, id)};
}

/// Rows are made twice rather than kept: a file of a few megabytes may have a million.
void write_rows(std::string& out, const Model& model, const Shapes& shapes, std::span<const ValueId> values,
                const report::Style& style) {
  // One very long name or dim must not push all other rows to the right.
  constexpr std::array<std::size_t, 5> kMaxColumn{48, 20, 72, 24, 0};
  std::array<std::size_t, 5> width{};
  for (const ValueId id : values) {
    const Row row = row_of(model, shapes, id);
    for (std::size_t i = 0; i < row.size(); ++i) {
      width[i] = std::max(width[i], std::min(display_width(row[i]), kMaxColumn[i]));
    }
  }
  for (const ValueId id : values) {
    const Row row = row_of(model, shapes, id);
    std::string line = "  ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t columns = display_width(row[i]);
      const std::size_t fill = width[i] > columns ? width[i] - columns : 0;
      line += (i == 0 ? style.bold(row[i]) : i == 4 ? style.dim(row[i]) : row[i]) + std::string(fill + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
}

std::string table(const Model& model, const Shapes& shapes, const report::Style& style) {
  std::string out;
  for (const GraphValues& entry : values_by_graph(model)) {
    out += style.frame(printable(model.graph_path(entry.graph))) + "\n";
    write_rows(out, model, shapes, entry.values, style);
  }
  return out;
}

std::string concise(const Model& model, const Shapes& shapes) {
  std::string out;
  for (const GraphValues& entry : values_by_graph(model)) {
    for (const ValueId id : entry.values) {
      fmt::format_to(std::back_inserter(out), "{}: {} {}\n", printable(model.graph_path(entry.graph)),
                     printable(model.value(id).name, report::kMaxName), printable(shapes.text(id)));
    }
  }
  return out;
}

/// A number, an expression over the model's symbols, or null.
Json dim_json(const Shapes& shapes, Dim dim) {
  if (dim.is_literal()) return dim.value();
  return shapes.dims().is_exact(dim) ? Json(report::valid_utf8(shapes.dims().text(dim))) : Json(nullptr);
}

Json dims_json(const Shapes& shapes, std::span<const Dim> dims) {
  Json out = Json::array();
  for (const Dim dim : dims) out.push_back(dim_json(shapes, dim));
  return out;
}

Json value_json(const Model& model, const Shapes& shapes, ValueId id) {
  const ValueShape& shape = shapes[id];
  const Value& value = model.value(id);
  const bool ranked = shape.kind == ValueShape::Kind::tensor && shape.has_rank;
  return {{"name", report::valid_utf8(report::shortened(value.name, report::kMaxKeptName))},
          {"from", report::valid_utf8(report::shortened(kind_of(model, id), report::kMaxKeptName))},
          {"node", value.producer ? report::valid_utf8(model.node_label(value.producer)) : ""},
          {"dtype", shape.type == DataType::undefined ? Json(nullptr) : Json(to_string(shape.type))},
          {"dims", ranked ? dims_json(shapes, shape.dims) : Json(nullptr)},
          {"contents", shape.is_known ? dims_json(shapes, shape.known) : Json(nullptr)},
          {"assumed", shape.assumed},
          {"reason", report::valid_utf8(reason_of(model, shapes, id))}};
}

/// Value by value, a line each: a tree of a million of them takes a gigabyte.
void write_values(std::string& out, const Model& model, const Shapes& shapes, std::span<const ValueId> values) {
  bool is_first = true;
  for (const ValueId id : values) {
    out += is_first ? "\n        " : ",\n        ";
    out += value_json(model, shapes, id).dump();
    is_first = false;
  }
  if (!values.empty()) out += "\n      ";
}

std::string json_document(const Model& model, const Shapes& shapes) {
  const auto text = [](std::string_view word) { return Json(report::valid_utf8(word)).dump(); };
  std::string out = fmt::format("{{\n  \"schema_version\": 1,\n  \"trtcheck_version\": {},\n  \"path\": {},\n",
                                text(version()), text(model.path()));
  out += "  \"graphs\": [";
  bool is_first = true;
  for (const GraphValues& entry : values_by_graph(model)) {
    fmt::format_to(std::back_inserter(out), "{}\n    {{\n      \"graph\": {},\n      \"values\": [",
                   is_first ? "" : ",", text(model.graph_path(entry.graph)));
    write_values(out, model, shapes, entry.values);
    out += "]\n    }";
    is_first = false;
  }
  return out + "\n  ]\n}\n";
}

}  // namespace

int run(const ShapesRequest& request) {
  const Model model = read_model(request.path);
  const Shapes shapes = infer(model, infer_options(request.target));
  std::string text;
  switch (request.output.format) {
    case Format::json:
      text = json_document(model, shapes);
      break;
    case Format::concise:
      text = concise(model, shapes);
      break;
    default:
      text = table(model, shapes, report::Style(use_color(request.output)));
      break;
  }
  write_output(request.output, std::move(text), std::span(&request.path, 1));
  return kExitClean;
}

}  // namespace trtcheck::cli
