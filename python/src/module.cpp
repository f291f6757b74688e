#include "registers.hpp"

namespace trtcheck::python {
void register_annotate(pybind11::module_& module);
}
#include "text.hpp"

#include <trtcheck/trtcheck.hpp>

PYBIND11_MODULE(_core, module, pybind11::mod_gil_not_used()) {
  using namespace trtcheck::python;
  module.doc() = "The native part of trtcheck. Use the names of the package `trtcheck` instead.";
  register_errors(module);
  register_types(module);
  register_owners(module);
  register_model(module);
  register_shapes(module);
  register_target(module);
  register_rules(module);
  register_findings(module);
  register_report(module);
  register_partial(module);
  register_ranges(module);
  register_check(module);
  register_baseline(module);
  register_diff(module);
  register_matrix(module);
  register_settings(module);
  register_layers(module);
  register_fold(module);
  register_edit(module);
  register_fix(module);
  register_simplify(module);
  register_annotate(module);
  register_extract(module);
  register_axes(module);
  register_memory(module);
  register_reduce(module);
  register_sparsity(module);
  register_profile(module);
  register_one_report(module);
  register_confirm(module);
  register_discover(module);
  register_render(module);
  module.attr("__version__") = text(trtcheck::version());
}
