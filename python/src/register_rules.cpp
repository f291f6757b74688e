#include "registers.hpp"
#include "text.hpp"
#include "value_pickling.hpp"
#include "value_views.hpp"
#include "words.hpp"

#include <pybind11/stl.h>

#include <algorithm>

#include <trtcheck/messages.hpp>
#include <trtcheck/rule.hpp>

namespace trtcheck::python {
namespace {

std::vector<const Rule*> rules() { return {all_rules().begin(), all_rules().end()}; }

const Rule& rule(const std::string& code_or_name) {
  const Rule* found = find_rule(code_or_name);
  if (found == nullptr) throw py::key_error(code_or_name);
  return *found;
}

/// With those of the operator tables, each text once.
std::vector<std::string> messages(const Rule& rule) {
  std::vector<std::string> texts;
  for (const KnownMessage& known : known_messages()) {
    if (known.rule == &rule && std::ranges::find(texts, known.text) == texts.end()) texts.emplace_back(known.text);
  }
  return texts;
}

py::tuple match_state(const MessageMatch& match) { return py::make_tuple(kFormat, state_of(match)); }

MessageMatch match_from(const py::tuple& state) {
  if (state.size() != 2 || !is_format(state[0])) refuse_state();
  MessageMatch made;
  restore(made, state[1]);
  return made;
}

}  // namespace

void register_rules(py::module_& module) {
  py::class_<Rule, std::unique_ptr<Rule, py::nodelete>> type(module, "Rule", "One thing that a check looks for.");
  type.def_property_readonly(
          "code", [](const Rule& r) { return text(r.code); }, "\"QDQ104\": family and number, for ever.")
      .def_property_readonly(
          "name", [](const Rule& r) { return text(r.name); }, "The defect: \"residual-not-quantized\".")
      .def_property_readonly(
          "since", [](const Rule& r) { return text(r.since); }, "The version of trtcheck that brought it.")
      .def_property_readonly(
          "severity", [](const Rule& r) { return word<SeverityWord>(r.severity); },
          "The highest severity that it reports.")
      .def_property_readonly(
          "certainty", [](const Rule& r) { return word<CertaintyWord>(r.certainty); },
          "The highest certainty that it reports.")
      .def_property_readonly(
          "fix", [](const Rule& r) { return word<ApplicabilityWord>(r.fix); },
          "What its fixes can promise: \"safe\" keeps the outputs.")
      .def_property_readonly(
          "summary", [](const Rule& r) { return text(r.summary); }, "What it finds, one line.")
      .def_property_readonly(
          "docs", [](const Rule& r) { return text(r.docs); }, "Markdown.")
      .def_property_readonly(
          "evidence", [](const Rule& r) { return texts(r.evidence); }, "Sources, most direct first.")
      .def_property_readonly("messages", &messages,
                             "What TensorRT prints when it meets the defect, `*` for what varies.")
      .def_property_readonly(
          "ops", [](const Rule& r) { return texts(r.ops); }, "Operators it looks at; empty: whole models.")
      .def("__repr__", [](const Rule& r) { return py::str("<Rule {} {}>").format(text(r.code), text(r.name)); })
      .def("__reduce__", [](const Rule& r) -> py::typing::Tuple<py::object, py::tuple> {
        return py::make_tuple(py::module_::import("trtcheck._core").attr("rule"), py::make_tuple(text(r.code)));
      });
  add_views(type);

  py::class_<MessageMatch> match(module, "MessageMatch", "A rule that explains a message of TensorRT.");
  match
      .def_property_readonly(
          "rule", [](const MessageMatch& m) { return m.rule; }, py::return_value_policy::reference,
          "The rule that explains it.")
      .def_property_readonly(
          "text", [](const MessageMatch& m) { return text(m.text); }, "What was recognised, `*` for what varies.")
      .def_property_readonly(
          "op_type", [](const MessageMatch& m) { return text(m.op_type); },
          "The operator whose importer prints it; \"\": any, or several.")
      .def_readonly("words", &MessageMatch::words, "How many words agree; more is more specific.")
      .def_property_readonly(
          "facts", [](const MessageMatch& m) { return texts(m.facts); },
          "Ids of the facts that explain it, where the rule tells several: \"pad-mode\".")
      .def("__repr__", [](const MessageMatch& m) {
        return py::str("<MessageMatch {} {!r}>").format(text(m.rule->code), text(m.text));
      });
  add_pickling<decltype(match), &match_state, &match_from>(match);
  add_views(match);

  py::class_<LogMatch> line(module, "LogMatch", "A line of a log that some rule explains.");
  line.def_readonly("line", &LogMatch::line, "Counted from 1.")
      .def_property_readonly(
          "message", [](const LogMatch& m) { return text(m.message); }, "The line, without time stamp and severity.")
      .def_readonly("matches", &LogMatch::matches, "The most specific first.")
      .def("__repr__", [](const LogMatch& m) {
        return py::str("<LogMatch line {} {}>").format(m.line, text(m.matches.front().rule->code));
      });
  add_value_pickling(line);
  add_views(line);

  module.def("rules_for", &rules_for, py::arg("message"),
             "Rules that explain a message of TensorRT, the most specific first; empty when no rule knows it.\n\n"
             "Punctuation, letter case and numbers do not count, and text around the message is skipped.");
  module.def("rules_for_log", &rules_for_log, py::arg("log"),
             "The lines of a log of trtexec or TensorRT that some rule explains, in order; each message once.");
  module.def("rules", &rules, py::return_value_policy::reference, "All rules, sorted by code.");
  module.def("rule", &rule, py::return_value_policy::reference, py::arg("code_or_name"),
             "One rule by its code (in any case) or name; KeyError when there is none.");
}

}  // namespace trtcheck::python
