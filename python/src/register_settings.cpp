#include "checked_report.hpp"
#include "owners.hpp"
#include "pickling.hpp"
#include "registers.hpp"
#include "release_text.hpp"
#include "text.hpp"
#include "value_state.hpp"

#include <pybind11/stl.h>
#include <pybind11/typing.h>

#include <map>
#include <utility>

#include <trtcheck/baseline.hpp>
#include <trtcheck/settings.hpp>

#include "settings/keys.hpp"
#include "settings/rows.hpp"

namespace trtcheck::python {
namespace {

/// What a caller gives, as a configuration file would have it.
settings::TomlValue plain(const py::handle& given) {
  using settings::TomlValue;
  if (py::isinstance<py::str>(given) || py::isinstance<py::bytes>(given)) {
    return TomlValue::of(given.cast<std::string>());
  }
  TomlValue made;
  if (py::isinstance<py::bool_>(given)) return TomlValue::of(given.cast<bool>());
  if (py::isinstance<py::int_>(given)) {
    made.kind = TomlValue::Kind::integer;
  } else if (py::isinstance<py::float_>(given)) {
    made.kind = TomlValue::Kind::floating;
  } else if (py::isinstance<py::dict>(given)) {
    for (const auto& [key, value] : given.cast<py::dict>())
      made.entries.push_back({key.cast<std::string>(), 0, plain(value)});
  } else {
    made.kind = TomlValue::Kind::array;
    for (const py::handle item : given) made.items.push_back(plain(item));
  }
  return made;
}

SettingsOverrides overrides_of(const py::dict& given) {
  SettingsOverrides made;
  for (const auto& [name, value] : given) {
    const auto word = name.cast<std::string>();
    const settings::Key* const key = settings::find_key(word);
    if (key == nullptr) throw py::type_error("there is no setting `" + word + "`");
    if (key->type == settings::Type::release) static_cast<void>(value.cast<ReleaseText>());
    key->read({}, *key, plain(value), made);
  }
  return made;
}

// Paths are bytes: file names need not be UTF-8.
Settings load_settings(const py::bytes& folder, const py::bytes& config, bool search,
                       const py::typing::Dict<py::str, py::object>& given) {
  SettingsOverrides overrides = overrides_of(given);
  const ConfigChoice choice{.file = config, .search = search};
  const std::string name = folder;
  const py::gil_scoped_release unlocked;
  return SettingsResolver(choice, std::move(overrides)).for_folder(name);
}

CheckedReport check_with(const ModelView& model, Settings settings) {
  const py::gil_scoped_release unlocked;
  load_ranges(settings);
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

py::tuple settings_state(const Settings& s) {
  const auto of_rows = [&s](const auto&... rows) { return py::make_tuple(state_of(rows.at(s))...); };
  return py::make_tuple(text(version()), std::apply(of_rows, settings::kRows), s.check.skip_unknown_inputs,
                        state_of(s.file), state_of(s.origins), state_of(s.unmatched),
                        state_of(s.check.target.shape_functions));
}

Settings settings_from(const py::tuple& state) {
  if (state.size() != 7 || state[0].cast<std::string>() != version()) {
    throw py::value_error("pickled by another version of trtcheck");
  }
  Settings s;
  // Two rows may end up in one place: the last one restores it, as any of them.
  const auto values = state[1].cast<py::tuple>();
  std::apply([&, i = std::size_t{0}](
                 const auto&... rows) mutable { ((rows.at(s) = {}, restore(rows.at(s), values[i++])), ...); },
             settings::kRows);
  s.check.skip_unknown_inputs = state[2].cast<bool>();
  restore(s.file, state[3]);
  restore(s.origins, state[4]);
  restore(s.unmatched, state[5]);
  restore(s.check.target.shape_functions, state[6]);
  return s;
}

}  // namespace

void register_settings(py::module_& module) {
  py::class_<Settings> made(module, "Settings", "The native part of `trtcheck.Settings`.");
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
             py::arg("given"));
  module.def("check_with", &check_with, py::arg("model"), py::arg("settings"));
}

}  // namespace trtcheck::python
