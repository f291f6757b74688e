#include <algorithm>
#include <bit>

#include "model/fields.hpp"
#include "model/reader.hpp"
#include "model/unread.hpp"

namespace trtcheck {
namespace {

constexpr std::size_t kFewAttributes = 64;

const Attribute* find(std::span<const Attribute> attributes, std::string_view name) {
  for (const Attribute& a : attributes) {
    if (a.name == name) return &a;
  }
  return nullptr;
}

bool is_known(std::int32_t type) { return type >= 0 && type <= static_cast<std::int32_t>(AttributeType::type_protos); }

template <class T>
void read_packed_fixed(std::string_view packed, std::vector<T>& into) {
  if (packed.size() % sizeof(T) != 0) throw wire::Malformed{packed.data(), "a packed list is cut off"};
  wire::Cursor c(packed);
  while (!c.done()) into.push_back(c.fixed<T>());
}

}  // namespace

void Reader::AttributeFields::clear() {
  type = 0;
  f = 0;
  i = 0;
  s = {};
  for (wire::Message* message : {&t, &g, &tp, &sparse_tensor}) message->clear();
  for (Strings* list : {&strings, &tensors, &graphs, &type_protos, &sparse_tensors}) list->clear();
  floats.clear();
  ints.clear();
  seen = 0;
}

// Files of the first IR versions have no type: what is there tells it, if it is one thing.
AttributeType Reader::AttributeFields::payload_type() const {
  if (type != 0) return static_cast<AttributeType>(type);
  return std::popcount(seen) == 1 ? static_cast<AttributeType>(std::countr_zero(seen)) : AttributeType::undefined;
}

void Reader::collect_attribute(std::string_view text, Attribute& attribute) {
  namespace f = field::attribute;
  AttributeFields& a = attribute_;
  a.clear();
  wire::Cursor c(text);
  while (c.next()) {
    switch (c.key()) {
      case wire::bytes(f::name):
        attribute.name = c.bytes();
        break;
      case wire::bytes(f::ref_attr_name):
        attribute.ref_attr_name = c.bytes();
        break;
      case wire::varint(f::type): {
        // A number that is no AttributeType counts as unknown field.
        if (const std::int32_t type = c.int32(); is_known(type)) a.type = type;
        break;
      }
      case wire::fixed32(f::f):
        a.f = c.fixed<float>();
        a.mark(AttributeType::float_);
        break;
      case wire::varint(f::i):
        a.i = c.int64();
        a.mark(AttributeType::int_);
        break;
      case wire::bytes(f::s):
        a.s = c.bytes();
        a.mark(AttributeType::string);
        break;
      case wire::bytes(f::t):
        a.t.add(c.bytes());
        a.mark(AttributeType::tensor);
        break;
      case wire::bytes(f::g):
        a.g.add(c.bytes());
        a.mark(AttributeType::graph);
        break;
      case wire::bytes(f::tp):
        a.tp.add(c.bytes());
        a.mark(AttributeType::type_proto);
        break;
      case wire::bytes(f::sparse_tensor):
        a.sparse_tensor.add(c.bytes());
        a.mark(AttributeType::sparse_tensor);
        break;
      case wire::fixed32(f::floats):
        a.floats.push_back(c.fixed<float>());
        a.mark(AttributeType::floats);
        break;
      case wire::bytes(f::floats):
        read_packed_fixed(c.bytes(), a.floats);
        a.mark(AttributeType::floats);
        break;
      case wire::varint(f::ints):
        a.ints.push_back(c.int64());
        a.mark(AttributeType::ints);
        break;
      case wire::bytes(f::ints): {
        wire::Cursor packed(c.bytes());
        while (!packed.done()) a.ints.push_back(packed.int64());
        a.mark(AttributeType::ints);
        break;
      }
      case wire::bytes(f::strings):
        a.strings.push_back(c.bytes());
        a.mark(AttributeType::strings);
        break;
      case wire::bytes(f::tensors):
        a.tensors.push_back(c.bytes());
        a.mark(AttributeType::tensors);
        break;
      case wire::bytes(f::graphs):
        a.graphs.push_back(c.bytes());
        a.mark(AttributeType::graphs);
        break;
      case wire::bytes(f::type_protos):
        a.type_protos.push_back(c.bytes());
        a.mark(AttributeType::type_protos);
        break;
      case wire::bytes(f::sparse_tensors):
        a.sparse_tensors.push_back(c.bytes());
        a.mark(AttributeType::sparse_tensors);
        break;
      default:
        c.skip();
    }
  }
  attribute.type = a.payload_type();
  if ((a.seen & ~(1U << static_cast<std::uint32_t>(attribute.type))) != 0) check_unread(MessageKind::attribute, text);
}

/// False: the attribute is a reference that the call does not fill in, which means "not there".
bool Reader::read_attribute(std::string_view text, GraphId graph, NodeId owner, Attribute& attribute) {
  collect_attribute(text, attribute);
  if (!attribute.ref_attr_name.empty() && sources_[graph.index].in_call)
    return resolve_reference(attribute, graph, owner);
  set_payload(attribute, graph, owner);
  return true;
}

void Reader::set_payload(Attribute& attribute, GraphId graph, NodeId owner) {
  using Access = AttributeAccess;
  const AttributeFields& a = attribute_;
  const auto id_of = [](auto id) { return id.index; };
  switch (attribute.type) {
    case AttributeType::undefined:
      break;
    case AttributeType::float_:
      Access::set_float(attribute, a.f);
      break;
    case AttributeType::int_:
      Access::set_int(attribute, a.i);
      break;
    case AttributeType::string:
      Access::set_string(attribute, a.s);
      break;
    case AttributeType::floats:
      Access::set_list(attribute, data_.keep(a.floats));
      break;
    case AttributeType::ints:
      Access::set_list(attribute, data_.keep(a.ints));
      break;
    case AttributeType::strings:
      Access::set_list(attribute, data_.keep(a.strings));
      break;
    case AttributeType::tensor:
      Access::set_id(attribute, id_of(read_tensor(a.t)));
      break;
    case AttributeType::sparse_tensor:
      Access::set_id(attribute, id_of(read_sparse_tensor(a.sparse_tensor)));
      break;
    case AttributeType::type_proto:
      Access::set_id(attribute, id_of(read_type(a.tp, 0)));
      break;
    case AttributeType::graph:
      Access::set_id(attribute, id_of(enqueue_body(a.g, graph, owner, attribute.name)));
      break;
    case AttributeType::tensors:
    case AttributeType::sparse_tensors: {
      const bool is_sparse = attribute.type == AttributeType::sparse_tensors;
      std::vector<TensorId> tensors;
      for (const std::string_view text : is_sparse ? a.sparse_tensors : a.tensors) {
        tensors.push_back(is_sparse ? read_sparse_tensor(wire::Message(text)) : read_tensor(wire::Message(text)));
      }
      Access::set_list(attribute, data_.keep(tensors));
      break;
    }
    case AttributeType::type_protos: {
      std::vector<TypeId> types;
      for (const std::string_view text : a.type_protos) types.push_back(read_type(wire::Message(text), 0));
      Access::set_list(attribute, data_.keep(types));
      break;
    }
    case AttributeType::graphs: {
      std::vector<GraphId> graphs;
      for (const std::string_view text : a.graphs) {
        graphs.push_back(enqueue_body(wire::Message(text), graph, owner, attribute.name));
      }
      Access::set_list(attribute, data_.keep(graphs));
      break;
    }
  }
}

GraphId Reader::enqueue_body(const wire::Message& text, GraphId graph, NodeId owner, std::string_view attribute) {
  const Source& outer = sources_[graph.index];
  Source body{.parts = keep_parts(text),
              .scope = graph,
              .nesting = outer.nesting + 1,
              .in_call = outer.in_call,
              .call_attributes = outer.call_attributes};
  if (body.nesting > limits_.graph_depth) {
    throw wire::Malformed{text.part(0).data(),
                          "graphs are nested more than " + std::to_string(limits_.graph_depth) + " deep", true};
  }
  data_.graph_depth = std::max(data_.graph_depth, body.nesting);
  return enqueue(Graph::Kind::body, body, owner, attribute, data_.function_of[graph.index]);
}

// A body that was handed to a function and is used by a node inside it: the same text once more, with the names of
// the place where it is written.
GraphId Reader::enqueue_copy(GraphId body, GraphId graph, NodeId owner, std::string_view attribute) {
  Source copy = sources_[body.index];
  const bool is_default = !copy.in_call && data_.function_of[body.index] != ModelData::kMain;
  if (is_default) {
    copy.scope = graph;
    copy.call_attributes = sources_[graph.index].call_attributes;
  }
  copy.in_call = true;
  std::uint64_t cost = 1;
  for (const std::string_view part : copy.parts) cost += part.size() / 16;
  if (!spend(cost, graph, owner)) return {};
  return enqueue(Graph::Kind::body, copy, owner, attribute, data_.function_of[body.index]);
}

bool Reader::resolve_reference(Attribute& attribute, GraphId graph, NodeId owner) {
  const std::span<const Attribute> of_call = sources_[graph.index].call_attributes;
  const std::uint32_t function = data_.function_of[graph.index];
  const std::span<const Attribute> defaults =
      function == ModelData::kMain ? std::span<const Attribute>{} : functions_[function].defaults;
  // Looking for one is linear, which only a hostile file can make expensive.
  if (!spend((of_call.size() + defaults.size()) / kFewAttributes, graph, owner)) return false;
  const Attribute* given = find(of_call, attribute.ref_attr_name);
  if (given == nullptr) given = find(defaults, attribute.ref_attr_name);
  if (given == nullptr) return false;
  const std::string_view name = attribute.name;
  attribute = *given;
  attribute.name = name;
  attribute.ref_attr_name = {};
  if (attribute.type == AttributeType::graph) {
    const GraphId copy = enqueue_copy(attribute.g(), graph, owner, name);
    AttributeAccess::set_id(attribute, copy.index);
    return static_cast<bool>(copy);
  }
  if (attribute.type == AttributeType::graphs) {
    std::vector<GraphId> copies;
    for (const GraphId body : given->graphs()) {
      copies.push_back(enqueue_copy(body, graph, owner, name));
      if (!copies.back()) return false;
    }
    AttributeAccess::set_list(attribute, data_.keep(copies));
  }
  return true;
}

}  // namespace trtcheck
