#include "model/unread.hpp"

#include <array>
#include <vector>

#include "model/fields.hpp"
#include "model/wire.hpp"

namespace trtcheck {
namespace {

// Protobuf's own limit for messages in messages.
constexpr std::uint32_t kDepth = 100;

enum class Content : std::uint8_t { message, varints, fixed32, fixed64 };

/// A field of bytes whose content has a form. All other fields are sound once they are skipped.
struct UnreadField {
  MessageKind kind;
  std::uint32_t field;
  Content content;
  MessageKind inner = MessageKind::plain;
};

using Kind = MessageKind;
namespace f = field;
constexpr auto kUnreadFields = std::to_array<UnreadField>({
    {Kind::attribute, f::attribute::t, Content::message, Kind::tensor},
    {Kind::attribute, f::attribute::g, Content::message, Kind::graph},
    {Kind::attribute, f::attribute::floats, Content::fixed32},
    {Kind::attribute, f::attribute::ints, Content::varints},
    {Kind::attribute, f::attribute::tensors, Content::message, Kind::tensor},
    {Kind::attribute, f::attribute::graphs, Content::message, Kind::graph},
    {Kind::attribute, f::attribute::tp, Content::message, Kind::type},
    {Kind::attribute, f::attribute::type_protos, Content::message, Kind::type},
    {Kind::attribute, f::attribute::sparse_tensor, Content::message, Kind::sparse_tensor},
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
    {Kind::tensor, f::tensor::int32_data, Content::varints},
    {Kind::tensor, f::tensor::int64_data, Content::varints},
    {Kind::tensor, f::tensor::double_data, Content::fixed64},
    {Kind::tensor, f::tensor::uint64_data, Content::varints},
    {Kind::tensor, f::tensor::external_data, Content::message},
    {Kind::tensor, f::tensor::metadata_props, Content::message},
    {Kind::sparse_tensor, f::sparse_tensor::values, Content::message, Kind::tensor},
    {Kind::sparse_tensor, f::sparse_tensor::indices, Content::message, Kind::tensor},
    {Kind::sparse_tensor, f::sparse_tensor::dims, Content::varints},
    {Kind::value_info, f::value_info::type, Content::message, Kind::type},
    {Kind::value_info, f::value_info::metadata_props, Content::message},
    {Kind::type, f::type::tensor_type, Content::message, Kind::tensor_type},
    {Kind::type, f::type::sparse_tensor_type, Content::message, Kind::tensor_type},
    {Kind::type, f::type::sequence_type, Content::message, Kind::list_type},
    {Kind::type, f::type::optional_type, Content::message, Kind::list_type},
    {Kind::type, f::type::map_type, Content::message, Kind::map_type},
    {Kind::type, f::type::opaque_type, Content::message},
    {Kind::tensor_type, f::tensor_type::shape, Content::message, Kind::shape},
    {Kind::list_type, f::sequence_type::elem_type, Content::message, Kind::type},
    {Kind::map_type, f::map_type::value_type, Content::message, Kind::type},
    {Kind::shape, f::shape::dim, Content::message},
    {Kind::annotation, f::annotation::quant_parameter_tensor_names, Content::message},
    {Kind::training, f::training::initialization, Content::message, Kind::graph},
    {Kind::training, f::training::algorithm, Content::message, Kind::graph},
    {Kind::training, f::training::initialization_binding, Content::message},
    {Kind::training, f::training::update_binding, Content::message},
    {Kind::node_device, f::node_device::sharding_spec, Content::message, Kind::sharding},
    {Kind::sharding, f::sharding::device, Content::varints},
    {Kind::sharding, f::sharding::index_to_device_group_map, Content::message, Kind::index_map},
    {Kind::sharding, f::sharding::sharded_dim, Content::message, Kind::sharded_dim},
    {Kind::index_map, f::index_map::value, Content::varints},
    {Kind::sharded_dim, f::sharded_dim::simple_sharding, Content::message},
});

const UnreadField* unread_field(MessageKind kind, std::uint32_t key) {
  for (const UnreadField& row : kUnreadFields) {
    if (row.kind == kind && wire::bytes(row.field) == key) return &row;
  }
  return nullptr;
}

void check_list(Content content, std::string_view packed) {
  if (content == Content::varints) {
    wire::Cursor c(packed);
    while (!c.done()) c.number();
  } else if (packed.size() % (content == Content::fixed32 ? 4 : 8) != 0) {
    throw wire::Malformed{packed.data(), "a packed list is cut off"};
  }
}

}  // namespace

void check_unread(MessageKind kind, std::string_view text) {
  struct Step {
    MessageKind kind;
    std::string_view text;
    std::uint32_t depth;
  };
  std::vector<Step> steps{{kind, text, 0}};
  while (!steps.empty()) {
    const Step step = steps.back();
    steps.pop_back();
    if (step.depth > kDepth) throw wire::Malformed{step.text.data(), "messages are nested more than 100 deep", true};
    wire::Cursor c(step.text);
    while (c.next()) {
      const UnreadField* row = unread_field(step.kind, c.key());
      if (row == nullptr) {
        c.skip();
      } else if (row->content == Content::message) {
        steps.push_back({row->inner, c.bytes(), step.depth + 1});
      } else {
        check_list(row->content, c.bytes());
      }
    }
  }
}

}  // namespace trtcheck
