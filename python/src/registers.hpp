// One function per topic; module.cpp calls them in this order.
#pragma once

#include <pybind11/pybind11.h>

namespace trtcheck::python {

void register_errors(pybind11::module_& module);
void register_types(pybind11::module_& module);
void register_owners(pybind11::module_& module);
void register_model(pybind11::module_& module);
void register_shapes(pybind11::module_& module);
void register_target(pybind11::module_& module);
void register_shape_functions(pybind11::module_& module);
void register_rules(pybind11::module_& module);
void register_findings(pybind11::module_& module);
void register_report(pybind11::module_& module);
void register_partial(pybind11::module_& module);
void register_ranges(pybind11::module_& module);
void register_check(pybind11::module_& module);
void register_baseline(pybind11::module_& module);
void register_why(pybind11::module_& module);
void register_diff(pybind11::module_& module);
void register_matrix(pybind11::module_& module);
void register_one_report(pybind11::module_& module);
void register_settings(pybind11::module_& module);
void register_layers(pybind11::module_& module);
void register_edit(pybind11::module_& module);
void register_fix(pybind11::module_& module);
void register_simplify(pybind11::module_& module);
void register_annotate(pybind11::module_& module);
void register_axes(pybind11::module_& module);
void register_memory(pybind11::module_& module);
void register_partition(pybind11::module_& module);
void register_extract(pybind11::module_& module);
void register_reduce(pybind11::module_& module);
void register_fold(pybind11::module_& module);
void register_sparsity(pybind11::module_& module);
void register_profile(pybind11::module_& module);
void register_confirm(pybind11::module_& module);
void register_discover(pybind11::module_& module);
void register_render(pybind11::module_& module);

}  // namespace trtcheck::python
