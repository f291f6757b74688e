#include "registers.hpp"
#include "release_text.hpp"
#include "shape_functions.hpp"
#include "text.hpp"
#include "value_pickling.hpp"
#include "value_views.hpp"

#include <pybind11/stl.h>

#include <ranges>

#include <trtcheck/target.hpp>

namespace trtcheck::python {
namespace {

Target make_target(const std::optional<ReleaseText>& release, const std::vector<std::string>& precision,
                   const std::optional<std::string>& compute_capability, bool dla, bool strongly_typed,
                   std::vector<std::string> plugins, const std::vector<std::string>& profile, bool require_profile,
                   const std::vector<StatedShapes>& shape_functions) {
  Target target;
  if (release) target.release = parse_release(release->text);
  for (const std::string& word : precision) target.precisions.push_back(parse_precision(word));
  if (compute_capability) target.compute_capability = parse_compute_capability(*compute_capability);
  target.dla = dla;
  target.strongly_typed = strongly_typed;
  target.plugins = std::move(plugins);
  for (const std::string& input : profile) target.profile.push_back(parse_profile(input));
  target.require_profile = require_profile;
  target.shape_functions = python::shape_functions(shape_functions);
  return target;
}

using Sizes = std::vector<std::int64_t>;

std::map<std::string, std::tuple<Sizes, Sizes, Sizes>> profile(const Target& target) {
  std::map<std::string, std::tuple<Sizes, Sizes, Sizes>> made;
  for (const ProfileInput& input : target.profile)
    made.emplace(input.name, std::tuple(input.min, input.opt, input.max));
  return made;
}

std::string capability_text(ComputeCapability c) {
  return std::to_string(c.major_version) + "." + std::to_string(c.minor_version);
}

}  // namespace

void register_target(py::module_& module) {
  py::class_<Target> type(module, "Target", "The TensorRT release and the hardware that a model is checked for.");
  type.def(py::init(&make_target), py::kw_only(), py::arg("release") = py::none(),
           py::arg("precision") = std::vector<std::string>{}, py::arg("compute_capability") = py::none(),
           py::arg("dla") = false, py::arg("strongly_typed") = false, py::arg("plugins") = std::vector<std::string>{},
           py::arg("profile") = std::vector<std::string>{}, py::arg("require_profile") = false,
           py::arg("shape_functions") = std::vector<StatedShapes>{})
      .def_property_readonly(
          "release", [](const Target& t) { return text(to_string(t.release)); }, "\"10.13\"")
      .def_property_readonly(
          "precision",
          [](const Target& t) {
            return texts(t.precisions | std::views::transform([](Precision p) { return to_string(p); }));
          },
          "Precisions beyond FP32; empty when not stated.")
      .def_property_readonly(
          "compute_capability",
          [](const Target& t) {
            return t.compute_capability ? std::optional(text(capability_text(*t.compute_capability))) : std::nullopt;
          },
          "Of the GPU, \"8.6\"; None: not stated.")
      .def_property_readonly(
          "dla", [](const Target& t) { return t.dla; }, "Layers are to run on NVIDIA's DLA, with GPU fallback.")
      .def_property_readonly(
          "strongly_typed", [](const Target& t) { return t.strongly_typed; },
          "The network is made strongly typed, where that is a choice (9.0 to 10.16).")
      .def_property_readonly(
          "plugins", [](const Target& t) { return texts(t.plugins); }, "Operators that the user's plugins serve.")
      .def_property_readonly("profile", &profile, "Smallest, best and largest shape of each input.")
      .def_property_readonly(
          "require_profile", [](const Target& t) { return t.require_profile; },
          "Nothing but a profile gives sizes: dynamic inputs without one are reported.")
      .def_property_readonly(
          "shape_functions",
          [](const Target& t) {
            return texts(t.shape_functions | std::views::transform([](const ShapeFunction& f) { return f.op; }));
          },
          "Operators whose shapes the user states.")
      .def("__repr__", [](const Target& t) { return text("<Target TensorRT " + to_string(t.release) + ">"); });
  add_value_pickling(type);
  add_views(type);

  module.def(
      "rtx_releases",
      [] { return texts(known_rtx_releases() | std::views::transform([](TrtVersion v) { return to_string(v); })); },
      "The TensorRT-RTX releases with facts, oldest first: \"rtx-1.5\" ... .");
  module.def(
      "releases",
      [] { return texts(known_releases() | std::views::transform([](TrtVersion v) { return to_string(v); })); },
      "The TensorRT releases with facts, oldest first: \"8.0\" ... .");
}

}  // namespace trtcheck::python
