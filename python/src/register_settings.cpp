#include "checked_report.hpp"
#include "owners.hpp"
#include "pickling.hpp"
#include "registers.hpp"
#include "release_text.hpp"
#include "text.hpp"

#include <pybind11/stl.h>

#include <map>
#include <utility>

#include <trtcheck/baseline.hpp>
#include <trtcheck/settings.hpp>

namespace trtcheck::python {
namespace {

using Words = std::vector<std::string>;

template <class Parse>
auto parsed(const std::optional<std::string>& word, Parse parse) {
  return word ? std::optional(parse(*word)) : std::nullopt;
}

template <class Parse>
auto parsed(const std::optional<Words>& words, Parse parse) {
  std::optional<std::vector<decltype(parse(std::string()))>> made;
  if (!words) return made;
  made.emplace();
  for (const std::string& word : *words) made->push_back(parse(word));
  return made;
}

Severity parse_severity(const std::string& word) {
  for (const Severity severity : {Severity::error, Severity::warning, Severity::info}) {
    if (to_string(severity) == word) return severity;
  }
  throw Error("severity", "`" + word + "` is none of error, warning, info");
}

// Paths are bytes: file names need not be UTF-8.
Settings load_settings(const py::bytes& folder, const py::bytes& config, bool search,
                       const std::optional<ReleaseText>& target, const std::optional<Words>& precision,
                       const std::optional<std::string>& compute_capability, std::optional<Words> plugins,
                       const std::optional<Words>& profile, std::optional<Words> select, Words extend_select,
                       std::optional<Words> ignore, const std::vector<std::pair<std::string, std::string>>& severity,
                       const std::optional<std::string>& fail_on) {
  SettingsOverrides overrides{.release = target ? std::optional(parse_release(target->text)) : std::nullopt,
                              .precisions = parsed(precision, parse_precision),
                              .compute_capability = parsed(compute_capability, parse_compute_capability),
                              .plugins = std::move(plugins),
                              .profile = parsed(profile, parse_profile),
                              .select = std::move(select),
                              .ignore = std::move(ignore),
                              .fail_on = parsed(fail_on, parse_fail_on),
                              .exclude = {},
                              .baseline = {},
                              .extend_select = std::move(extend_select),
                              .severities = {}};
  for (const auto& [rule, word] : severity) overrides.severities.push_back({rule, parse_severity(word)});
  const ConfigChoice choice{.file = config, .search = search};
  const std::string name = folder;
  const py::gil_scoped_release unlocked;
  return SettingsResolver(choice, std::move(overrides)).for_folder(name);
}

CheckedReport check_with(const ModelView& model, const Settings& settings) {
  const py::gil_scoped_release unlocked;
  Report report = check(model.owner->model, settings.check);
  // A baseline goes by paths; a model from memory has none.
  if (!settings.baseline.empty() && !report.path.empty()) {
    static_cast<void>(read_baseline(settings.baseline).apply(report, settings.check));
  }
  return {std::move(report), {}};
}

std::map<std::string, py::str> origins(const Settings& settings) {
  std::map<std::string, py::str> made;
  for (const SettingOrigin& origin : settings.origins) {
    const std::string key = origin.entry.empty() ? origin.key : origin.key + "." + origin.entry;
    std::string place = origin.place();
    if (origin.from == SettingOrigin::From::caller) place = "argument";
    made.emplace(key, text(place));
  }
  return made;
}

py::list words_state(const Words& words) {
  py::list made;
  for (const std::string& word : words) made.append(py::bytes(word));
  return made;
}

py::list patterns_state(const std::vector<PathPattern>& patterns) {
  py::list made;
  for (const PathPattern& each : patterns) made.append(words_state({each.pattern, each.folder}));
  return made;
}

std::vector<PathPattern> patterns_from(const py::object& state) {
  std::vector<PathPattern> made;
  for (const Words& each : state.cast<std::vector<Words>>()) made.push_back({each.at(0), each.at(1)});
  return made;
}

py::tuple check_state(const CheckOptions& check) {
  py::list nodes;
  for (const NodeIgnore& each : check.node_ignores) {
    nodes.append(py::make_tuple(py::bytes(each.node), words_state(each.rules), py::bytes(each.reason)));
  }
  py::list severities;
  for (const SeverityOverride& each : check.severities) {
    severities.append(py::make_tuple(py::bytes(each.rule), static_cast<int>(each.severity)));
  }
  return py::make_tuple(target_state(check.target), words_state(check.select), words_state(check.ignore), nodes,
                        severities, check.skip_unknown_inputs);
}

CheckOptions check_from(const py::tuple& state) {
  CheckOptions check;
  check.target = target_from(state[0].cast<py::tuple>());
  check.select = state[1].cast<Words>();
  check.ignore = state[2].cast<Words>();
  for (const auto& [node, rules, reason] : state[3].cast<std::vector<std::tuple<std::string, Words, std::string>>>()) {
    check.node_ignores.push_back({node, rules, reason});
  }
  for (const auto& [rule, severity] : state[4].cast<std::vector<std::pair<std::string, int>>>()) {
    check.severities.push_back({rule, static_cast<Severity>(severity)});
  }
  check.skip_unknown_inputs = state[5].cast<bool>();
  return check;
}

using OriginState = std::tuple<std::string, std::string, std::string, int, bool, std::string, int>;

py::tuple settings_state(const Settings& s) {
  py::list ignores;
  for (const FileIgnore& each : s.file_ignores) {
    ignores.append(py::make_tuple(patterns_state({each.models})[0], words_state(each.rules)));
  }
  py::list from;
  for (const SettingOrigin& each : s.origins) {
    from.append(py::make_tuple(py::bytes(each.key), py::bytes(each.entry), py::bytes(each.value),
                               static_cast<int>(each.from), each.extended, py::bytes(each.file), each.line));
  }
  return py::make_tuple(text(version()), check_state(s.check), static_cast<int>(s.fail_on), patterns_state(s.exclude),
                        py::bytes(s.baseline), ignores, py::bytes(s.file), from, words_state(s.unmatched));
}

Settings settings_from(const py::tuple& state) {
  if (state.size() != 9 || state[0].cast<std::string>() != version()) {
    throw py::value_error("pickled by another version of trtcheck");
  }
  Settings s;
  s.check = check_from(state[1].cast<py::tuple>());
  s.fail_on = static_cast<FailOn>(state[2].cast<int>());
  s.exclude = patterns_from(state[3]);
  s.baseline = state[4].cast<std::string>();
  for (const auto& [models, rules] : state[5].cast<std::vector<std::pair<Words, Words>>>()) {
    s.file_ignores.push_back({{models.at(0), models.at(1)}, rules});
  }
  s.file = state[6].cast<std::string>();
  for (const auto& [key, entry, value, from, extended, file, line] : state[7].cast<std::vector<OriginState>>()) {
    s.origins.push_back({key, entry, value, static_cast<SettingOrigin::From>(from), extended, file, line});
  }
  s.unmatched = state[8].cast<Words>();
  return s;
}

}  // namespace

void register_settings(py::module_& module) {
  py::class_<Settings> made(module, "Settings", "What stands behind `trtcheck.Settings`.");
  made.def_property_readonly("target", [](const Settings& s) { return s.check.target; })
      .def_property_readonly("select", [](const Settings& s) { return texts(s.check.select); })
      .def_property_readonly("ignore", [](const Settings& s) { return texts(s.check.ignore); })
      .def_property_readonly("fail_on", [](const Settings& s) { return text(to_string(s.fail_on)); })
      .def_property_readonly("baseline", [](const Settings& s) { return py::bytes(s.baseline); })
      .def_property_readonly("file", [](const Settings& s) { return py::bytes(s.file); })
      .def_property_readonly("origins", &origins)
      .def(
          "for_model", [](const Settings& s, const py::bytes& path) { return with_file_ignores(s, path); },
          py::arg("path"))
      .def(
          "excludes", [](const Settings& s, const py::bytes& path) { return is_excluded(s, path); }, py::arg("path"))
      .def(
          "fails", [](const Settings& s, const CheckedReport& r) { return fails(r.report, s.fail_on); },
          py::arg("report"))
      .def("toml", [](const Settings& s) { return text(settings_toml(s)); });
  add_pickling<decltype(made), &settings_state, &settings_from>(made);

  module.def("load_settings", &load_settings, py::arg("folder"), py::kw_only(), py::arg("config"), py::arg("search"),
             py::arg("target"), py::arg("precision"), py::arg("compute_capability"), py::arg("plugins"),
             py::arg("profile"), py::arg("select"), py::arg("extend_select"), py::arg("ignore"), py::arg("severity"),
             py::arg("fail_on"));
  module.def("check_with", &check_with, py::arg("model"), py::arg("settings"));
}

}  // namespace trtcheck::python
