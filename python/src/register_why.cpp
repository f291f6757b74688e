#include "own_pickling.hpp"
#include "owners.hpp"
#include "registers.hpp"
#include "text.hpp"
#include "value_views.hpp"

#include <pybind11/stl.h>

#include <trtcheck/why.hpp>

#include "one_report/shapes_listing.hpp"
#include "view/inference_options.hpp"

namespace trtcheck::report {

template <>
struct Fields<WhyStep> {
  static constexpr std::tuple kAll{
      Field{"kind", &WhyStep::kind},     Field{"value", &WhyStep::value},     Field{"graph", &WhyStep::graph},
      Field{"axis", &WhyStep::axis},     Field{"element", &WhyStep::element}, Field{"text", &WhyStep::text},
      Field{"size", &WhyStep::size},     Field{"node", &WhyStep::node},       Field{"op_type", &WhyStep::op_type},
      Field{"reason", &WhyStep::reason}, Field{"module", &WhyStep::module},   Field{"source", &WhyStep::source},
      Field{"from", &WhyStep::from}};
};

template <>
struct Fields<Why> {
  static constexpr std::tuple kAll{Field{"value", &Why::value},   Field{"graph", &Why::graph},
                                   Field{"axis", &Why::axis},     Field{"shape", &Why::shape},
                                   Field{"starts", &Why::starts}, Field{"steps", &Why::steps},
                                   Field{"is_cut", &Why::is_cut}};
};

template <>
struct Fields<SizeDemand> {
  static constexpr std::tuple kAll{Field{"text", &SizeDemand::text},     Field{"because", &SizeDemand::because},
                                   Field{"node", &SizeDemand::node},     Field{"op_type", &SizeDemand::op_type},
                                   Field{"others", &SizeDemand::others}, Field{"source", &SizeDemand::source},
                                   Field{"steps", &SizeDemand::steps}};
};

template <>
struct Fields<SizeConflict> {
  static constexpr std::tuple kAll{Field{"message", &SizeConflict::message}, Field{"node", &SizeConflict::node},
                                   Field{"op_type", &SizeConflict::op_type}, Field{"value", &SizeConflict::value},
                                   Field{"axis", &SizeConflict::axis},       Field{"taken_as", &SizeConflict::taken_as},
                                   Field{"source", &SizeConflict::source},   Field{"sides", &SizeConflict::sides},
                                   Field{"steps", &SizeConflict::steps}};
};

}  // namespace trtcheck::report

