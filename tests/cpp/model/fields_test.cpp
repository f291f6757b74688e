// Field numbers and enumerations against the header that protoc made of onnx.proto.
#include <catch2/catch.hpp>

#include <onnx/onnx_pb.h>

#include "model/fields.hpp"
#include "support.hpp"

using namespace trtcheck;

namespace {

#define SAME(ours, theirs) static_assert(field::ours == std::uint32_t{onnx::theirs##FieldNumber})
SAME(model::ir_version, ModelProto::kIrVersion);
SAME(model::producer_name, ModelProto::kProducerName);
SAME(model::producer_version, ModelProto::kProducerVersion);
SAME(model::domain, ModelProto::kDomain);
SAME(model::model_version, ModelProto::kModelVersion);
SAME(model::doc_string, ModelProto::kDocString);
SAME(model::graph, ModelProto::kGraph);
SAME(model::opset_import, ModelProto::kOpsetImport);
SAME(model::metadata_props, ModelProto::kMetadataProps);
SAME(model::training_info, ModelProto::kTrainingInfo);
SAME(model::functions, ModelProto::kFunctions);
SAME(model::configuration, ModelProto::kConfiguration);
SAME(graph::node, GraphProto::kNode);
SAME(graph::name, GraphProto::kName);
SAME(graph::initializer, GraphProto::kInitializer);
SAME(graph::doc_string, GraphProto::kDocString);
SAME(graph::input, GraphProto::kInput);
SAME(graph::output, GraphProto::kOutput);
SAME(graph::value_info, GraphProto::kValueInfo);
SAME(graph::quantization_annotation, GraphProto::kQuantizationAnnotation);
SAME(graph::sparse_initializer, GraphProto::kSparseInitializer);
SAME(graph::metadata_props, GraphProto::kMetadataProps);
SAME(function::name, FunctionProto::kName);
SAME(function::input, FunctionProto::kInput);
SAME(function::output, FunctionProto::kOutput);
SAME(function::attribute, FunctionProto::kAttribute);
SAME(function::node, FunctionProto::kNode);
SAME(function::doc_string, FunctionProto::kDocString);
SAME(function::opset_import, FunctionProto::kOpsetImport);
SAME(function::domain, FunctionProto::kDomain);
SAME(function::attribute_proto, FunctionProto::kAttributeProto);
SAME(function::value_info, FunctionProto::kValueInfo);
SAME(function::overload, FunctionProto::kOverload);
SAME(function::metadata_props, FunctionProto::kMetadataProps);
SAME(node::input, NodeProto::kInput);
SAME(node::output, NodeProto::kOutput);
SAME(node::name, NodeProto::kName);
SAME(node::op_type, NodeProto::kOpType);
SAME(node::attribute, NodeProto::kAttribute);
SAME(node::doc_string, NodeProto::kDocString);
SAME(node::domain, NodeProto::kDomain);
SAME(node::overload, NodeProto::kOverload);
SAME(node::metadata_props, NodeProto::kMetadataProps);
SAME(node::device_configurations, NodeProto::kDeviceConfigurations);
SAME(attribute::name, AttributeProto::kName);
SAME(attribute::f, AttributeProto::kF);
SAME(attribute::i, AttributeProto::kI);
SAME(attribute::s, AttributeProto::kS);
SAME(attribute::t, AttributeProto::kT);
SAME(attribute::g, AttributeProto::kG);
SAME(attribute::floats, AttributeProto::kFloats);
SAME(attribute::ints, AttributeProto::kInts);
SAME(attribute::strings, AttributeProto::kStrings);
SAME(attribute::tensors, AttributeProto::kTensors);
SAME(attribute::graphs, AttributeProto::kGraphs);
SAME(attribute::doc_string, AttributeProto::kDocString);
SAME(attribute::tp, AttributeProto::kTp);
SAME(attribute::type_protos, AttributeProto::kTypeProtos);
SAME(attribute::type, AttributeProto::kType);
SAME(attribute::ref_attr_name, AttributeProto::kRefAttrName);
SAME(attribute::sparse_tensor, AttributeProto::kSparseTensor);
SAME(attribute::sparse_tensors, AttributeProto::kSparseTensors);
SAME(tensor::dims, TensorProto::kDims);
SAME(tensor::data_type, TensorProto::kDataType);
SAME(tensor::segment, TensorProto::kSegment);
SAME(tensor::float_data, TensorProto::kFloatData);
SAME(tensor::int32_data, TensorProto::kInt32Data);
SAME(tensor::string_data, TensorProto::kStringData);
SAME(tensor::int64_data, TensorProto::kInt64Data);
SAME(tensor::name, TensorProto::kName);
SAME(tensor::raw_data, TensorProto::kRawData);
SAME(tensor::double_data, TensorProto::kDoubleData);
SAME(tensor::uint64_data, TensorProto::kUint64Data);
SAME(tensor::doc_string, TensorProto::kDocString);
SAME(tensor::external_data, TensorProto::kExternalData);
SAME(tensor::data_location, TensorProto::kDataLocation);
SAME(tensor::metadata_props, TensorProto::kMetadataProps);
SAME(sparse_tensor::values, SparseTensorProto::kValues);
SAME(sparse_tensor::indices, SparseTensorProto::kIndices);
SAME(sparse_tensor::dims, SparseTensorProto::kDims);
SAME(value_info::name, ValueInfoProto::kName);
SAME(value_info::type, ValueInfoProto::kType);
SAME(value_info::doc_string, ValueInfoProto::kDocString);
SAME(value_info::metadata_props, ValueInfoProto::kMetadataProps);
SAME(type::tensor_type, TypeProto::kTensorType);
SAME(type::sequence_type, TypeProto::kSequenceType);
SAME(type::map_type, TypeProto::kMapType);
SAME(type::denotation, TypeProto::kDenotation);
SAME(type::opaque_type, TypeProto::kOpaqueType);
SAME(type::sparse_tensor_type, TypeProto::kSparseTensorType);
SAME(type::optional_type, TypeProto::kOptionalType);
SAME(tensor_type::elem_type, TypeProto::Tensor::kElemType);
SAME(tensor_type::shape, TypeProto::Tensor::kShape);
SAME(tensor_type::elem_type, TypeProto::SparseTensor::kElemType);
SAME(tensor_type::shape, TypeProto::SparseTensor::kShape);
SAME(sequence_type::elem_type, TypeProto::Sequence::kElemType);
SAME(sequence_type::elem_type, TypeProto::Optional::kElemType);
SAME(map_type::key_type, TypeProto::Map::kKeyType);
SAME(map_type::value_type, TypeProto::Map::kValueType);
SAME(opaque_type::domain, TypeProto::Opaque::kDomain);
SAME(opaque_type::name, TypeProto::Opaque::kName);
SAME(shape::dim, TensorShapeProto::kDim);
SAME(dim::value, TensorShapeProto::Dimension::kDimValue);
SAME(dim::param, TensorShapeProto::Dimension::kDimParam);
SAME(dim::denotation, TensorShapeProto::Dimension::kDenotation);
SAME(pair::key, StringStringEntryProto::kKey);
SAME(pair::value, StringStringEntryProto::kValue);
SAME(opset::domain, OperatorSetIdProto::kDomain);
SAME(opset::version, OperatorSetIdProto::kVersion);
SAME(annotation::tensor_name, TensorAnnotation::kTensorName);
SAME(annotation::quant_parameter_tensor_names, TensorAnnotation::kQuantParameterTensorNames);
SAME(training::initialization, TrainingInfoProto::kInitialization);
SAME(training::algorithm, TrainingInfoProto::kAlgorithm);
SAME(training::initialization_binding, TrainingInfoProto::kInitializationBinding);
SAME(training::update_binding, TrainingInfoProto::kUpdateBinding);
SAME(node_device::configuration_id, NodeDeviceConfigurationProto::kConfigurationId);
SAME(node_device::sharding_spec, NodeDeviceConfigurationProto::kShardingSpec);
SAME(node_device::pipeline_stage, NodeDeviceConfigurationProto::kPipelineStage);
SAME(sharding::tensor_name, ShardingSpecProto::kTensorName);
SAME(sharding::device, ShardingSpecProto::kDevice);
SAME(sharding::index_to_device_group_map, ShardingSpecProto::kIndexToDeviceGroupMap);
SAME(sharding::sharded_dim, ShardingSpecProto::kShardedDim);
SAME(index_map::key, IntIntListEntryProto::kKey);
SAME(index_map::value, IntIntListEntryProto::kValue);
SAME(sharded_dim::axis, ShardedDimProto::kAxis);
SAME(sharded_dim::simple_sharding, ShardedDimProto::kSimpleSharding);
#undef SAME

}  // namespace

