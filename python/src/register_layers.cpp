#include "data_type.hpp"
#include "dims.hpp"
#include "pickling.hpp"
#include "registers.hpp"
#include "text.hpp"
#include "value_views.hpp"
#include "words.hpp"

#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <vector>

#include <trtcheck/layers.hpp>

namespace trtcheck::python {
namespace {

using ReasonWord =
    py::typing::Literal<"\"none\"", "\"not-quantized\"", "\"weights-only\"", "\"data-only\"", "\"types-differ\"",
                        "\"operator-between\"", "\"input-float\"", "\"output-float\"", "\"pair-before\"">;
using ElementType = std::variant<DataType, int>;

struct LayerView {
  ShapesPtr owner;
  Layer layer;
  std::size_t index;  ///< among those of the model
};

py::tuple layer_state(const LayerView& view) { return py::make_tuple(owner_object(view.owner), view.index); }
LayerView layer_from(const py::tuple& state) {
  if (state.size() != 2) throw py::value_error("pickled by another version of trtcheck");
  const ShapesPtr owner = owner_from<OwnedShapes>(state[0]);
  const auto index = state[1].cast<std::size_t>();
  if (index >= owner->layers.size()) throw py::value_error("a pickled layer is none of its model");
  return {owner, owner->layers[index], index};
}

std::optional<ElementType> layer_type(DataType type) {
  return type == DataType::undefined ? std::nullopt : std::optional(element_type(type));
}

std::vector<LayerView> layers_of_model(const ModelView& model, const Target& target) {
  std::shared_ptr<OwnedShapes> owner;
  {
    const py::gil_scoped_release unlocked;
    owner = std::make_shared<OwnedShapes>(model.owner, Inferred{target});
    owner->add_layers();
  }
  std::vector<LayerView> made;
  made.reserve(owner->layers.size());
  for (const Layer& layer : owner->layers) made.push_back({owner, layer, made.size()});
  return made;
}

}  // namespace

void register_layers(py::module_& module) {
  py::class_<LayerView> type(module, "Layer",
                             "How a layer of the engine is expected to run; made by `trtcheck.layers`.");
  type.def_property_readonly(
          "node",
          [](const LayerView& v) {
            return NodeView{v.owner->model, v.layer.node};
          },
          "Of the model.")
      .def_property_readonly(
          "type", [](const LayerView& v) { return layer_type(v.layer.type); },
          "Element type that it computes in; None where not even ONNX's is known.")
      .def_property_readonly(
          "weights", [](const LayerView& v) { return layer_type(v.layer.weights); },
          "Element type that its weights are stored in for weight-only quantization; None for others.")
      .def_property_readonly(
          "output", [](const LayerView& v) { return layer_type(v.layer.output); }, "Element type that it writes.")
      .def_property_readonly(
          "reason", [](const LayerView& v) { return word<ReasonWord>(v.layer.reason); },
          "Why it does not run quantized.")
      .def_property_readonly(
          "why", [](const LayerView& v) { return text(v.layer.why); },
          "The same in words, with the names of the model; empty for none.")
      .def_property_readonly(
          "at", [](const LayerView& v) { return view(v.owner->model, v.layer.at); },
          "The node that the reason is about; None: the layer itself.")
      .def_property_readonly(
          "work",
          [](const LayerView& v) {
            return v.layer.work ? std::optional(any_dim(v.owner, *v.layer.work)) : std::nullopt;
          },
          "Multiply-accumulates of one run of the model: a number or an expression over the named sizes.\n\n"
          "None: sizes are not known, or there is no formula for the operator.")
      .def_property_readonly(
          "counted_once", [](const LayerView& v) { return static_cast<bool>(v.layer.counted_once); },
          "It is in the body of a loop whose trip count is not known: `work` is that of one iteration.")
      .def("__repr__", [](const LayerView& v) {
        const Node& node = v.owner->model->model.node(v.layer.node);
        return text("<Layer " + std::string(node.op_type) + " " + v.owner->model->model.node_label(v.layer.node) +
                    " in " + to_string(v.layer.type) + ">");
      });
  add_pickling<decltype(type), &layer_state, &layer_from>(type);
  add_views(type);
  module.def("layers", &layers_of_model, py::arg("model"), py::kw_only(), py::arg("target"));
}

}  // namespace trtcheck::python
