#include <limits>

#include "model/fields.hpp"
#include "model/reader.hpp"
#include "model/unread.hpp"

namespace trtcheck {
namespace {

void set_text(std::string_view& slot, wire::Cursor& c) { slot = c.bytes(); }

template <class T>
void reserve_more(std::vector<T>& items, std::size_t more) {
  const std::size_t wanted = items.size() + more;
  // Exact for one large graph, doubling for many small ones.
  if (wanted > items.capacity()) items.reserve(std::max(wanted, items.size() * 2));
}

/// The shortest node or value with a name of its own takes some twelve bytes of a file that has a million of them. With
/// fewer they say nothing, and take a hundred times their size in memory.
void check_plausible(const ModelData& data, std::size_t count, const char* what) {
  const std::size_t size = data.bytes.span().size();
  if (count <= 1'000'000 + size / 12) return;
  throw wire::Malformed{nullptr, std::to_string(count) + " " + what + " in a file of " + std::to_string(size) +
                                     " bytes: no model has so many in so few"};
}

}  // namespace

void Reader::GraphFields::clear() {
  for (Strings* list : {&nodes, &initializers, &sparse, &inputs, &outputs, &value_info, &input_names, &output_names,
                        &attribute_protos}) {
    list->clear();
  }
  metadata.clear();
}

void Reader::collect_graph(GraphId id, const Source& source) {
  namespace f = field::graph;
  Graph& graph = data_.graphs[id.index];
  for (const std::string_view part : source.parts) {
    wire::each_field(wire::Message(part), [&](wire::Cursor& c) {
      switch (c.key()) {
        case wire::bytes(f::node):
          graph_.nodes.push_back(c.bytes());
          break;
        case wire::bytes(f::name):
          set_text(graph.name, c);
          break;
        case wire::bytes(f::doc_string):
          set_text(graph.doc_string, c);
          break;
        case wire::bytes(f::initializer):
          graph_.initializers.push_back(c.bytes());
          break;
        case wire::bytes(f::sparse_initializer):
          graph_.sparse.push_back(c.bytes());
          break;
        case wire::bytes(f::input):
          graph_.inputs.push_back(c.bytes());
          break;
        case wire::bytes(f::output):
          graph_.outputs.push_back(c.bytes());
          break;
        case wire::bytes(f::value_info):
          graph_.value_info.push_back(c.bytes());
          break;
        case wire::bytes(f::quantization_annotation):
          check_unread(MessageKind::annotation, c.bytes());
          break;
        case wire::bytes(f::metadata_props):
          graph_.metadata.push_back(read_pair(c.bytes()));
          break;
        default:
          c.skip();
      }
    });
  }
}

void Reader::collect_function(GraphId id, const Source& source) {
  namespace f = field::function;
  Graph& graph = data_.graphs[id.index];
  for (const std::string_view part : source.parts) {
    wire::each_field(wire::Message(part), [&](wire::Cursor& c) {
      switch (c.key()) {
        case wire::bytes(f::node):
          graph_.nodes.push_back(c.bytes());
          break;
        case wire::bytes(f::name):
          set_text(graph.name, c);
          break;
        case wire::bytes(f::doc_string):
          set_text(graph.doc_string, c);
          break;
        case wire::bytes(f::input):
          graph_.input_names.push_back(c.bytes());
          break;
        case wire::bytes(f::output):
          graph_.output_names.push_back(c.bytes());
          break;
        case wire::bytes(f::value_info):
          graph_.value_info.push_back(c.bytes());
          break;
        case wire::bytes(f::attribute_proto):
          graph_.attribute_protos.push_back(c.bytes());
          break;
        case wire::bytes(f::metadata_props):
          graph_.metadata.push_back(read_pair(c.bytes()));
          break;
        default:
          c.skip();
      }
    });
  }
}

void Reader::read_graph(GraphId id) {
  const Source source = sources_[id.index];
  graph_.clear();
  pending_.clear();
  if (source.is_function) {
    collect_function(id, source);
  } else {
    collect_graph(id, source);
  }
  if (data_.graphs.size() + data_.nodes.size() + graph_.nodes.size() > limits_.nodes) {
    throw wire::Malformed{nullptr, "the model has more than " + std::to_string(limits_.nodes) + " nodes and graphs",
                          true};
  }
  check_plausible(data_, graph_.nodes.size(), "nodes");
  {
    Graph& graph = data_.graphs[id.index];
    if (graph.parent) graph.depth = data_.graphs[data_.nodes[graph.parent.index].graph.index].depth + 1;
    graph.metadata = data_.keep(graph_.metadata);
    graph.first_node = NodeId{static_cast<std::uint32_t>(data_.nodes.size())};
    graph.node_count = static_cast<std::uint32_t>(graph_.nodes.size());
  }
  const std::size_t values = graph_.nodes.size() + graph_.inputs.size() + graph_.initializers.size();
  reserve_more(data_.nodes, graph_.nodes.size());
  reserve_more(data_.values, values);
  names_.reserve(values);

  if (data_.graphs[id.index].kind == Graph::Kind::function_definition) {
    std::vector<Attribute> defaults;
    for (const std::string_view text : graph_.attribute_protos) {
      Attribute attribute;
      if (read_attribute(text, id, {}, attribute)) defaults.push_back(attribute);
    }
    functions_[data_.function_of[id.index]].defaults = data_.keep(defaults);
  }
  read_inputs(id);
  read_initializers(id);
  for (std::uint32_t position = 0; position < graph_.nodes.size(); ++position) {
    read_node(id, graph_.nodes[position], position);
  }
  resolve_pending();
  read_outputs(id);
  read_value_info(id);
}

ValueId Reader::add_value(GraphId graph, std::string_view name) {
  if (!sources_[graph.index].in_call) check_plausible(data_, data_.values.size(), "values");
  if (data_.values.size() >= ValueId::kNone)
    throw wire::Malformed{nullptr, "the model has more than 2^32 values", true};
  const ValueId id{static_cast<std::uint32_t>(data_.values.size())};
  Value value;
  value.name = name;
  value.graph = graph;
  data_.values.push_back(value);
  return id;
}

ValueId Reader::resolve(GraphId graph, std::string_view name, std::uint64_t hash) const {
  while (graph) {
    if (const ValueId found = names_.find(graph, name, hash)) return found;
    graph = sources_[graph.index].scope;
  }
  return {};
}

ValueId Reader::define_input(GraphId id, std::string_view name) {
  const std::uint64_t hash = names_.hash(name);
  const bool is_taken = !name.empty() && names_.find(id, name, hash);
  const ValueId value = add_value(id, name);
  data_.values[value.index].is_input = true;
  if (is_taken) {
    record(Defect::Kind::duplicate_value, id, {}, value);
  } else if (!name.empty()) {
    names_.add(value, hash);
  }
  return value;
}

void Reader::read_inputs(GraphId id) {
  ids_.clear();
  for (const std::string_view text : graph_.inputs) {
    const ValueInfo info = read_value_info_entry(text);
    const ValueId value = define_input(id, info.name);
    data_.values[value.index].declared = info.type;
    ids_.push_back(value);
  }
  for (const std::string_view name : graph_.input_names) ids_.push_back(define_input(id, name));
  data_.graphs[id.index].inputs = data_.keep(ids_);
}

void Reader::read_initializers(GraphId id) {
  std::vector<TensorId> tensors;
  tensors.reserve(graph_.initializers.size() + graph_.sparse.size());
  for (const std::string_view text : graph_.initializers) tensors.push_back(read_tensor(wire::Message(text)));
  for (const std::string_view text : graph_.sparse) tensors.push_back(read_sparse_tensor(wire::Message(text)));
  for (const TensorId tensor : tensors) {
    const std::string_view name = data_.tensors[tensor.index].name;
    if (name.empty()) continue;
    const std::uint64_t hash = names_.hash(name);
    ValueId value = names_.find(id, name, hash);
    if (!value) {
      value = add_value(id, name);
      names_.add(value, hash);
    }
    TensorId& slot = data_.values[value.index].initializer;
    if (slot) {
      record(Defect::Kind::duplicate_initializer, id, {}, value);
    } else {
      slot = tensor;
    }
  }
  data_.graphs[id.index].initializers = data_.keep(tensors);
}

void Reader::resolve_pending() {
  for (const Pending& p : pending_) {
    const GraphId graph = data_.nodes[p.node.index].graph;
    ValueId value = resolve(graph, p.name, p.hash);
    if (!value) {
      value = add_value(graph, p.name);
      data_.values[value.index].is_defined = false;
      names_.add(value, p.hash);
      record(Defect::Kind::undefined_input, graph, p.node, value);
    }
    // The span belongs to the arena and was made by read_node_inputs; it is const for everybody else.
    const_cast<ValueId&>(data_.nodes[p.node.index].inputs[p.input]) = value;
  }
}

ValueId Reader::define_output(GraphId id, std::string_view name) {
  const std::uint64_t hash = names_.hash(name);
  ValueId value = name.empty() ? ValueId{} : resolve(id, name, hash);
  if (!value) {
    value = add_value(id, name);
    data_.values[value.index].is_defined = false;
    if (!name.empty()) names_.add(value, hash);
  }
  Value& found = data_.values[value.index];
  if (!found.is_defined) record(Defect::Kind::undefined_output, id, {}, value);
  // Also of a graph around it: what a body hands on is used. onnx's checker forbids it, exporters write it.
  found.is_output = true;
  return value;
}

void Reader::read_outputs(GraphId id) {
  ids_.clear();
  for (const std::string_view text : graph_.outputs) {
    const ValueInfo info = read_value_info_entry(text);
    const ValueId value = define_output(id, info.name);
    Value& found = data_.values[value.index];
    if (info.type && found.graph == id && !(found.is_input && found.declared)) found.declared = info.type;
    ids_.push_back(value);
  }
  for (const std::string_view name : graph_.output_names) ids_.push_back(define_output(id, name));
  data_.graphs[id.index].outputs = data_.keep(ids_);
}

void Reader::read_value_info(GraphId id) {
  ids_.clear();
  for (const std::string_view text : graph_.value_info) {
    const ValueInfo info = read_value_info_entry(text);
    const ValueId value = names_.find(id, info.name, names_.hash(info.name));
    if (!value) continue;
    if (TypeId& declared = data_.values[value.index].declared; !declared) declared = info.type;
    ids_.push_back(value);
  }
  data_.graphs[id.index].declared = data_.keep(ids_);
}

void Reader::record(Defect::Kind kind, GraphId graph, NodeId node, ValueId value) {
  // The clone of a function has the flaws of its definition, where they are recorded once.
  if (!sources_[graph.index].in_call) data_.defects.push_back({kind, graph, node, value});
}

}  // namespace trtcheck