namespace trtcheck::python {
namespace {

using WhyValues = std::tuple<WhyStep, Why, SizeDemand, SizeConflict>;

Why why_of_value(const ShapesView& v, ValueId id, std::optional<std::int64_t> axis) {
  const OwnedShapes& owned = *v.owner;
  const auto rank = static_cast<std::int64_t>(owned.shapes[id].rank());
  if (axis && *axis < 0) *axis += rank;
  if (axis && (*axis < 0 || *axis >= rank)) throw py::index_error("the value has " + std::to_string(rank) + " axes");
  const py::gil_scoped_release unlocked;
  return why(owned.model->model, owned.options(), id,
             axis ? std::optional(static_cast<std::size_t>(*axis)) : std::nullopt);
}

Why why_of_name(const ShapesView& v, const std::string& name, std::optional<std::int64_t> axis) {
  const auto found = v.owner->by_name.find(name);
  if (found == v.owner->by_name.end()) throw py::key_error(name);
  return why_of_value(v, found->second, axis);
}

Why why_of_view(const ShapesView& v, const ValueView& value, std::optional<std::int64_t> axis) {
  if (value.owner != v.owner->model) throw py::value_error("the value belongs to another model");
  return why_of_value(v, value.id, axis);
}

SizeFacts facts_of(const ShapesView& v) {
  const OwnedShapes& owned = *v.owner;
  const py::gil_scoped_release unlocked;
  const std::scoped_lock lock(owned.mutex);
  return size_facts(owned.model->model, owned.shapes, owned.options());
}

void register_steps(py::module_& module) {
  py::class_<WhyStep> step(module, "WhyStep", "One place on the way from a size back to where it comes from.");
  step.def_property_readonly(
          "kind", [](const WhyStep& s) { return text(to_string(s.kind)); },
          "\"input\", \"constant\", \"computed\", \"decided\" (by the node alone), \"claimed\" (by the file) or "
          "\"unknown\".")
      .def_property_readonly(
          "value", [](const WhyStep& s) { return text(s.value); }, "Name of the tensor.")
      .def_property_readonly(
          "graph", [](const WhyStep& s) { return text(s.graph); }, "Path of its graph.")
      .def_property_readonly(
          "axis", [](const WhyStep& s) { return s.axis; }, "Of the tensor; None: an element, or the shape as a whole.")
      .def_property_readonly(
          "element", [](const WhyStep& s) { return s.element; }, "Of its contents.")
      .def_property_readonly(
          "text", [](const WhyStep& s) { return text(s.text); }, "\"`y` axis 1\".")
      .def_property_readonly(
          "size", [](const WhyStep& s) { return text(s.size); }, "\"2*N\", \"64\" or \"?\".")
      .def_property_readonly(
          "node", [](const WhyStep& s) { return optional_text(s.node); }, "Label of the node that makes the tensor.")
      .def_property_readonly(
          "op_type", [](const WhyStep& s) { return optional_text(s.op_type); }, "Of that node.")
      .def_property_readonly(
          "reason", [](const WhyStep& s) { return optional_text(s.reason); }, "Why an unknown begins here.")
      .def_property_readonly(
          "module", [](const WhyStep& s) { return optional_text(s.module); }, "Of the PyTorch program.")
      .def_property_readonly(
          "source", [](const WhyStep& s) { return s.source; }, "The line of the PyTorch program.")
      .def_property_readonly(
          "sources", [](const WhyStep& s) { return s.from; }, "Places of the steps that it is made of.")
      .def("__repr__", [](const WhyStep& s) { return text("<WhyStep " + s.text + " = " + s.size + ">"); });
  add_own_pickling<WhyValues>(step);
  add_views(step);

  py::class_<Why> why(module, "Why", R"(Where a size comes from, back to inputs and constants of the model.

`str()` is what `trtcheck shapes --why` prints.)");
  why.def_property_readonly(
         "value", [](const Why& w) { return text(w.value); }, "That was asked about.")
      .def_property_readonly(
          "graph", [](const Why& w) { return text(w.graph); }, "That it is in.")
      .def_property_readonly(
          "axis", [](const Why& w) { return w.axis; }, "None: all of them.")
      .def_property_readonly(
          "shape", [](const Why& w) { return text(w.shape); }, "\"FLOAT[N,64]\".")
      .def_property_readonly(
          "starts", [](const Why& w) { return w.starts; }, "Places of the steps that were asked about.")
      .def_property_readonly(
          "steps", [](const Why& w) { return w.steps; }, "Breadth first.")
      .def_property_readonly(
          "is_cut", [](const Why& w) { return w.is_cut; }, "There is more of it.")
      .def("__str__", [](const Why& w) { return text(one_report::why_text(w)); })
      .def("__repr__",
           [](const Why& w) { return text("<Why " + w.value + ": " + std::to_string(w.steps.size()) + " steps>"); });
  add_own_pickling<WhyValues>(why);
  add_views(why);
}

void register_facts(py::module_& module) {
  py::class_<SizeDemand> demand(module, "SizeDemand", "Something that a node needs of sizes.");
  demand
      .def_property_readonly(
          "text", [](const SizeDemand& d) { return text(d.text); }, "\"`past + seq` must equal `mask_len`\".")
      .def_property_readonly(
          "because", [](const SizeDemand& d) { return text(d.because); }, "What needs it.")
      .def_property_readonly(
          "node", [](const SizeDemand& d) { return text(d.node); }, "Label of the node that needs it first.")
      .def_property_readonly(
          "op_type", [](const SizeDemand& d) { return text(d.op_type); }, "Of that node.")
      .def_property_readonly(
          "others", [](const SizeDemand& d) { return d.others; }, "Further nodes that need the same.")
      .def_property_readonly(
          "source", [](const SizeDemand& d) { return d.source; }, "The line of the PyTorch program.")
      .def_property_readonly(
          "steps", [](const SizeDemand& d) { return d.steps; }, "Where the sizes come from.")
      .def("__repr__", [](const SizeDemand& d) { return text("<SizeDemand: " + d.text + ">"); });
  add_own_pickling<WhyValues>(demand);
  add_views(demand);

  py::class_<SizeConflict> conflict(module, "SizeConflict", "A `Conflict` with where its two sides come from.");
  conflict
      .def_property_readonly(
          "message", [](const SizeConflict& c) { return text(c.message); }, "What cannot hold.")
      .def_property_readonly(
          "node", [](const SizeConflict& c) { return text(c.node); }, "Label of the node where it happens.")
      .def_property_readonly(
          "op_type", [](const SizeConflict& c) { return text(c.op_type); }, "Of that node.")
      .def_property_readonly(
          "value", [](const SizeConflict& c) { return optional_text(c.value); }, "The tensor at fault.")
      .def_property_readonly(
          "axis", [](const SizeConflict& c) { return c.axis; }, "Its axis.")
      .def_property_readonly(
          "taken_as", [](const SizeConflict& c) { return text(c.taken_as); },
          "What TensorRT builds where ONNX alone forbids it.")
      .def_property_readonly(
          "source", [](const SizeConflict& c) { return c.source; }, "The line of the PyTorch program.")
      .def_property_readonly(
          "sides", [](const SizeConflict& c) { return texts(c.sides); }, "One line for each side.")
      .def_property_readonly(
          "steps", [](const SizeConflict& c) { return c.steps; }, "Where the sizes come from.")
      .def("__repr__", [](const SizeConflict& c) { return text("<SizeConflict: " + c.message + ">"); });
  add_own_pickling<WhyValues>(conflict);
  add_views(conflict);
}

}  // namespace

void register_why(py::module_& module) {
  register_steps(module);
  register_facts(module);
  py::class_<ShapesView> shapes(module.attr("Shapes"));
  shapes
      .def("why", &why_of_name, py::arg("value"), py::arg("axis") = py::none(),
           "Where a size of a value of the main graph comes from: with `axis` that one, else all of them.")
      .def("why", &why_of_view, py::arg("value"), py::arg("axis") = py::none(), "The same of any value.")
      .def(
          "demands", [](const ShapesView& v) { return facts_of(v).demands; },
          "What the nodes need of sizes, each once, with where the sizes come from.")
      .def(
          "size_conflicts", [](const ShapesView& v) { return facts_of(v).conflicts; },
          "What cannot hold, with where both sides come from.");
}

}  // namespace trtcheck::python
