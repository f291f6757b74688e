#include "one_report/shapes_json.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "one_report/shapes_listing.hpp"
#include "report/envelope.hpp"
#include "text/json_text.hpp"
#include "text/printable.hpp"

namespace trtcheck::one_report {
namespace {

using report::Json;

/// A string of JSON. Nearly none of a million names needs nlohmann's care.
void add_string(std::string& out, std::string_view text) {
  const auto needs_escape = [](char c) { return c < 0x20 || c > 0x7e || c == '"' || c == '\\'; };
  if (std::ranges::any_of(text, needs_escape)) {
    out += with_escapes(Json(text).dump());
  } else {
    out.append(1, '"').append(text).append(1, '"');
  }
}

void add_member(std::string& out, std::string_view key, std::string_view text) {
  out.append(out.back() == '{' ? "\"" : ",\"").append(key).append("\":");
  add_string(out, valid_utf8(text));
}

/// Numbers, expressions over the model's symbols, or null.
/// @param unknowns  names of what is not known; nullptr: null stands for it
void add_dims(std::string& out, std::string_view key, const Shapes& shapes, const UnknownNames* unknowns, bool known,
              std::span<const Dim> dims) {
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
    } else if (unknowns != nullptr && unknowns->names_all(shapes, dim)) {
      add_string(out, valid_utf8(unknowns->text(shapes, dim)));
    } else {
      out += "null";
    }
  }
  out += ']';
}

/// A line, without a tree of values: a model may have a million of them.
void add_value(std::string& out, const ShapesListing& listing, ValueId id) {
  const Model& model = listing.model;
  const Shapes& shapes = listing.shapes;
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
  const bool has_dims = shape.kind == ValueShape::Kind::tensor && shape.has_rank;
  add_dims(out, "dims", shapes, nullptr, has_dims, shape.dims);
  add_dims(out, "sizes", shapes, &listing.unknowns, has_dims, shape.dims);
  add_dims(out, "contents", shapes, nullptr, shape.is_known, shape.known);
  out.append(",\"assumed\":").append(shape.assumed ? "true" : "false");
  add_member(out, "reason", reason_of(model, shapes, id));
  out += '}';
}

void write_values(Parts& out, const ShapesListing& listing, std::span<const ValueId> values) {
  bool is_first = true;
  for (const ValueId id : values) {
    out.text += is_first ? "\n        " : ",\n        ";
    add_value(out.text, listing, id);
    out.may_pass();
    is_first = false;
  }
  if (!values.empty()) out.text += "\n      ";
}

}  // namespace

void write_shapes_json(Parts& out, const ShapesListing& listing) {
  const Model& model = listing.model;
  const auto text = [](std::string_view word) { return with_escapes(Json(valid_utf8(word)).dump()); };
  const auto list = [](const auto& items, const auto& one) {
    Json all = Json::array();
    for (const auto& item : items) all.push_back(one(item));
    return all;
  };
  const auto as_json = [](const auto& item) { return json_of(item); };
  out.text += report::open_document(report::enveloped(
      {{"path", valid_utf8(model.path())},
       {"assumed", list(listing.assumed, [](const std::string& each) { return Json(valid_utf8(each)); })},
       {"unknowns", list(listing.unknowns.all(), [&](const NamedUnknown& each) { return json_of(model, each); })},
       {"demands", list(listing.facts.demands, as_json)},
       {"conflicts", list(listing.facts.conflicts, as_json)},
       {"why", list(listing.whys, as_json)}}));
  out.text += ",\n  \"graphs\": [";
  bool is_first = true;
  for (const GraphValues& entry : listing.graphs) {
    fmt::format_to(std::back_inserter(out.text), "{}\n    {{\n      \"graph\": {},\n      \"values\": [",
                   is_first ? "" : ",", text(model.graph_path(entry.graph)));
    write_values(out, listing, entry.values);
    out.text += "]\n    }";
    is_first = false;
  }
  out.text += "\n  ]\n}\n";
}

}  // namespace trtcheck::one_report
