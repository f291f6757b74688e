// `trtcheck shapes`: every value of every graph with its element type, dims and known contents.
#include <fmt/core.h>

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
#include "facts/inference_options.hpp"
#include "report/style.hpp"
#include "shapes/why_unknown.hpp"
#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

using Json = nlohmann::ordered_json;

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

/// Texts of dims. Neighbours often have the same ones: a million outputs of one Split do.
class DimTexts {
 public:
  explicit DimTexts(const Shapes& shapes) : shapes_(&shapes) {}
  /// Valid until the next call.
  [[nodiscard]] const std::string& at(std::size_t axis, Dim dim) {
    Last& last = last_[axis % last_.size()];
    if (!last.is_made || !last.dim.same(dim)) last = {dim, printable(shapes_->dims().text(dim)), true};
    return last.text;
  }

 private:
  struct Last {
    Dim dim;
    std::string text;
    bool is_made = false;
  };
  const Shapes* shapes_;
  std::array<Last, 8> last_;
};

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

/// The columns of a row that are as wide as their widest text. The last one, the remark, is not.
using Cells = std::array<std::string, 4>;

Cells cells_of(const Model& model, const Shapes& shapes, DimTexts& texts, ValueId id) {
  const ValueShape& shape = shapes[id];
  return {printable(model.value(id).name, kMaxName), type_text(shape), dims_text(texts, shape),
          printable(kind_of(model, id), kMaxName)};
}

/// A document in parts of some size: each part costs a call of the system.
class Parts {
 public:
  explicit Parts(const Sink& sink) : sink_(&sink) {}
  /// What comes next is put here.
  std::string text;
  void may_pass() {
    if (text.size() > kPart) pass();
  }
  void pass() {
    (*sink_)(text);
    text.clear();
  }

 private:
  static constexpr std::size_t kPart = 1 << 16;
  const Sink* sink_;
};

/// The first rows are made twice rather than kept: a file of a few megabytes may have a million.
void write_rows(Parts& out, const Model& model, const Shapes& shapes, std::span<const ValueId> values,
                const report::Style& style) {
  // One very long name or dim must not push all other rows to the right.
  constexpr std::array<std::size_t, 4> kMaxColumn{48, 20, 72, 24};
  std::array<std::size_t, 4> width{};
  DimTexts texts(shapes);
  // Nobody sees more of them side by side.
  constexpr std::size_t kMeasured = 10'000;
  for (const ValueId id : values.first(std::min(values.size(), kMeasured))) {
    const Cells columns = cells_of(model, shapes, texts, id);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      width[i] = std::max(width[i], std::min(display_width(columns[i]), kMaxColumn[i]));
    }
  }
  for (const ValueId id : values) {
    const Cells columns = cells_of(model, shapes, texts, id);
    std::string line = "  ";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::size_t taken = display_width(columns[i]);
      line += i == 0 ? style.bold(columns[i]) : columns[i];
      line.append((width[i] > taken ? width[i] - taken : 0) + 2, ' ');
    }
    line += style.dim(remark(model, shapes, id));
    line.erase(line.find_last_not_of(' ') + 1);
    out.text += line + "\n";
    out.may_pass();
  }
}

void write_table(Parts& out, const Model& model, const Shapes& shapes, const report::Style& style) {
  for (const GraphValues& entry : values_by_graph(model)) {
    out.text += style.frame(printable(model.graph_path(entry.graph))) + "\n";
    write_rows(out, model, shapes, entry.values, style);
  }
}

void write_concise(Parts& out, const Model& model, const Shapes& shapes) {
  for (const GraphValues& entry : values_by_graph(model)) {
    for (const ValueId id : entry.values) {
      fmt::format_to(std::back_inserter(out.text), "{}: {} {}\n", printable(model.graph_path(entry.graph)),
                     printable(model.value(id).name, kMaxName), printable(shapes.text(id)));
      out.may_pass();
    }
  }
}

