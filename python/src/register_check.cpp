#include "checked_report.hpp"
#include "owners.hpp"
#include "pickling.hpp"
#include "registers.hpp"
#include "text.hpp"

#include <pybind11/stl.h>

#include <trtcheck/trtcheck.hpp>

namespace trtcheck::python {
namespace {

// A path is bytes: file names need not be UTF-8.
ModelView read_file(const py::bytes& path) {
  const std::string name = path;
  const py::gil_scoped_release unlocked;
  return {std::make_shared<const OwnedModel>(OwnedModel{nullptr, read_model(name)})};
}

ModelView read_memory(const py::buffer& buffer, const py::bytes& base_dir) {
  auto memory = std::make_unique<BorrowedBuffer>(buffer);
  const std::string folder = base_dir;
  std::optional<Model> model;
  {
    const py::gil_scoped_release unlocked;
    model = read_model(memory->bytes(), folder);
  }
  return {std::make_shared<const OwnedModel>(OwnedModel{std::move(memory), std::move(*model)})};
}

using RangesPtr = std::optional<std::shared_ptr<Ranges>>;

CheckOptions options_of(const Target& target, std::vector<std::string> select, std::vector<std::string> ignore,
                        RangesPtr ranges, bool read_weights) {
  CheckOptions options;
  options.target = target;
  options.select = std::move(select);
  options.ignore = std::move(ignore);
  options.neighbourhoods = true;
  if (ranges) options.ranges = std::move(*ranges);
  options.read_weights = read_weights;
  return options;
}

CheckedReport check_model(const ModelView& model, const Target& target, std::vector<std::string> select,
                          std::vector<std::string> ignore, RangesPtr ranges, bool read_weights) {
  const CheckOptions options =
      options_of(target, std::move(select), std::move(ignore), std::move(ranges), read_weights);
  const py::gil_scoped_release unlocked;
  return {check(model.owner->model, options), {}};
}

CheckedReport check_analysis(const OwnedAnalysis& analysis, const Target& target, std::vector<std::string> select,
                             std::vector<std::string> ignore, RangesPtr ranges, bool read_weights) {
  const CheckOptions options =
      options_of(target, std::move(select), std::move(ignore), std::move(ranges), read_weights);
  const py::gil_scoped_release unlocked;
  return {check(analysis.analysis, options), {}};
}

std::unique_ptr<OwnedAnalysis> analyze(const ModelView& model) {
  return std::make_unique<OwnedAnalysis>(OwnedAnalysis{model.owner, Analysis(model.owner->model)});
}

py::tuple analysis_state(const OwnedAnalysis& analysis) { return py::make_tuple(owner_object(analysis.owner)); }
std::unique_ptr<OwnedAnalysis> analysis_from(const py::tuple& state) {
  if (state.size() != 1) throw py::value_error("pickled by another version of trtcheck");
  return analyze({owner_from<OwnedModel>(state[0])});
}

ShapesView infer_model(const ModelView& model, const Target& target, bool as_tensorrt,
                       std::vector<std::string> assume) {
  const py::gil_scoped_release unlocked;
  return {std::make_shared<const OwnedShapes>(model.owner, Inferred{target, as_tensorrt, std::move(assume)})};
}

}  // namespace

void register_check(py::module_& module) {
  py::class_<OwnedAnalysis> type(module, "Analysis",
                                 R"(A model to be checked against several targets; made by `trtcheck.analyze`.

What has to be known of it is found out once: targets with the same profile share it. Checks of one analysis run one
after the other, whatever thread asks.)");
  type.def_property_readonly(
          "model", [](const OwnedAnalysis& a) { return ModelView{a.owner}; }, "The model.")
      .def("__repr__", [](const OwnedAnalysis& a) { return text("<Analysis of " + a.owner->model.path() + ">"); });
  add_pickling<decltype(type), &analysis_state, &analysis_from>(type);
  module.def("analyze", &analyze, py::arg("model"));
  module.def("read_file", &read_file, py::arg("path"));
  module.def("read_memory", &read_memory, py::arg("buffer"), py::arg("base_dir"));
  module.def("check", &check_model, py::arg("model"), py::kw_only(), py::arg("target"), py::arg("select"),
             py::arg("ignore"), py::arg("ranges") = py::none(), py::arg("read_weights") = false);
  module.def("check", &check_analysis, py::arg("model"), py::kw_only(), py::arg("target"), py::arg("select"),
             py::arg("ignore"), py::arg("ranges") = py::none(), py::arg("read_weights") = false);
  module.def("infer", &infer_model, py::arg("model"), py::kw_only(), py::arg("target"), py::arg("as_tensorrt"),
             py::arg("assume") = std::vector<std::string>());
}

}  // namespace trtcheck::python
