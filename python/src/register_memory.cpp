#include "own_pickling.hpp"
#include "owners.hpp"
#include "registers.hpp"
#include "text.hpp"
#include "value_views.hpp"
#include "words.hpp"

#include <pybind11/stl.h>

#include <map>
#include <tuple>

#include <trtcheck/memory.hpp>

namespace trtcheck::report {

template <>
struct Fields<WeightBytes> {
  static constexpr std::tuple kAll{Field{"type", &WeightBytes::type}, Field{"count", &WeightBytes::count},
                                   Field{"bytes", &WeightBytes::bytes}};
};

template <>
struct Fields<LiveTensor> {
  static constexpr std::tuple kAll{Field{"name", &LiveTensor::name},       Field{"type", &LiveTensor::type},
                                   Field{"bytes", &LiveTensor::bytes},     Field{"node", &LiveTensor::node},
                                   Field{"op_type", &LiveTensor::op_type}, Field{"source", &LiveTensor::source}};
};

template <>
struct Fields<MemoryPoint> {
  static constexpr std::tuple kAll{Field{"name", &MemoryPoint::name},
                                   Field{"inputs", &MemoryPoint::inputs},
                                   Field{"outputs", &MemoryPoint::outputs},
                                   Field{"sum", &MemoryPoint::sum},
                                   Field{"peak", &MemoryPoint::peak},
                                   Field{"fused_peak", &MemoryPoint::fused_peak},
                                   Field{"peak_node", &MemoryPoint::peak_node},
                                   Field{"peak_op_type", &MemoryPoint::peak_op_type},
                                   Field{"peak_tensors", &MemoryPoint::peak_tensors},
                                   Field{"live", &MemoryPoint::live},
                                   Field{"unknown", &MemoryPoint::unknown}};
};

template <>
struct Fields<MemoryWarning> {
  static constexpr std::tuple kAll{Field{"text", &MemoryWarning::text}, Field{"node", &MemoryWarning::node},
                                   Field{"source", &MemoryWarning::source}};
};

template <>
struct Fields<MemoryReport> {
  static constexpr std::tuple kAll{Field{"path", &MemoryReport::path},
                                   Field{"weights", &MemoryReport::weights},
                                   Field{"weight_bytes", &MemoryReport::weight_bytes},
                                   Field{"is_proposed", &MemoryReport::is_proposed},
                                   Field{"profile", &MemoryReport::profile},
                                   Field{"points", &MemoryReport::points},
                                   Field{"warnings", &MemoryReport::warnings}};
};

}  // namespace trtcheck::report

