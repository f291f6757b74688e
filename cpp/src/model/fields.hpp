// Field numbers of onnx.proto. tests/cpp/model/fields_test.cpp compares each one with the generated header.
#pragma once

#include <cstdint>

namespace trtcheck::field {

#define TRTCHECK_FIELD inline constexpr std::uint32_t
namespace model {
TRTCHECK_FIELD ir_version = 1, producer_name = 2, producer_version = 3, domain = 4, model_version = 5, doc_string = 6,
               graph = 7, opset_import = 8, metadata_props = 14, training_info = 20, functions = 25, configuration = 26;
}
namespace graph {
TRTCHECK_FIELD node = 1, name = 2, initializer = 5, doc_string = 10, input = 11, output = 12, value_info = 13,
               quantization_annotation = 14, sparse_initializer = 15, metadata_props = 16;
}
namespace function {
TRTCHECK_FIELD name = 1, input = 4, output = 5, attribute = 6, node = 7, doc_string = 8, opset_import = 9, domain = 10,
               attribute_proto = 11, value_info = 12, overload = 13, metadata_props = 14;
}
namespace node {
TRTCHECK_FIELD input = 1, output = 2, name = 3, op_type = 4, attribute = 5, doc_string = 6, domain = 7, overload = 8,
               metadata_props = 9, device_configurations = 10;
}
namespace attribute {
TRTCHECK_FIELD name = 1, f = 2, i = 3, s = 4, t = 5, g = 6, floats = 7, ints = 8, strings = 9, tensors = 10,
               graphs = 11, doc_string = 13, tp = 14, type_protos = 15, type = 20, ref_attr_name = 21,
               sparse_tensor = 22, sparse_tensors = 23;
}
namespace tensor {
TRTCHECK_FIELD dims = 1, data_type = 2, segment = 3, float_data = 4, int32_data = 5, string_data = 6, int64_data = 7,
               name = 8, raw_data = 9, double_data = 10, uint64_data = 11, doc_string = 12, external_data = 13,
               data_location = 14, metadata_props = 16;
}
namespace sparse_tensor {
TRTCHECK_FIELD values = 1, indices = 2, dims = 3;
}
namespace value_info {
TRTCHECK_FIELD name = 1, type = 2, doc_string = 3, metadata_props = 4;
}
namespace type {
TRTCHECK_FIELD tensor_type = 1, sequence_type = 4, map_type = 5, denotation = 6, opaque_type = 7,
               sparse_tensor_type = 8, optional_type = 9;
}
namespace tensor_type {
TRTCHECK_FIELD elem_type = 1, shape = 2;
}
namespace sequence_type {  // and optional_type
TRTCHECK_FIELD elem_type = 1;
}
namespace map_type {
TRTCHECK_FIELD key_type = 1, value_type = 2;
}
namespace opaque_type {
TRTCHECK_FIELD domain = 1, name = 2;
}
namespace shape {
TRTCHECK_FIELD dim = 1;
}
namespace dim {
TRTCHECK_FIELD value = 1, param = 2, denotation = 3;
}
namespace pair {
TRTCHECK_FIELD key = 1, value = 2;
}
namespace opset {
TRTCHECK_FIELD domain = 1, version = 2;
}
namespace annotation {
TRTCHECK_FIELD tensor_name = 1, quant_parameter_tensor_names = 2;
}
namespace training {
TRTCHECK_FIELD initialization = 1, algorithm = 2, initialization_binding = 3, update_binding = 4;
}
namespace node_device {
TRTCHECK_FIELD configuration_id = 1, sharding_spec = 2, pipeline_stage = 3;
}
namespace sharding {
TRTCHECK_FIELD tensor_name = 1, device = 2, index_to_device_group_map = 3, sharded_dim = 4;
}
namespace index_map {
TRTCHECK_FIELD key = 1, value = 2;
}
namespace sharded_dim {
TRTCHECK_FIELD axis = 1, simple_sharding = 2;
}
#undef TRTCHECK_FIELD

}  // namespace trtcheck::field
