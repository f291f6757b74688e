#include "own_pickling.hpp"
#include "owners.hpp"
#include "registers.hpp"
#include "text.hpp"
#include "value_views.hpp"
#include "words.hpp"

#include <pybind11/stl.h>

#include <trtcheck/axes.hpp>

namespace trtcheck::report {

template <>
struct Fields<AxisCondition> {
  static constexpr std::tuple kAll{Field{"state", &AxisCondition::state},     Field{"number", &AxisCondition::number},
                                   Field{"other", &AxisCondition::other},     Field{"text", &AxisCondition::text},
                                   Field{"why", &AxisCondition::why},         Field{"node", &AxisCondition::node},
                                   Field{"op_type", &AxisCondition::op_type}, Field{"source", &AxisCondition::source}};
};

template <>
struct Fields<DynamicAxis> {
  static constexpr std::tuple kAll{
      Field{"name", &DynamicAxis::name},       Field{"places", &DynamicAxis::places},
      Field{"state", &DynamicAxis::state},     Field{"conditions", &DynamicAxis::conditions},
      Field{"reaches", &DynamicAxis::reaches}, Field{"size", &DynamicAxis::size}};
};

template <>
struct Fields<AxisCause> {
  static constexpr std::tuple kAll{Field{"finding", &AxisCause::finding}, Field{"sets", &AxisCause::sets},
                                   Field{"has_all_sets", &AxisCause::has_all_sets}};
};

template <>
struct Fields<FixedAxis> {
  static constexpr std::tuple kAll{Field{"place", &FixedAxis::place}, Field{"number", &FixedAxis::number},
                                   Field{"is_asked", &FixedAxis::is_asked}, Field{"why", &FixedAxis::why}};
};

template <>
struct Fields<PinnedAxis> {
  static constexpr std::tuple kAll{Field{"name", &PinnedAxis::name}, Field{"size", &PinnedAxis::size}};
};

template <>
struct Fields<AxesReport> {
  static constexpr std::tuple kAll{Field{"path", &AxesReport::path},
                                   Field{"axes", &AxesReport::axes},
                                   Field{"outputs", &AxesReport::outputs},
                                   Field{"fixed", &AxesReport::fixed},
                                   Field{"caused", &AxesReport::caused},
                                   Field{"remaining", &AxesReport::remaining},
                                   Field{"pins", &AxesReport::pins},
                                   Field{"pins_suffice", &AxesReport::pins_suffice},
                                   Field{"checks", &AxesReport::checks},
                                   Field{"dynamic_shapes", &AxesReport::dynamic_shapes},
                                   Field{"dynamic_axes", &AxesReport::dynamic_axes},
                                   Field{"fix_command", &AxesReport::fix_command}};
};

}  // namespace trtcheck::report

