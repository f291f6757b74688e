#include "checked_report.hpp"
#include "registers.hpp"
#include "rendering.hpp"
#include "text.hpp"
#include "value_pickling.hpp"
#include "value_views.hpp"
#include "words.hpp"

#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include <trtcheck/confirm.hpp>
#include <trtcheck/settings.hpp>

#include "model/fetch.hpp"

namespace trtcheck::python {
namespace {

using TestimonyWord = py::typing::Literal<"\"built\"", "\"parsed\"", "\"refused\"", "\"crashed\"", "\"not judged\"">;
using AgreementWord = py::typing::Literal<"\"agree\"", "\"not predicted\"", "\"false alarm\"", "\"not judged\"">;

std::string rendered_confirmation(const Confirmation& c, Format format) {
  return render({&c, 1}, {.format = format, .summary = false});
}

FoundWitnesses find(const py::bytes& path, const py::bytes& program, const std::vector<py::bytes>& folders,
                    double timeout) {
  bool interrupted = false;
  // Ctrl-C ends the self-test and is raised here.
  const auto cancelled = [&interrupted] {
    const py::gil_scoped_acquire locked;
    interrupted = interrupted || PyErr_CheckSignals() != 0;
    return interrupted;
  };
  const WitnessSearch search{path, program, {folders.begin(), folders.end()}, timeout, cancelled};
  try {
    const py::gil_scoped_release unlocked;
    return find_witnesses(search);
  } catch (const Error&) {
    if (interrupted) throw py::error_already_set();
    throw;
  }
}

struct Limits {
  bool parse_only;
  bool propose_profile;
  double timeout;
  double memory;
};

/// @param name  of a text form, whose binary is at `path`; "" = the model is at `path` itself
Confirmation ask_witness(const std::string& path, const std::string& name, const Witness& witness, CheckOptions check,
                         const Limits& limits) {
  bool interrupted = false;
  ConfirmOptions options{.check = std::move(check),
                         .parse_only = limits.parse_only,
                         .propose_profile = limits.propose_profile,
                         .timeout = limits.timeout,
                         .memory = limits.memory};
  // Ctrl-C ends the process and is raised here.
  options.cancelled = [&interrupted] {
    const py::gil_scoped_acquire locked;
    interrupted = interrupted || PyErr_CheckSignals() != 0;
    return interrupted;
  };
  Confirmation made;
  {
    const py::gil_scoped_release unlocked;
    if (name.empty()) {
      made = confirm(path, witness, options);
    } else {
      made = confirm(read_model(Bytes::of_file(path), name, options.check.limits), path, witness, options);
    }
  }
  if (interrupted) throw py::error_already_set();
  return made;
}

Confirmation confirm_for(const py::bytes& path, const py::bytes& name, const Witness& witness, const Target& target,
                         std::vector<std::string> select, std::vector<std::string> ignore, bool parse_only,
                         bool propose_profile, double timeout, double memory) {
  CheckOptions check;
  check.target = target;
  check.select = std::move(select);
  check.ignore = std::move(ignore);
  check.neighbourhoods = true;
  return ask_witness(path, name, witness, std::move(check), {parse_only, propose_profile, timeout, memory});
}

Confirmation confirm_with(const py::bytes& path, const py::bytes& name, const Witness& witness,
                          const Settings& settings, bool parse_only, bool propose_profile, double timeout,
                          double memory) {
  return ask_witness(path, name, witness, settings.check, {parse_only, propose_profile, timeout, memory});
}

void register_witness(py::module_& module) {
  py::class_<Witness> witness(module, "Witness", "NVIDIA's parser and builder as they are installed on this machine.");
  witness
      .def_property_readonly(
          "product", [](const Witness& w) { return text(w.product); }, "\"TensorRT-RTX\" or \"TensorRT\".")
      .def_property_readonly(
          "release", [](const Witness& w) { return text(w.release); }, "\"1.7.1\".")
      .def_property_readonly(
          "target",
          [](const Witness& w) {
            const auto release = release_of(w);
            return release ? std::optional(text(to_string(*release))) : std::nullopt;
          },
          "What a prediction is made for that it can judge: \"rtx-1.7\"; None: no facts are known about that release.")
      .def_property_readonly(
          "library", [](const Witness& w) { return text(w.library); }, "The file of the builder, or \"\".")
      .def_property_readonly(
          "program", [](const Witness& w) { return text(w.program); }, "The program that loads it.")
      .def("__repr__", [](const Witness& w) { return text("<Witness " + w.product + " " + w.release + ">"); });
  add_value_pickling(witness);
  add_views(witness);

  py::class_<WitnessMessage> message(module, "WitnessMessage", "Something that the parser or the builder said.");
  message
      .def_property_readonly(
          "text", [](const WitnessMessage& m) { return text(m.text); }, "As it was printed; may have several lines.")
      .def_property_readonly(
          "stage", [](const WitnessMessage& m) { return text(m.stage); }, "\"parser\" or \"builder\".")
      .def_property_readonly(
          "node", [](const WitnessMessage& m) { return text(m.node); }, "The node that it is about, or \"\".")
      .def_property_readonly(
          "op_type", [](const WitnessMessage& m) { return text(m.op_type); }, "Of the node, or \"\".")
      .def_property_readonly(
          "graph", [](const WitnessMessage& m) { return text(m.graph); }, "Of the node: \"main\"; \"\" without one.")
      .def_property_readonly(
          "module", [](const WitnessMessage& m) { return text(m.module); },
          "Of the node: \"encoder.layers.10\", or \"\".")
      .def_property_readonly(
          "source", [](const WitnessMessage& m) { return m.source; },
          "The line of the PyTorch program, when the exporter recorded it.")
      .def_property_readonly(
          "library", [](const WitnessMessage& m) { return m.library; },
          "The line of the library that `source` called, if any.")
      .def_property_readonly(
          "matches", [](const WitnessMessage& m) { return m.matches; }, "Rules that explain it, best first.")
      .def_property_readonly(
          "predicted", [](const WitnessMessage& m) { return m.predicted; },
          "Whether there is a finding of such a rule, or at that node.")
      .def("__repr__", [](const WitnessMessage& m) {
        return text("<WitnessMessage " + m.stage + ": " + m.text.substr(0, m.text.find('\n')) + ">");
      });
  add_value_pickling(message);
  add_views(message);
}

}  // namespace

void register_confirm(py::module_& module) {
  register_witness(module);
  py::class_<Confirmation> type(module, "Confirmation", R"(A prediction, and what NVIDIA's parser and builder say.

`str()` is the full text, `to_json()` what the command line prints as JSON.)");
  type.def_property_readonly(
          "path", [](const Confirmation& c) { return text(c.path); }, "Of the file that both have read.")
      .def_property_readonly(
          "report",
          [](const Confirmation& c) {
            return CheckedReport{c.report, {}};
          },
          "The prediction for the release of the witness, which its answer is compared with.")
      .def_property_readonly(
          "requested",
          [](const Confirmation& c) {
            return c.requested ? std::optional(CheckedReport{*c.requested, {}}) : std::nullopt;
          },
          "The prediction for the release that was named; None: that is the one of the witness.")
      .def_property_readonly(
          "asked",
          [](const Confirmation& c) { return !c.requested || answers_for(c.witness, c.requested->target.release); },
          "Whether the witness answers for the release that was named: it is of it, or was built from its branch.")
      .def_property_readonly(
          "witness", [](const Confirmation& c) { return c.witness; }, "Who was asked.")
      .def_property_readonly(
          "testimony", [](const Confirmation& c) { return word<TestimonyWord>(c.testimony); },
          "\"built\", \"parsed\" (the builder was not asked), \"refused\", \"crashed\" or \"not judged\".")
      .def_property_readonly(
          "agreement", [](const Confirmation& c) { return word<AgreementWord>(c.agreement); },
          "\"agree\"; \"not predicted\": refused all the same; \"false alarm\": built all the same; \"not judged\".")
      .def_property_readonly(
          "reason", [](const Confirmation& c) { return text(c.reason); }, "One line, or \"\" when it was built.")
      .def_property_readonly(
          "messages", [](const Confirmation& c) { return c.messages; },
          "Errors, the first 100 in the order in which they came.")
      .def_property_readonly(
          "unlisted_messages", [](const Confirmation& c) { return c.unlisted_messages; },
          "How many errors came beyond these.")
      .def_property_readonly(
          "warnings", [](const Confirmation& c) { return texts(c.warnings); }, "What was warned of.")
      .def_property_readonly(
          "unlisted_warnings", [](const Confirmation& c) { return c.unlisted_warnings; },
          "How many warnings the witness counted only.")
      .def_property_readonly(
          "profile_proposed", [](const Confirmation& c) { return c.profile_proposed; },
          "Whether part of the profile was not given by the caller. The profile is that of `report.target`.")
      .def_property_readonly(
          "engine_bytes", [](const Confirmation& c) { return c.engine_bytes; }, "Size of the engine, None without one.")
      .def_property_readonly(
          "parse_seconds", [](const Confirmation& c) { return c.parse_seconds; }, "None: it was not parsed.")
      .def_property_readonly(
          "build_seconds", [](const Confirmation& c) { return c.build_seconds; }, "None: it was not built.")
      .def_property_readonly(
          "refused", [](const Confirmation& c) { return c.is_refused(); },
          "Whether the witness, or the prediction for the release that was named, says that the model does not "
          "convert.")
      .def(
          "to_json", [](const Confirmation& c) { return text(rendered_confirmation(c, Format::json)); },
          "The JSON document that `trtcheck confirm --output-format json` prints for this model.")
      .def(
          "to_dict",
          [](const Confirmation& c) -> py::typing::Dict<py::str, py::object> {
            return py::module_::import("json").attr("loads")(text(rendered_confirmation(c, Format::json)));
          },
          "The same document as Python values.")
      .def("__str__", [](const Confirmation& c) { return text(rendered_confirmation(c, Format::full)); })
      .def(
          "_marked",
          [](const Confirmation& c, CheckedReport report) {
            mark(report.report, c);
            return report;
          },
          py::arg("report"))
      .def("_is_accepted",
           [](const Confirmation& c) { return c.unpredicted.findings.empty() && c.unpredicted.suppressed > 0; })
      .def("__repr__", [](const Confirmation& c) {
        return text("<Confirmation " + std::string(to_string(c.agreement)) + ": " +
                    std::string(to_string(c.testimony)) + ">");
      });
  add_value_pickling(type);
  add_html(type);
  // The witnesses, the oldest first, and what was passed over.
  const auto find_all = [](const py::bytes& path, const py::bytes& program, const std::vector<py::bytes>& folders,
                           double timeout) {
    FoundWitnesses found = find(path, program, folders, timeout);
    return std::pair(std::move(found.witnesses), texts(found.passed_over));
  };
  module.def("find_witnesses", find_all, py::arg("path"), py::kw_only(), py::arg("program"), py::arg("folders"),
             py::arg("timeout"));
  module.def("confirm", &confirm_for, py::arg("path"), py::arg("name"), py::arg("witness"), py::kw_only(),
             py::arg("target"), py::arg("select"), py::arg("ignore"), py::arg("parse_only"), py::arg("propose_profile"),
             py::arg("timeout"), py::arg("memory"));
  module.def("confirm_with", &confirm_with, py::arg("path"), py::arg("name"), py::arg("witness"), py::arg("settings"),
             py::kw_only(), py::arg("parse_only"), py::arg("propose_profile"), py::arg("timeout"), py::arg("memory"));
}

}  // namespace trtcheck::python
