// The JSON document of data/diff.schema.json. Findings are those of data/report.schema.json.

#include "diff/formats.hpp"
#include "report/envelope.hpp"
#include "report/json_values.hpp"
#include "text/printable.hpp"

namespace trtcheck::diffing {
namespace {

using report::Json;
using report::json_value;

Json to_json(const DiffSide& side) {
  return {{"path", valid_utf8(side.path)},
          {"target", to_string(side.release)},
          {"verdict", to_string(side.verdict)},
          {"nodes", side.node_count},
          {"suppressed", side.suppressed}};
}

std::string_view word(InterfaceChange::Kind kind) {
  switch (kind) {
    case InterfaceChange::Kind::input_order:
      return "input_order";
    case InterfaceChange::Kind::output_order:
      return "output_order";
    case InterfaceChange::Kind::ir_version:
      return "ir_version";
    default:
      return to_string(kind);
  }
}

Json nullable(const std::string& text) { return text.empty() ? Json(nullptr) : Json(valid_utf8(text)); }

Json shape_json(const ShapeChange& change) {
  return {{"kind", to_string(change.kind)},
          {"value", valid_utf8(change.value)},
          {"before", valid_utf8(change.before)},
          {"after", valid_utf8(change.after)},
          {"reason", valid_utf8(change.reason)}};
}

Json symbol_json(const SymbolChange& change) {
  return {{"before", valid_utf8(change.before)}, {"after", valid_utf8(change.after)}, {"tensors", change.tensors}};
}

Json constant_json(const ConstantChange& change) {
  return {{"value", valid_utf8(change.value)},
          {"shape", valid_utf8(change.shape)},
          {"node", valid_utf8(change.node)},
          {"op_type", valid_utf8(change.op_type)}};
}

}  // namespace

std::string render_json(const Diff& diff) {
  Json interface = Json::array();
  for (const InterfaceChange& change : diff.interface) {
    interface.push_back({{"kind", word(change.kind)},
                         {"name", valid_utf8(change.name)},
                         {"before", nullable(change.before)},
                         {"after", nullable(change.after)}});
  }
  Json operators = Json::array();
  for (const OperatorChange& change : diff.operators) {
    operators.push_back({{"op_type", valid_utf8(change.op_type)}, {"before", change.before}, {"after", change.after}});
  }
  const auto list = [](const auto& items, const auto& one) {
    Json all = Json::array();
    for (const auto& item : items) all.push_back(one(item));
    return all;
  };
  return report::document_text(report::enveloped({{"before", to_json(diff.before)},
                                                  {"after", to_json(diff.after)},
                                                  {"new", json_value(diff.fresh)},
                                                  {"gone", json_value(diff.gone)},
                                                  {"kept", json_value(diff.kept)},
                                                  {"interface", std::move(interface)},
                                                  {"operators", std::move(operators)},
                                                  {"shapes", list(diff.shapes, shape_json)},
                                                  {"symbols", list(diff.symbols, symbol_json)},
                                                  {"constants", list(diff.constants, constant_json)},
                                                  {"folds_before", diff.folds_before},
                                                  {"folds_after", diff.folds_after},
                                                  {"not_compared", list(diff.not_compared, valid_utf8)}}));
}

}  // namespace trtcheck::diffing