namespace trtcheck::python {
namespace {

using AxesValues = std::tuple<AxisCondition, DynamicAxis, AxisCause, FixedAxis, PinnedAxis, AxesReport>;

AxesReport axes_of(const ModelView& model, const Target& target, std::vector<std::string> select,
                   std::vector<std::string> ignore, std::vector<std::string> asked) {
  AxesOptions options;
  options.check.target = target;
  options.check.select = std::move(select);
  options.check.ignore = std::move(ignore);
  options.asked = std::move(asked);
  const py::gil_scoped_release unlocked;
  return axes(model.owner->model, options);
}

py::typing::Dict<py::str, py::int_> pins_of(const AxesReport& report) {
  py::typing::Dict<py::str, py::int_> made;
  for (const PinnedAxis& pin : report.pins) made[text(pin.name)] = pin.size;
  return made;
}

using Names = std::vector<py::str>;

std::vector<Names> sets_of(const AxisCause& cause) {
  std::vector<Names> made;
  for (const std::vector<std::string>& set : cause.sets) {
    Names& names = made.emplace_back();
    for (const std::string& name : set) names.push_back(text(name));
  }
  return made;
}

void register_axis_parts(py::module_& module) {
  py::class_<AxisCondition> condition(module, "AxisCondition", "A condition that a node puts on a dynamic axis.");
  condition
      .def_property_readonly(
          "state", [](const AxisCondition& v) { return text(to_string(v.state)); }, "As of an axis.")
      .def_property_readonly(
          "number", [](const AxisCondition& v) { return v.number; },
          "Of \"fixed\", \"multiples\", \"at-most\" and \"at-least\".")
      .def_property_readonly(
          "other", [](const AxisCondition& v) { return text(v.other); }, "Of \"equal\": the other axis.")
      .def_property_readonly(
          "text", [](const AxisCondition& v) { return text(v.text); }, "\"only multiples of 16\".")
      .def_property_readonly(
          "why", [](const AxisCondition& v) { return text(v.why); }, "What the node needs; \"\" = not known.")
      .def_property_readonly(
          "node", [](const AxisCondition& v) { return text(v.node); }, "Label of the node that forces it; \"\" = none.")
      .def_property_readonly(
          "op_type", [](const AxisCondition& v) { return text(v.op_type); }, "Of that node.")
      .def_property_readonly(
          "source", [](const AxisCondition& v) { return v.source; },
          "The line of the PyTorch program that the node comes from.")
      .def("__repr__", [](const AxisCondition& v) { return text("<AxisCondition: " + v.text + ">"); });
  add_own_pickling<AxesValues>(condition);
  add_views(condition);
  py::class_<DynamicAxis> axis(module, "DynamicAxis", "A size that is not known when a model is exported.");
  axis.def_property_readonly(
          "name", [](const DynamicAxis& v) { return text(v.name); }, "\"batch\"; \"x.dim2\" of an axis without a name.")
      .def_property_readonly(
          "places", [](const DynamicAxis& v) { return texts(v.places); }, "Where it stands: [\"axis 0 of `x`\"].")
      .def_property_readonly(
          "state", [](const DynamicAxis& v) { return text(to_string(v.state)); },
          "\"free\", \"equal\", \"fixed\", \"multiples\", \"at-most\", \"at-least\", \"some\", \"tied\", \"none\", "
          "\"computed\", \"data\".")
      .def_property_readonly(
          "conditions", [](const DynamicAxis& v) { return v.conditions; },
          "What the model asks of it; [] = it is free.")
      .def_property_readonly(
          "reaches", [](const DynamicAxis& v) { return text(v.reaches); },
          "The first node that it reaches; \"\" = none.")
      .def_property_readonly(
          "size", [](const DynamicAxis& v) { return v.size; },
          "What it was pinned to for the comparison; 0: of an output.")
      .def("__repr__", [](const DynamicAxis& v) {
        return text("<DynamicAxis " + v.name + ": " + std::string(to_string(v.state)) + ">");
      });
  add_own_pickling<AxesValues>(axis);
  add_views(axis);
  py::class_<AxisCause> cause(module, "AxisCause", "A finding that is there because axes are dynamic.");
  cause
      .def_property_readonly(
          "finding", [](const AxisCause& v) { return v.finding; }, "With all axes dynamic.")
      .def_property_readonly(
          "sets", [](const AxisCause& v) { return sets_of(v); },
          "Each set of axes alone is enough; the smallest first.")
      .def_property_readonly(
          "has_all_sets", [](const AxisCause& v) { return v.has_all_sets; },
          "False: there may be more sets, looking for them would cost too much.")
      .def("__repr__",
           [](const AxisCause& v) { return text("<AxisCause of " + std::string(v.finding.rule->code) + ">"); });
  add_own_pickling<AxesValues>(cause);
  add_views(cause);
  py::class_<FixedAxis> fixed(module, "FixedAxis", "An axis that came out as a number.");
  fixed
      .def_property_readonly(
          "place", [](const FixedAxis& v) { return text(v.place); }, "\"axis 0 of `mask`\".")
      .def_property_readonly(
          "number", [](const FixedAxis& v) { return v.number; }, "In the file.")
      .def_property_readonly(
          "is_asked", [](const FixedAxis& v) { return v.is_asked; }, "It was asked for.")
      .def_property_readonly(
          "why", [](const FixedAxis& v) { return text(v.why); }, "What may have happened.")
      .def("__repr__",
           [](const FixedAxis& v) { return text("<FixedAxis: " + v.place + " is " + std::to_string(v.number) + ">"); });
  add_own_pickling<AxesValues>(fixed);
  add_views(fixed);
}

}  // namespace

void register_axes(py::module_& module) {
  register_axis_parts(module);
  py::class_<AxesReport> report(module, "AxesReport",
                                R"(What the dynamic axes of a model may be, and which of them cause its findings.

`str()` is the full text, `to_json()` what the command line prints as JSON.)");
  report
      .def_property_readonly(
          "path", [](const AxesReport& v) { return text(v.path); }, "\"\" for a model from memory.")
      .def_property_readonly(
          "axes", [](const AxesReport& v) { return v.axes; }, "Of inputs, in their order.")
      .def_property_readonly(
          "outputs", [](const AxesReport& v) { return v.outputs; }, "Symbols that only outputs have.")
      .def_property_readonly(
          "fixed", [](const AxesReport& v) { return v.fixed; }, "Axes that came out as numbers.")
      .def_property_readonly(
          "caused", [](const AxesReport& v) { return v.caused; }, "Findings that dynamic axes cause, worst first.")
      .def_property_readonly(
          "remaining", [](const AxesReport& v) { return v.remaining; },
          "Errors and warnings that stay when all axes are numbers.")
      .def_property_readonly(
          "pins", [](const AxesReport& v) { return pins_of(v); },
          "The smallest set of axes to pin, with sizes that fit.")
      .def_property_readonly(
          "pins_suffice", [](const AxesReport& v) { return v.pins_suffice; },
          "Whether a check with these axes pinned has none of the findings left.")
      .def_property_readonly(
          "checks", [](const AxesReport& v) { return v.checks; }, "How many checks were made.")
      .def_property_readonly(
          "dynamic_shapes", [](const AxesReport& v) { return text(v.dynamic_shapes); },
          "Python for torch.export; \"\" = no axis is left.")
      .def_property_readonly(
          "dynamic_axes", [](const AxesReport& v) { return text(v.dynamic_axes); },
          "Python for torch.onnx.export(dynamo=False).")
      .def_property_readonly(
          "fix_command", [](const AxesReport& v) { return text(v.fix_command); },
          "`trtcheck fix --static ...`; \"\" = nothing has to be pinned.")
      .def(
          "to_json", [](const AxesReport& v) { return text(render(v, {.format = Format::json})); },
          "The JSON document that `trtcheck axes --output-format json` prints.")
      .def(
          "to_html", [](const AxesReport& v) { return text(render(v, {.format = Format::html})); },
          "The page that `trtcheck axes --output-format html` writes.")
      .def(
          "to_dict", [](const AxesReport& v) { return parsed(text(render(v, {.format = Format::json}))); },
          "The same document as Python values.")
      .def("__str__", [](const AxesReport& v) { return text(render(v, {.format = Format::full})); })
      .def("__repr__",
           [](const AxesReport& v) { return text("<AxesReport of " + std::to_string(v.axes.size()) + " axes>"); });
  add_own_pickling<AxesValues>(report);
  add_html(report);
  module.def("axes", &axes_of, py::arg("model"), py::kw_only(), py::arg("target"), py::arg("select"), py::arg("ignore"),
             py::arg("asked"));
}

}  // namespace trtcheck::python