namespace trtcheck::python {
namespace {

using MemoryValues = std::tuple<WeightBytes, LiveTensor, MemoryPoint, MemoryWarning, MemoryReport>;

MemoryReport memory_of_model(const ModelView& model, const Target& target) {
  const MemoryOptions options{.target = target};
  const py::gil_scoped_release unlocked;
  return memory(model.owner->model, options);
}

using Extents = std::vector<std::int64_t>;

std::map<std::string, std::tuple<Extents, Extents, Extents>> sizes_of(const MemoryReport& report) {
  std::map<std::string, std::tuple<Extents, Extents, Extents>> made;
  for (const ProfileInput& input : report.profile)
    made.emplace(input.name, std::tuple(input.min, input.opt, input.max));
  return made;
}

void register_memory_parts(py::module_& module) {
  py::class_<WeightBytes> weights(module, "WeightBytes", "Weights of one element type.");
  weights
      .def_property_readonly(
          "type", [](const WeightBytes& v) { return text(v.type); }, "\"FLOAT\".")
      .def_property_readonly(
          "count", [](const WeightBytes& v) { return v.count; }, "Tensors.")
      .def_property_readonly(
          "bytes", [](const WeightBytes& v) { return v.bytes; }, "Of their data.")
      .def("__repr__",
           [](const WeightBytes& v) { return text("<WeightBytes " + v.type + ": " + std::to_string(v.bytes) + ">"); });
  add_own_pickling<MemoryValues>(weights);
  add_views(weights);
  py::class_<LiveTensor> tensor(module, "LiveTensor", "A tensor that is there at the peak.");
  tensor
      .def_property_readonly(
          "name", [](const LiveTensor& v) { return text(v.name); }, "Of the tensor.")
      .def_property_readonly(
          "type", [](const LiveTensor& v) { return text(v.type); }, "\"FLOAT[8,64,112,112]\".")
      .def_property_readonly(
          "bytes", [](const LiveTensor& v) { return v.bytes; }, "Of its data.")
      .def_property_readonly(
          "node", [](const LiveTensor& v) { return text(v.node); }, "Label of the node that makes it.")
      .def_property_readonly(
          "op_type", [](const LiveTensor& v) { return text(v.op_type); }, "Of that node.")
      .def_property_readonly(
          "source", [](const LiveTensor& v) { return v.source; },
          "The line of the PyTorch program that the node comes from.")
      .def("__repr__",
           [](const LiveTensor& v) { return text("<LiveTensor " + v.name + ": " + std::to_string(v.bytes) + ">"); });
  add_own_pickling<MemoryValues>(tensor);
  add_views(tensor);
  py::class_<MemoryPoint> point(module, "MemoryPoint", "Memory at one size of the inputs, in bytes.");
  point
      .def_property_readonly(
          "name", [](const MemoryPoint& v) { return text(v.name); }, "\"min\", \"opt\", \"max\" or \"static\".")
      .def_property_readonly(
          "inputs", [](const MemoryPoint& v) { return v.inputs; }, "Of all inputs.")
      .def_property_readonly(
          "outputs", [](const MemoryPoint& v) { return v.outputs; }, "Of all outputs.")
      .def_property_readonly(
          "sum", [](const MemoryPoint& v) { return v.sum; }, "Of all activations, if each had a place of its own.")
      .def_property_readonly(
          "peak", [](const MemoryPoint& v) { return v.peak; }, "Of those that live at the same time, at most.")
      .def_property_readonly(
          "fused_peak", [](const MemoryPoint& v) { return v.fused_peak; },
          "The same when pointwise operators write over what they read.")
      .def_property_readonly(
          "peak_node", [](const MemoryPoint& v) { return text(v.peak_node); },
          "Label of the node that runs then; \"\" = there are no activations.")
      .def_property_readonly(
          "peak_op_type", [](const MemoryPoint& v) { return text(v.peak_op_type); }, "Of that node.")
      .def_property_readonly(
          "peak_tensors", [](const MemoryPoint& v) { return v.peak_tensors; }, "That live then, the largest first.")
      .def_property_readonly(
          "live", [](const MemoryPoint& v) { return v.live; },
          "While each node of the main graph runs, in order of execution.")
      .def_property_readonly(
          "unknown", [](const MemoryPoint& v) { return v.unknown; },
          "Results whose size is not known: they are not counted.")
      .def("__repr__", [](const MemoryPoint& v) {
        return text("<MemoryPoint " + v.name + ": peak " + std::to_string(v.peak) + ">");
      });
  add_own_pickling<MemoryValues>(point);
  add_views(point);
  py::class_<MemoryWarning> warning(module, "MemoryWarning", "Something that memory may fail of.");
  warning
      .def_property_readonly(
          "text", [](const MemoryWarning& v) { return text(v.text); }, "One line.")
      .def_property_readonly(
          "node", [](const MemoryWarning& v) { return text(v.node); }, "Label of the node; \"\" = none.")
      .def_property_readonly(
          "source", [](const MemoryWarning& v) { return v.source; },
          "The line of the PyTorch program that the node comes from.")
      .def("__repr__", [](const MemoryWarning& v) { return text("<MemoryWarning: " + v.text + ">"); });
  add_own_pickling<MemoryValues>(warning);
  add_views(warning);
}

}  // namespace

void register_memory(py::module_& module) {
  register_memory_parts(module);
  py::class_<MemoryReport> report(module, "MemoryReport", R"(How much memory a model needs.

`str()` is the full text, `to_json()` what the command line prints as JSON.)");
  report
      .def_property_readonly(
          "path", [](const MemoryReport& v) { return text(v.path); }, "\"\" for a model from memory.")
      .def_property_readonly(
          "weights", [](const MemoryReport& v) { return v.weights; }, "By type, most bytes first.")
      .def_property_readonly(
          "weight_bytes", [](const MemoryReport& v) { return v.weight_bytes; }, "Sum of them.")
      .def_property_readonly(
          "is_proposed", [](const MemoryReport& v) { return v.is_proposed; },
          "The sizes are those that `propose_profile` chose.")
      .def_property_readonly(
          "profile", [](const MemoryReport& v) { return sizes_of(v); }, "Smallest, best and largest shape by input.")
      .def_property_readonly(
          "points", [](const MemoryReport& v) { return v.points; }, "At min, opt and max, or static alone.")
      .def_property_readonly(
          "warnings", [](const MemoryReport& v) { return v.warnings; }, "In the order of the graph.")
      .def(
          "to_json", [](const MemoryReport& v) { return text(render(v, {.format = Format::json})); },
          "The JSON document that `trtcheck memory --output-format json` prints.")
      .def(
          "to_html", [](const MemoryReport& v) { return text(render(v, {.format = Format::html})); },
          "The page that `trtcheck memory --output-format html` writes.")
      .def(
          "to_dict", [](const MemoryReport& v) { return parsed(text(render(v, {.format = Format::json}))); },
          "The same document as Python values.")
      .def("__str__", [](const MemoryReport& v) { return text(render(v, {.format = Format::full})); })
      .def("__repr__", [](const MemoryReport& v) {
        return text("<MemoryReport: " + std::to_string(v.weight_bytes) + " bytes of weights>");
      });
  add_own_pickling<MemoryValues>(report);
  add_html(report);
  module.def("memory", &memory_of_model, py::arg("model"), py::kw_only(), py::arg("target"));
}

}  // namespace trtcheck::python