/// A string of JSON. Nearly none of a million names needs nlohmann's care.
void add_string(std::string& out, std::string_view text) {
  const auto needs_escape = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; };
  if (std::ranges::any_of(text, needs_escape)) {
    out += Json(text).dump();
  } else {
    out.append(1, '"').append(text).append(1, '"');
  }
}

void add_member(std::string& out, std::string_view key, std::string_view text) {
  out.append(out.back() == '{' ? "\"" : ",\"").append(key).append("\":");
  add_string(out, valid_utf8(text));
}

/// Numbers, expressions over the model's symbols, or null.
void add_dims(std::string& out, std::string_view key, const Shapes& shapes, bool known, std::span<const Dim> dims) {
  out.append(",\"").append(key).append("\":");
  if (!known) {
    out += "null";
    return;
  }
  out += '[';
  for (const Dim dim : dims) {
    if (out.back() != '[') out += ',';
    if (dim.is_literal()) {
      fmt::format_to(std::back_inserter(out), "{}", dim.value());
    } else if (shapes.dims().is_exact(dim)) {
      add_string(out, valid_utf8(shapes.dims().text(dim)));
    } else {
      out += "null";
    }
  }
  out += ']';
}

/// A line, without a tree of values: a model may have a million of them.
void add_value(std::string& out, const Model& model, const Shapes& shapes, ValueId id) {
  const ValueShape& shape = shapes[id];
  const Value& value = model.value(id);
  out += '{';
  add_member(out, "name", shortened(value.name, kMaxKeptName));
  add_member(out, "from", shortened(kind_of(model, id), kMaxKeptName));
  add_member(out, "node", value.producer ? model.node_label(value.producer) : "");
  if (shape.type == DataType::undefined) {
    out += ",\"dtype\":null";
  } else {
    add_member(out, "dtype", to_string(shape.type));
  }
  add_dims(out, "dims", shapes, shape.kind == ValueShape::Kind::tensor && shape.has_rank, shape.dims);
  add_dims(out, "contents", shapes, shape.is_known, shape.known);
  out.append(",\"assumed\":").append(shape.assumed ? "true" : "false");
  add_member(out, "reason", reason_of(model, shapes, id));
  out += '}';
}

void write_values(Parts& out, const Model& model, const Shapes& shapes, std::span<const ValueId> values) {
  bool is_first = true;
  for (const ValueId id : values) {
    out.text += is_first ? "\n        " : ",\n        ";
    add_value(out.text, model, shapes, id);
    out.may_pass();
    is_first = false;
  }
  if (!values.empty()) out.text += "\n      ";
}

void write_json(Parts& out, const Model& model, const Shapes& shapes) {
  const auto text = [](std::string_view word) { return Json(valid_utf8(word)).dump(); };
  out.text += fmt::format("{{\n  \"schema_version\": 1,\n  \"trtcheck_version\": {},\n  \"path\": {},\n",
                          text(version()), text(model.path()));
  out.text += "  \"graphs\": [";
  bool is_first = true;
  for (const GraphValues& entry : values_by_graph(model)) {
    fmt::format_to(std::back_inserter(out.text), "{}\n    {{\n      \"graph\": {},\n      \"values\": [",
                   is_first ? "" : ",", text(model.graph_path(entry.graph)));
    write_values(out, model, shapes, entry.values);
    out.text += "]\n    }";
    is_first = false;
  }
  out.text += "\n  ]\n}\n";
}

void write_document(Parts& out, const Model& model, const Shapes& shapes, const OutputRequest& request) {
  switch (request.format) {
    case Format::json:
      return write_json(out, model, shapes);
    case Format::concise:
      return write_concise(out, model, shapes);
    default:
      return write_table(out, model, shapes, report::Style(use_color(request)));
  }
}

}  // namespace

int run(const ShapesRequest& request) {
  const Model model = read_model(request.path);
  const Shapes shapes = infer(model, inference_options(model, request.target));
  const auto make = [&](const Sink& sink) {
    Parts parts(sink);
    write_document(parts, model, shapes, request.output);
    parts.pass();
  };
  write_output(request.output, make, std::span(&request.path, 1));
  return kExitClean;
}

}  // namespace trtcheck::cli
