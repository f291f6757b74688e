#include "data_type.hpp"
#include "registers.hpp"

#include <pybind11/native_enum.h>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck::python {

namespace py = pybind11;

void register_types(py::module_& module) {
  py::native_enum<DataType> types(module, "DataType", "enum.IntEnum",
                                  "ONNX element types, with ONNX's names and numbers.");
  for (std::int32_t number = 0; number <= static_cast<std::int32_t>(kLastDataType); ++number) {
    const auto type = static_cast<DataType>(number);
    types.value(to_string(type).c_str(), type);
  }
  types.finalize();

  py::native_enum<AttributeType>(module, "AttributeType", "enum.IntEnum",
                                 "ONNX attribute types, with ONNX's names and numbers.")
      .value("UNDEFINED", AttributeType::undefined)
      .value("FLOAT", AttributeType::float_)
      .value("INT", AttributeType::int_)
      .value("STRING", AttributeType::string)
      .value("TENSOR", AttributeType::tensor)
      .value("GRAPH", AttributeType::graph)
      .value("FLOATS", AttributeType::floats)
      .value("INTS", AttributeType::ints)
      .value("STRINGS", AttributeType::strings)
      .value("TENSORS", AttributeType::tensors)
      .value("GRAPHS", AttributeType::graphs)
      .value("SPARSE_TENSOR", AttributeType::sparse_tensor)
      .value("SPARSE_TENSORS", AttributeType::sparse_tensors)
      .value("TYPE_PROTO", AttributeType::type_proto)
      .value("TYPE_PROTOS", AttributeType::type_protos)
      .finalize();

  py::native_enum<Tensor::Data>(module, "TensorData", "enum.IntEnum", "Where the elements of a tensor are.")
      .value("NONE", Tensor::Data::none, "nowhere: dims without data")
      .value("RAW", Tensor::Data::raw, "in the file, as bytes")
      .value("TYPED", Tensor::Data::typed, "in the file, as a list of numbers")
      .value("EXTERNAL", Tensor::Data::external, "in another file")
      .finalize();

  py::native_enum<Graph::Kind>(module, "GraphKind", "enum.IntEnum", "What a graph is part of.")
      .value("MAIN", Graph::Kind::main)
      .value("BODY", Graph::Kind::body, "of an If, Loop or Scan")
      .value("FUNCTION_CALL", Graph::Kind::function_call, "one call of a model-local function")
      .value("FUNCTION_DEFINITION", Graph::Kind::function_definition)
      .finalize();

  py::native_enum<Type::Kind>(module, "TypeKind", "enum.IntEnum", "The kind of a declared type.")
      .value("NONE", Type::Kind::none)
      .value("TENSOR", Type::Kind::tensor)
      .value("SPARSE_TENSOR", Type::Kind::sparse_tensor)
      .value("SEQUENCE", Type::Kind::sequence)
      .value("OPTIONAL", Type::Kind::optional)
      .value("MAP", Type::Kind::map)
      .value("OPAQUE", Type::Kind::opaque)
      .finalize();

  py::native_enum<ValueShape::Kind>(module, "ShapeKind", "enum.IntEnum", "The kind of an inferred value.")
      .value("UNKNOWN", ValueShape::Kind::unknown)
      .value("TENSOR", ValueShape::Kind::tensor)
      .value("SEQUENCE", ValueShape::Kind::sequence)
      .value("OPTIONAL", ValueShape::Kind::optional)
      .value("MAP", ValueShape::Kind::map)
      .finalize();

  py::native_enum<Obligation::Need>(module, "Need", "enum.IntEnum", "What an obligation asks of its two dims.")
      .value("EQUAL", Obligation::Need::equal, "a == b")
      .value("DIVIDES", Obligation::Need::divides, "b divides a")
      .value("ONE_OR_EQUAL", Obligation::Need::one_or_equal, "a is 1 or equals b")
      .value("AT_LEAST", Obligation::Need::at_least, "a >= b")
      .value("IN_RANGE", Obligation::Need::in_range, "0 <= a < b")
      .finalize();
}

}  // namespace trtcheck::python
