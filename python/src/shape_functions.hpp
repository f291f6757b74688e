// Shape functions that Python states or computes.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <trtcheck/shape_functions.hpp>

namespace trtcheck::python {

/// Operator, one text per output, place, and a callable that gives the texts, or None.
using StatedShapes = std::tuple<
    std::string, std::vector<std::string>, std::string,
    pybind11::typing::Optional<pybind11::typing::Callable<pybind11::typing::List<pybind11::str>(pybind11::object)>>>;

/// The callables are asked with the GIL held, whichever thread infers.
/// @throws Error  it makes no sense
[[nodiscard]] std::vector<ShapeFunction> shape_functions(const std::vector<StatedShapes>& stated);

}  // namespace trtcheck::python
