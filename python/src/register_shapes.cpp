#include "data_type.hpp"
#include "dims.hpp"
#include "notebook.hpp"
#include "owners.hpp"
#include "pickling.hpp"
#include "registers.hpp"
#include "text.hpp"
#include "value_state.hpp"
#include "value_views.hpp"

#include <pybind11/native_enum.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "dims/expressions.hpp"
#include "shapes/why_unknown.hpp"
#include "view/executed.hpp"

namespace trtcheck::python {

namespace {

struct ShapeView {
  ShapesPtr owner;
  ValueShape shape;
  ValueId id;
};

struct ConflictView {
  ShapesPtr owner;
  const Conflict* conflict;
};

struct ObligationView {
  ShapesPtr owner;
  const Obligation* obligation;
};

std::pair<ShapesPtr, std::size_t> place_from(const py::tuple& state) {
  if (state.size() != 2) refuse_state();
  return {owner_from<OwnedShapes>(state[0]), state[1].cast<std::size_t>()};
}

ShapeView shape_of(const ShapesPtr& owner, ValueId id) { return {owner, owner->shapes[id], id}; }

py::tuple shape_state(const ShapeView& view) { return py::make_tuple(owner_object(view.owner), view.id.index); }
ShapeView shape_from(const py::tuple& state) {
  const auto [owner, index] = place_from(state);
  if (index >= owner->model->model.value_count()) refuse_state();
  return shape_of(owner, ValueId{static_cast<std::uint32_t>(index)});
}

py::tuple conflict_state(const ConflictView& view) {
  return py::make_tuple(owner_object(view.owner), view.conflict - view.owner->shapes.conflicts().data());
}
ConflictView conflict_from(const py::tuple& state) {
  const auto [owner, index] = place_from(state);
  if (index >= owner->shapes.conflicts().size()) refuse_state();
  return {owner, &owner->shapes.conflicts()[index]};
}

py::tuple obligation_state(const ObligationView& view) {
  return py::make_tuple(owner_object(view.owner), view.obligation - view.owner->shapes.obligations().data());
}
ObligationView obligation_from(const py::tuple& state) {
  const auto [owner, index] = place_from(state);
  if (index >= owner->shapes.obligations().size()) refuse_state();
  return {owner, &owner->shapes.obligations()[index]};
}

py::tuple shapes_view_state(const ShapesView& view) { return py::make_tuple(owner_object(view.owner)); }
ShapesView shapes_view_from(const py::tuple& state) {
  if (state.size() != 1) refuse_state();
  return {owner_from<OwnedShapes>(state[0])};
}

/// (N, 3, 224, 224)
py::typing::Tuple<AnyDim, py::ellipsis> dims(const ShapesPtr& owner, std::span<const Dim> entries) {
  py::typing::Tuple<AnyDim, py::ellipsis> made = py::tuple(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) made[i] = py::cast(any_dim(owner, entries[i]));
  return made;
}

template <class Question>
auto ask(const ShapesPtr& owner, Question&& question) {
  const std::scoped_lock lock(owner->mutex);
  return question(owner->shapes.dims());
}

std::string dim_text(const SymbolicDim& d) {
  return ask(d.owner, [&](DimTable& table) { return table.text(d.dim); });
}

/// The same inference numbers dims in the same way; its text shows whether it did.
py::tuple dim_state(const SymbolicDim& d) {
  return py::make_tuple(owner_object(d.owner), DimAccess::id(d.dim), dim_text(d));
}
SymbolicDim dim_from(const py::tuple& state) {
  if (state.size() != 3) refuse_state();
  SymbolicDim made{owner_from<OwnedShapes>(state[0]), DimAccess::of_id(state[1].cast<std::uint32_t>())};
  if (dim_text(made) != state[2].cast<std::string>()) refuse_state();
  return made;
}

/// "1 or more", "from 2 to 8": the range, or why it is unknown.
std::string dim_remark(const SymbolicDim& d) {
  return ask(d.owner, [&](DimTable& table) -> std::string {
    if (const std::vector<Origin> origins = table.origins(d.dim); !origins.empty()) {
      return "unknown: " + std::string(origins.front().reason);
    }
    const Interval range = table.bounds(d.dim);
    if (range.low == Interval::kMin && range.high == Interval::kMax) return "any number";
    if (range.high == Interval::kMax) return std::to_string(range.low) + " or more";
    if (range.low == Interval::kMin) return std::to_string(range.high) + " or less";
    return "from " + std::to_string(range.low) + " to " + std::to_string(range.high);
  });
}

std::optional<std::int64_t> bound(std::int64_t value, std::int64_t none) {
  return value == none ? std::nullopt : std::optional(value);
}

std::optional<std::int64_t> evaluate(const SymbolicDim& d, const std::map<std::string, std::int64_t>& sizes) {
  std::vector<DimTable::Binding> bindings;
  bindings.reserve(sizes.size());
  for (const auto& [name, value] : sizes) bindings.push_back({name, value});
  return ask(d.owner, [&](DimTable& table) { return table.evaluate(d.dim, bindings); });
}

void register_dim(py::module_& module) {
  py::class_<SymbolicDim> type(module, "Dim",
                               R"(A size that is no plain number: an expression over named sizes, or unknown.

`str()` gives the text, "2*N" or "?". Equal means proven equal for all sizes; unequal proves nothing.)");
  type.def_property_readonly(
          "bounds",
          [](const SymbolicDim& d) {
            const Interval i = ask(d.owner, [&](DimTable& table) { return table.bounds(d.dim); });
            return std::pair(bound(i.low, Interval::kMin), bound(i.high, Interval::kMax));
          },
          "Smallest and largest possible value, inclusive; None for no bound.")
      .def_property_readonly(
          "symbols",
          [](const SymbolicDim& d) {
            return texts(ask(d.owner, [&](DimTable& table) { return table.symbols(d.dim); }));
          },
          "Names of the sizes that it depends on.")
      .def_property_readonly(
          "is_exact",
          [](const SymbolicDim& d) { return ask(d.owner, [&](DimTable& table) { return table.is_exact(d.dim); }); },
          "True when nothing unknown is inside.")
      .def_property_readonly(
          "reasons",
          [](const SymbolicDim& d) {
            std::vector<py::str> made;
            for (const Origin& origin : ask(d.owner, [&](DimTable& table) { return table.origins(d.dim); }))
              made.push_back(text(origin.reason));
            return made;
          },
          "Why it is unknown, one for each unknown inside.")
      .def("evaluate", &evaluate, py::arg("sizes"),
           "The number for these sizes by name; None when one is missing, something is unknown, or 64 bits overflow.")
      .def(
          "__eq__", [](const SymbolicDim& a, const SymbolicDim& b) { return a.owner == b.owner && a.dim.same(b.dim); },
          py::is_operator())
      .def("__hash__", [](const SymbolicDim& d) { return std::hash<std::string>{}(dim_text(d)); })
      .def("_repr_html_", [](const SymbolicDim& d) { return text(dim_html(dim_text(d), dim_remark(d))); })
      .def("__str__", [](const SymbolicDim& d) { return text(dim_text(d)); })
      .def("__repr__", [](const SymbolicDim& d) { return text(dim_text(d)); });
  add_pickling<decltype(type), &dim_state, &dim_from>(type);
}

void register_value_shape(py::module_& module) {
  py::class_<ShapeView> type(module, "ValueShape", "What is known of one value. `str()` gives \"FLOAT[N,3,224,224]\".");
  type.def_property_readonly(
          "kind", [](const ShapeView& v) { return v.shape.kind; }, "Which other fields count.")
      .def_property_readonly(
          "dtype", [](const ShapeView& v) { return element_type(v.shape.type); },
          "Element type; `undefined` when it is not known.")
      .def_property_readonly(
          "rank", [](const ShapeView& v) { return v.shape.has_rank ? std::optional(v.shape.rank()) : std::nullopt; },
          "Number of dims; None: unknown.")
      .def_property_readonly(
          "dims",
          [](const ShapeView& v) {
            return v.shape.has_rank ? std::optional(dims(v.owner, v.shape.dims)) : std::nullopt;
          },
          "An int or a Dim for each axis; None when not even the rank is known.")
      .def_property_readonly(
          "known",
          [](const ShapeView& v) {
            return v.shape.is_known ? std::optional(dims(v.owner, v.shape.known)) : std::nullopt;
          },
          "The contents of a small integer tensor in row-major order, when known.")
      .def_property_readonly(
          "assumed", [](const ShapeView& v) { return v.shape.assumed; },
          "The dims rest on a claim of the file, here or upstream.")
      .def_property_readonly(
          "reason",
          [](const ShapeView& v) {
            const std::scoped_lock lock(v.owner->mutex);
            return optional_text(why_unknown(v.owner->model->model, v.owner->shapes, v.shape));
          },
          "Why the rank, a dim or the contents are unknown, when they are.")
      .def("__str__",
           [](const ShapeView& v) {
             const std::scoped_lock lock(v.owner->mutex);
             return text(v.owner->shapes.text(v.shape));
           })
      .def("__repr__", [](const ShapeView& v) {
        const std::scoped_lock lock(v.owner->mutex);
        return text("<ValueShape " + v.owner->shapes.text(v.shape) + ">");
      });
  add_pickling<decltype(type), &shape_state, &shape_from>(type);
  add_views(type);
}

void register_records(py::module_& module) {
  py::class_<ConflictView> conflict(module, "Conflict", "Two things that cannot both hold, whatever the sizes.");
  conflict
      .def_property_readonly(
          "message", [](const ConflictView& v) { return text(v.conflict->message); }, "What cannot hold, one line.")
      .def_property_readonly(
          "node", [](const ConflictView& v) { return view(v.owner->model, v.conflict->node); }, "Where it happens.")
      .def_property_readonly(
          "value", [](const ConflictView& v) { return view(v.owner->model, v.conflict->value); },
          "The tensor at fault.")
      .def_property_readonly(
          "axis",
          [](const ConflictView& v) { return v.conflict->axis < 0 ? std::nullopt : std::optional(v.conflict->axis); },
          "Its axis; None when it is not about one.")
      .def_property_readonly(
          "taken_as", [](const ConflictView& v) { return text(v.conflict->taken_as); },
          "What TensorRT builds where ONNX alone forbids it; empty when it refuses it too.")
      .def("__repr__", [](const ConflictView& v) { return text("<Conflict: " + v.conflict->message + ">"); });
  add_pickling<decltype(conflict), &conflict_state, &conflict_from>(conflict);
  add_views(conflict);

  py::class_<ObligationView> obligation(module, "Obligation",
                                        "Something that holds for some sizes only, or could not be proved for all.");
  obligation
      .def_property_readonly(
          "need", [](const ObligationView& v) { return v.obligation->need; }, "What has to hold between a and b.")
      .def_property_readonly(
          "a", [](const ObligationView& v) { return any_dim(v.owner, v.obligation->a); }, "Left side.")
      .def_property_readonly(
          "b", [](const ObligationView& v) { return any_dim(v.owner, v.obligation->b); }, "Right side.")
      .def_property_readonly(
          "why", [](const ObligationView& v) { return text(v.obligation->why); }, "What needs it.")
      .def_property_readonly(
          "node", [](const ObligationView& v) { return view(v.owner->model, v.obligation->node); },
          "The node that needs it.")
      .def("__repr__",
           [](const ObligationView& v) { return text("<Obligation: " + std::string(v.obligation->why) + ">"); });
  add_pickling<decltype(obligation), &obligation_state, &obligation_from>(obligation);
  add_views(obligation);
}

ShapeView by_name(const ShapesView& v, const std::string& name) {
  const auto found = v.owner->by_name.find(name);
  if (found == v.owner->by_name.end()) throw py::key_error(name);
  return shape_of(v.owner, found->second);
}

ShapeView by_value(const ShapesView& v, const ValueView& value) {
  if (value.owner != v.owner->model) throw py::value_error("the value belongs to another model");
  return shape_of(v.owner, value.id);
}

/// Values of the main graph: inputs first, then what the nodes make, in order of execution.
std::vector<ValueId> in_order(const OwnedShapes& shapes) {
  const Model& model = shapes.model->model;
  std::vector<ValueId> made;
  for (const ValueId input : model.graph().inputs)
    if (model.is_network_input(input)) made.push_back(input);
  for (const NodeId node : model.graph().order)
    for (const ValueId value : model.node(node).outputs)
      if (value) made.push_back(value);
  return made;
}

std::string html_table(const ShapesView& v) {
  const Model& model = v.owner->model->model;
  const std::scoped_lock lock(v.owner->mutex);
  const std::vector<ValueId> values = in_order(*v.owner);
  std::vector<NamedType> rows;
  for (std::size_t i = 0; i < std::min(values.size(), kMaxRows); ++i) {
    rows.emplace_back(model.value(values[i]).name, v.owner->shapes.text(values[i]));
  }
  return shapes_html(rows, values.size());
}

py::str table(const ShapesView& v) {
  const Model& model = v.owner->model->model;
  const std::scoped_lock lock(v.owner->mutex);
  const std::vector<ValueId> values = in_order(*v.owner);
  std::size_t width = 0;
  for (const ValueId id : values) width = std::max(width, model.value(id).name.size());
  std::string lines;
  for (const ValueId id : values) {
    std::string name(model.value(id).name);
    name.resize(width, ' ');
    lines += name + "  " + v.owner->shapes.text(id) + "\n";
  }
  return text(lines);
}

}  // namespace

void register_shapes(py::module_& module) {
  register_dim(module);
  register_value_shape(module);
  register_records(module);
  py::class_<ShapesView> type(module, "Shapes", R"(Element type and dims of every value of a model.

`shapes["x"]` asks for a value of the main graph by name, `shapes[value]` for any value. Dims are exact for all
sizes or honestly unknown.)");
  type.def("__getitem__", &by_name, py::arg("name"))
      .def("__getitem__", &by_value, py::arg("value"))
      .def(
          "__contains__", [](const ShapesView& v, const std::string& name) { return v.owner->by_name.contains(name); },
          py::arg("name"))
      .def(
          "__iter__",
          [](const ShapesView& v) -> py::typing::Iterator<py::str> {
            std::vector<py::str> names;
            for (const ValueId id : in_order(*v.owner)) names.push_back(text(v.owner->model->model.value(id).name));
            return py::iter(py::cast(names));
          },
          "Names as in `items`.")
      .def("__len__", [](const ShapesView& v) { return v.owner->by_name.size(); })
      .def(
          "items",
          [](const ShapesView& v) {
            std::vector<std::pair<py::str, ShapeView>> made;
            for (const ValueId id : in_order(*v.owner))
              made.emplace_back(text(v.owner->model->model.value(id).name), shape_of(v.owner, id));
            return made;
          },
          "Inputs of the main graph, then the outputs of its nodes in order of execution.")
      .def_property_readonly(
          "model", [](const ShapesView& v) { return ModelView{v.owner->model}; }, "The model that they are of.")
      .def_property_readonly(
          "conflicts",
          [](const ShapesView& v) {
            std::vector<ConflictView> made;
            for (const Conflict& c : v.owner->shapes.conflicts()) {
              if (!skipped_by(v.owner->model->model, v.owner->shapes, c.node)) made.push_back({v.owner, &c});
            }
            return made;
          },
          "What cannot hold for any size, in execution order; branches that are never taken are left out.")
      .def_property_readonly(
          "obligations",
          [](const ShapesView& v) {
            std::vector<ObligationView> made;
            for (const Obligation& o : v.owner->shapes.obligations()) made.push_back({v.owner, &o});
            return made;
          },
          "What holds for some sizes only, in execution order.")
      .def_property_readonly(
          "mismatches",
          [](const ShapesView& v) {
            std::vector<std::pair<ValueView, py::str>> made;
            for (const Shapes::ClaimMismatch& m : v.owner->shapes.mismatches())
              made.emplace_back(ValueView{v.owner->model, m.value}, text(m.message));
            return made;
          },
          "Values for which the file claims what cannot be, each with the reason.")
      .def("_repr_html_", [](const ShapesView& v) { return text(html_table(v)); })
      .def(
          "_repr_pretty_",
          [](const ShapesView& v, const py::object& printer, bool cycle) {
            printer.attr("text")(cycle ? py::object(py::str("<Shapes>")) : py::object(table(v)));
          },
          py::arg("printer"), py::arg("cycle"), "For IPython: the table.")
      .def("__str__", &table)
      .def("__repr__",
           [](const ShapesView& v) { return py::str("<Shapes of {} values>").format(v.owner->by_name.size()); });
  add_pickling<decltype(type), &shapes_view_state, &shapes_view_from>(type);
  add_plain(type);
}

}  // namespace trtcheck::python
