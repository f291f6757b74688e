#include "owners.hpp"
#include "registers.hpp"
#include "text.hpp"
#include "value_pickling.hpp"
#include "value_views.hpp"

#include <pybind11/stl.h>

#include <map>
#include <tuple>

#include <trtcheck/profile.hpp>

namespace trtcheck::python {
namespace {

std::string rendered_proposal(const ProfileProposal& p, Format format) { return render(p, {.format = format}); }

ProfileProposal propose_for(const ModelView& model, const Target& target, const std::vector<std::string>& dims) {
  ProposeOptions options;
  options.given = target.profile;
  options.target = target;
  for (const std::string& dim : dims) options.dims.push_back(parse_size_range(dim));
  const py::gil_scoped_release unlocked;
  return propose(model.owner->model, options);
}

using Sizes = std::vector<std::int64_t>;

std::map<std::string, std::tuple<Sizes, Sizes, Sizes>> profile_of(const ProfileProposal& p) {
  std::map<std::string, std::tuple<Sizes, Sizes, Sizes>> made;
  for (const ProfileInput& input : p.inputs) made.emplace(input.name, std::tuple(input.min, input.opt, input.max));
  return made;
}

void register_choice(py::module_& module) {
  py::class_<SizeChoice> choice(module, "SizeChoice", "What one dynamic size became, and why. Sizes are elements.");
  choice
      .def_property_readonly(
          "name", [](const SizeChoice& c) { return text(c.name); }, "\"batch\"; \"x.dim2\" of an axis without a name.")
      .def_property_readonly(
          "axes", [](const SizeChoice& c) { return texts(c.axes); }, "Where it stands: [\"axis 0 of `x`\"].")
      .def_property_readonly(
          "min", [](const SizeChoice& c) { return c.min; }, "Smallest.")
      .def_property_readonly(
          "opt", [](const SizeChoice& c) { return c.opt; }, "What the engine is tuned for.")
      .def_property_readonly(
          "max", [](const SizeChoice& c) { return c.max; }, "Largest.")
      .def_property_readonly(
          "why", [](const SizeChoice& c) { return text(c.why); }, "One line.")
      .def("__repr__", [](const SizeChoice& c) {
        return text("<SizeChoice " + c.name + "=" + std::to_string(c.min) + ":" + std::to_string(c.opt) + ":" +
                    std::to_string(c.max) + ">");
      });
  add_value_pickling(choice);
  add_views(choice);
}

}  // namespace

void register_profile(py::module_& module) {
  register_choice(module);
  py::class_<ProfileProposal> type(module, "ProfileProposal", R"(An optimization profile that fits what was inferred.

`str()` is the full text, `to_json()` what the command line prints as JSON.)");
  type.def_property_readonly(
          "path", [](const ProfileProposal& p) { return text(p.path); }, "\"\" for a model from memory.")
      .def_property_readonly(
          "profile", [](const ProfileProposal& p) { return profile_of(p); },
          "Smallest, best and largest shape by input, as `check` accepts it. Empty: no input is dynamic.")
      .def_property_readonly(
          "choices", [](const ProfileProposal& p) { return p.choices; }, "One for each dynamic size.")
      .def_property_readonly(
          "shapeless", [](const ProfileProposal& p) { return texts(p.shapeless); },
          "Inputs that state no shape: nothing is proposed for them.")
      .def_property_readonly(
          "valued", [](const ProfileProposal& p) { return texts(p.valued); },
          "Inputs whose values are a shape: the builder requires values for them, too.")
      .def_property_readonly(
          "findings", [](const ProfileProposal& p) { return p.findings; },
          "What a check says of this profile, rules SHP and PRF.")
      .def_property_readonly(
          "commands",
          [](const ProfileProposal& p) {
            std::vector<py::str> made;
            for (const ProfileCommand& command : p.commands) made.push_back(text(command.text));
            return made;
          },
          "Lines for a POSIX shell: trtexec, polygraphy convert, polygraphy run, trtcheck check.")
      .def_property_readonly(
          "fits", [](const ProfileProposal& p) { return p.fits(); }, "Whether no finding is an error.")
      .def(
          "to_json", [](const ProfileProposal& p) { return text(rendered_proposal(p, Format::json)); },
          "The JSON document that `trtcheck profile --output-format json` prints.")
      .def(
          "to_dict",
          [](const ProfileProposal& p) -> py::typing::Dict<py::str, py::object> {
            return py::module_::import("json").attr("loads")(text(rendered_proposal(p, Format::json)));
          },
          "The same document as Python values.")
      .def("__str__", [](const ProfileProposal& p) { return text(rendered_proposal(p, Format::full)); })
      .def("__repr__", [](const ProfileProposal& p) {
        return text("<ProfileProposal of " + std::to_string(p.inputs.size()) + " inputs" +
                    (p.fits() ? ">" : ", does not fit>"));
      });
  add_value_pickling(type);
  add_html(type);
  module.def("propose_profile", &propose_for, py::arg("model"), py::kw_only(), py::arg("target"), py::arg("dims"));
}

}  // namespace trtcheck::python