TEST_CASE("element types have ONNX's numbers and names") {
  for (int number = onnx::TensorProto::DataType_MIN; number <= onnx::TensorProto::DataType_MAX; ++number) {
    INFO(number);
    CHECK(to_string(static_cast<DataType>(number)) ==
          onnx::TensorProto_DataType_Name(static_cast<onnx::TensorProto_DataType>(number)));
  }
  CHECK(to_string(static_cast<DataType>(99)) == "UNDEFINED(99)");
  CHECK(to_string(static_cast<DataType>(-1)) == "UNDEFINED(-1)");
  CHECK(bits_of(DataType::float32) == 32);
  CHECK(bits_of(DataType::int4) == 4);
  CHECK(bits_of(DataType::string) == 0);
  CHECK(bits_of(static_cast<DataType>(99)) == 0);
}

TEST_CASE("attribute types have ONNX's numbers") {
  CHECK(static_cast<int>(AttributeType::type_protos) == onnx::AttributeProto::TYPE_PROTOS);
  CHECK(static_cast<int>(AttributeType::type_protos) == onnx::AttributeProto::AttributeType_MAX);
  CHECK(static_cast<int>(AttributeType::float_) == onnx::AttributeProto::FLOAT);
  CHECK(static_cast<int>(AttributeType::strings) == onnx::AttributeProto::STRINGS);
  CHECK(static_cast<int>(AttributeType::sparse_tensor) == onnx::AttributeProto::SPARSE_TENSOR);
  CHECK(static_cast<int>(AttributeType::sparse_tensors) == onnx::AttributeProto::SPARSE_TENSORS);
  CHECK(static_cast<int>(AttributeType::type_proto) == onnx::AttributeProto::TYPE_PROTO);
}
