#include "model/messages.hpp"

#include <array>

#include "model/fields.hpp"
#include "model/wire.hpp"

namespace trtcheck {
namespace {

using Kind = MessageKind;
namespace f = field;
constexpr auto kFields = std::to_array<MessageField>({
    {Kind::model, f::model::graph, Content::message, Kind::graph, true},
    {Kind::model, f::model::opset_import, Content::message},
    {Kind::model, f::model::metadata_props, Content::message},
    {Kind::model, f::model::training_info, Content::message, Kind::training},
    {Kind::model, f::model::functions, Content::message, Kind::function},
    {Kind::model, f::model::configuration, Content::message},
    {Kind::function, f::function::node, Content::message, Kind::node},
    {Kind::function, f::function::opset_import, Content::message},
    {Kind::function, f::function::attribute_proto, Content::message, Kind::attribute},
    {Kind::function, f::function::value_info, Content::message, Kind::value_info},
    {Kind::function, f::function::metadata_props, Content::message},
    {Kind::attribute, f::attribute::t, Content::message, Kind::tensor, true},
    {Kind::attribute, f::attribute::g, Content::message, Kind::graph, true},
    {Kind::attribute, f::attribute::floats, Content::fixed32},
    {Kind::attribute, f::attribute::ints, Content::varints},
    {Kind::attribute, f::attribute::tensors, Content::message, Kind::tensor},
    {Kind::attribute, f::attribute::graphs, Content::message, Kind::graph},
    {Kind::attribute, f::attribute::tp, Content::message, Kind::type, true},
    {Kind::attribute, f::attribute::type_protos, Content::message, Kind::type},
    {Kind::attribute, f::attribute::sparse_tensor, Content::message, Kind::sparse_tensor, true},
    {Kind::attribute, f::attribute::sparse_tensors, Content::message, Kind::sparse_tensor},
    {Kind::graph, f::graph::node, Content::message, Kind::node},
    {Kind::graph, f::graph::initializer, Content::message, Kind::tensor},
    {Kind::graph, f::graph::sparse_initializer, Content::message, Kind::sparse_tensor},
    {Kind::graph, f::graph::input, Content::message, Kind::value_info},
    {Kind::graph, f::graph::output, Content::message, Kind::value_info},
    {Kind::graph, f::graph::value_info, Content::message, Kind::value_info},
    {Kind::graph, f::graph::quantization_annotation, Content::message, Kind::annotation},
    {Kind::graph, f::graph::metadata_props, Content::message},
    {Kind::node, f::node::attribute, Content::message, Kind::attribute},
    {Kind::node, f::node::metadata_props, Content::message},
    {Kind::node, f::node::device_configurations, Content::message, Kind::node_device},
    {Kind::tensor, f::tensor::dims, Content::varints},
    {Kind::tensor, f::tensor::segment, Content::message},
    {Kind::tensor, f::tensor::float_data, Content::fixed32},
    {Kind::tensor, f::tensor::raw_data, Content::payload},
    {Kind::tensor, f::tensor::int32_data, Content::varints},
    {Kind::tensor, f::tensor::int64_data, Content::varints},
    {Kind::tensor, f::tensor::double_data, Content::fixed64},
    {Kind::tensor, f::tensor::uint64_data, Content::varints},
    {Kind::tensor, f::tensor::external_data, Content::message},
    {Kind::tensor, f::tensor::metadata_props, Content::message},
    {Kind::sparse_tensor, f::sparse_tensor::values, Content::message, Kind::tensor, true},
    {Kind::sparse_tensor, f::sparse_tensor::indices, Content::message, Kind::tensor, true},
    {Kind::sparse_tensor, f::sparse_tensor::dims, Content::varints},
    {Kind::value_info, f::value_info::type, Content::message, Kind::type, true},
    {Kind::value_info, f::value_info::metadata_props, Content::message},
    {Kind::type, f::type::tensor_type, Content::message, Kind::tensor_type, true},
    {Kind::type, f::type::sparse_tensor_type, Content::message, Kind::tensor_type, true},
    {Kind::type, f::type::sequence_type, Content::message, Kind::list_type, true},
    {Kind::type, f::type::optional_type, Content::message, Kind::list_type, true},
    {Kind::type, f::type::map_type, Content::message, Kind::map_type, true},
    {Kind::type, f::type::opaque_type, Content::message},
    {Kind::tensor_type, f::tensor_type::shape, Content::message, Kind::shape, true},
    {Kind::list_type, f::sequence_type::elem_type, Content::message, Kind::type, true},
    {Kind::map_type, f::map_type::value_type, Content::message, Kind::type, true},
    {Kind::shape, f::shape::dim, Content::message},
    {Kind::annotation, f::annotation::quant_parameter_tensor_names, Content::message},
    {Kind::training, f::training::initialization, Content::message, Kind::graph, true},
    {Kind::training, f::training::algorithm, Content::message, Kind::graph, true},
    {Kind::training, f::training::initialization_binding, Content::message},
    {Kind::training, f::training::update_binding, Content::message},
    {Kind::node_device, f::node_device::sharding_spec, Content::message, Kind::sharding},
    {Kind::sharding, f::sharding::device, Content::varints},
    {Kind::sharding, f::sharding::index_to_device_group_map, Content::message, Kind::index_map},
    {Kind::sharding, f::sharding::sharded_dim, Content::message, Kind::sharded_dim},
    {Kind::index_map, f::index_map::value, Content::varints},
    {Kind::sharded_dim, f::sharded_dim::simple_sharding, Content::message},
});

}  // namespace

const MessageField* message_field(MessageKind kind, std::uint32_t key) noexcept {
  for (const MessageField& row : kFields) {
    if (row.kind == kind && wire::bytes(row.field) == key) return &row;
  }
  return nullptr;
}

bool holds_weights(MessageKind kind) noexcept {
  switch (kind) {
    case Kind::model:
    case Kind::function:
    case Kind::training:
    case Kind::graph:
    case Kind::node:
    case Kind::attribute:
    case Kind::tensor:
    case Kind::sparse_tensor:
      return true;
    default:
      return false;
  }
}

}  // namespace trtcheck
