#include "owners.hpp"
#include "pickling.hpp"
#include "registers.hpp"
#include "text.hpp"
#include "value_pickling.hpp"
#include "value_views.hpp"
#include "words.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include <trtcheck/sparsity.hpp>

#include "text/plural.hpp"

namespace trtcheck::python {
namespace {

using StateWord = py::typing::Literal<"\"sparse\"", "\"dense\"", "\"wrong-axis\"", "\"unaligned\"", "\"unread\"">;

/// The weights of one layer.
struct WeightSparsity {
  ModelPtr owner;
  Sparsity found;
};

/// Those of a model.
struct ModelSparsity {
  std::vector<WeightSparsity> weights;
  std::optional<double> share;
};

py::tuple weights_state(const WeightSparsity& w) {
  const Sparsity& s = w.found;
  return py::make_tuple(kFormat, owner_object(w.owner), s.node.index, static_cast<int>(s.state),
                        s.weights ? std::optional(s.weights.index) : std::nullopt, s.axis, s.channels, s.groups,
                        s.obeying, s.first_dense, s.sparse_axis, state_of(s.why));
}

WeightSparsity weights_from(const py::tuple& state) {
  if (state.size() != 12 || !is_format(state[0])) refuse_state();
  WeightSparsity made{owner_from<OwnedModel>(state[1]), {}};
  Sparsity& s = made.found;
  restore(s.node, state[2]);
  s.state = static_cast<SparsityState>(state[3].cast<int>());
  if (!state[4].is_none()) s.weights = TensorId{state[4].cast<std::uint32_t>()};
  s.axis = state[5].cast<std::size_t>();
  s.channels = state[6].cast<std::int64_t>();
  s.groups = state[7].cast<std::uint64_t>();
  s.obeying = state[8].cast<std::uint64_t>();
  s.first_dense = state[9].cast<std::vector<std::int64_t>>();
  s.sparse_axis = state[10].cast<std::optional<std::size_t>>();
  restore(s.why, state[11]);
  const Model& model = made.owner->model;
  const bool has_tensor = !s.weights || s.weights.index < model.tensor_count();
  if (s.node.index >= model.node_count() || !has_tensor || s.state > SparsityState::unread) {
    throw py::value_error("pickled weights are none of their model");
  }
  return made;
}

py::tuple sparsity_state(const ModelSparsity& m) { return py::make_tuple(kFormat, m.weights, m.share); }

ModelSparsity sparsity_from(const py::tuple& state) {
  if (state.size() != 3 || !is_format(state[0])) refuse_state();
  return {state[1].cast<std::vector<WeightSparsity>>(), state[2].cast<std::optional<double>>()};
}

ModelSparsity sparsity_of(const ModelView& model, const Target& target) {
  const py::gil_scoped_release unlocked;
  OwnedShapes owned(model.owner, Inferred{target});
  owned.add_layers();
  const Model& m = model.owner->model;
  std::vector<Sparsity> found = sparsities(owned.layers, m, owned.shapes, target);
  ModelSparsity made{{}, sparse_share(found, owned.layers, m, owned.shapes, target)};
  for (Sparsity& one : found) made.weights.push_back({model.owner, std::move(one)});
  return made;
}

void register_weights(py::module_& module) {
  py::class_<WeightSparsity> type(module, "WeightSparsity",
                                  R"(Whether the weights of one layer are 2:4 structured sparse.

Axes and indices are those that the layer sees, after any Transpose.)");
  type.def_property_readonly(
          "node",
          [](const WeightSparsity& w) {
            return NodeView{w.owner, w.found.node};
          },
          "Conv, Gemm or MatMul.")
      .def_property_readonly(
          "state", [](const WeightSparsity& w) { return word<StateWord>(w.found.state); },
          "\"wrong-axis\": sparse along another axis. \"unaligned\": channels are no multiple of 4. \"unread\": see "
          "`why`.")
      .def_property_readonly(
          "tensor", [](const WeightSparsity& w) { return view(w.owner, w.found.weights); },
          "The stored tensor; None: the weights are computed.")
      .def_property_readonly(
          "axis", [](const WeightSparsity& w) { return w.found.axis; }, "Of the input channels.")
      .def_property_readonly(
          "channels", [](const WeightSparsity& w) { return w.found.channels; },
          "Its size; 0 where weights are computed.")
      .def_property_readonly(
          "groups", [](const WeightSparsity& w) { return w.found.groups; }, "Of four values, that were looked at.")
      .def_property_readonly(
          "obeying", [](const WeightSparsity& w) { return w.found.obeying; }, "Of them, those with two zeros or more.")
      .def_property_readonly(
          "first_dense", [](const WeightSparsity& w) { return w.found.first_dense; },
          "Index of the first value of the first other group; else empty.")
      .def_property_readonly(
          "sparse_axis", [](const WeightSparsity& w) { return w.found.sparse_axis; },
          "The axis along which they are sparse, for \"wrong-axis\".")
      .def_property_readonly(
          "why", [](const WeightSparsity& w) { return text(w.found.why); },
          "Why they could not be looked at; else empty.")
      .def("__repr__", [](const WeightSparsity& w) {
        const Model& model = w.owner->model;
        return text("<WeightSparsity " + std::string(model.node(w.found.node).op_type) + " " +
                    model.node_label(w.found.node) + ": " + std::string(to_string(w.found.state)) + ">");
      });
  add_pickling<decltype(type), &weights_state, &weights_from>(type);
  add_views(type);
}

}  // namespace

void register_sparsity(py::module_& module) {
  register_weights(module);
  py::class_<ModelSparsity> type(module, "Sparsity",
                                 "Which weights of a model are 2:4 structured sparse; made by `trtcheck.sparsity`.");
  type.def_property_readonly(
          "weights", [](const ModelSparsity& m) { return m.weights; }, "In the order of the layers.")
      .def_property_readonly(
          "share", [](const ModelSparsity& m) { return m.share; },
          "Of the multiply-accumulates those with sparse weights, 0 to 1; None: it depends on sizes that nobody gave.")
      .def("__repr__", [](const ModelSparsity& m) {
        const auto sparse = std::ranges::count_if(
            m.weights, [](const WeightSparsity& w) { return w.found.state == SparsityState::sparse; });
        return text("<Sparsity: " + std::to_string(sparse) + " of " + counted(m.weights.size(), "weight") + ">");
      });
  add_pickling<decltype(type), &sparsity_state, &sparsity_from>(type);
  add_views(type);
  module.def("sparsity", &sparsity_of, py::arg("model"), py::kw_only(), py::arg("target"));
}

}  // namespace trtcheck::python
