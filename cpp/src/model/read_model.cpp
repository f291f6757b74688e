#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "bytes/real_path.hpp"
#include "model/fetch.hpp"
#include "model/fields.hpp"
#include "model/partial.hpp"
#include "model/reader.hpp"
#include "model/unread.hpp"

namespace trtcheck {
namespace {

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void check_inside(const std::string& path, std::span<const ByteRange> ranges, std::uint64_t size) {
  for (const ByteRange range : ranges) {
    if (range.offset > size || range.length > size - range.offset) {
      throw Error(path, "a range of missing bytes is outside of the file", range.offset);
    }
  }
}

std::unique_ptr<ModelAccess::Impl> read_bytes(std::string path, std::string base_dir, Fetched file,
                                              const Limits& limits) {
  auto data = std::make_unique<ModelAccess::Impl>();
  data->missing = std::move(file.missing);
  data->path = std::move(path);
  data->base_dir = std::move(base_dir);
  data->bytes = std::move(file.bytes);
  const std::string_view text = as_text(data->bytes.span());
  if (text.empty()) throw Error(data->path, "is empty, not an ONNX model");
  try {
    Reader(*data, limits).read(text);
  } catch (const wire::Malformed& problem) {
    const std::string_view other = recognise_other_format(text);
    if (!other.empty()) throw Error(data->path, "not an ONNX model but " + std::string(other));
    const std::string cause = (problem.is_limit ? "not read: " : "malformed ONNX model: ") + problem.cause;
    if (problem.at == nullptr) throw Error(data->path, problem.is_limit ? cause : problem.cause);
    throw Error(data->path, cause, static_cast<std::uint64_t>(problem.at - text.data()));
  }
  link(*data);
  return data;
}

/// They are looked through for every node.
void check_count(const std::vector<OpsetImport>& imports) {
  constexpr std::size_t kMost = 1000;
  if (imports.size() > kMost) throw wire::Malformed{nullptr, "the model imports more than 1000 operator sets", true};
}

}  // namespace

Model read_model(const File& file, std::string path, std::string base_dir, const Limits& limits) {
  auto data = read_bytes(std::move(path), std::move(base_dir), fetch_structure(file), limits);
  fetch_constants(*data, readable(file));
  if (!data->missing.empty()) data->file = file.state();
  return ModelAccess::make(std::move(data));
}

Model read_model(const Readable& file, std::string base_dir, const Limits& limits) {
  auto data = read_bytes(file.path, std::move(base_dir), fetch_structure(file), limits);
  fetch_constants(*data, file);
  return ModelAccess::make(std::move(data));
}

Model read_lasting_model(const Readable& file, std::string base_dir, const Limits& limits) {
  auto data = read_bytes(file.path, std::move(base_dir), fetch_structure(file), limits);
  fetch_constants(*data, file);
  data->later = file.read;
  return ModelAccess::make(std::move(data));
}

Model read_model(const Parts& parts, std::string base_dir, const Limits& limits) {
  const Readable memory = readable(parts);
  auto data = read_bytes({}, std::move(base_dir), fetch_structure(memory), limits);
  fetch_constants(*data, memory);
  data->later = memory.read;
  data->is_scanned_later = true;
  return ModelAccess::make(std::move(data));
}

Model read_model(const std::string& path, const Limits& limits) {
  return read_model(File::open(path), path, folder_of(path), limits);
}

Model read_model(Bytes bytes, const std::string& path, const Limits& limits) {
  return ModelAccess::make(read_bytes(path, folder_of(path), {std::move(bytes), {}}, limits));
}

Model read_model(std::span<const std::byte> bytes, std::string base_dir, const Limits& limits) {
  return ModelAccess::make(read_bytes({}, std::move(base_dir), {Bytes::borrow(bytes), {}}, limits));
}

Model read_partial_model(std::span<const std::byte> bytes, std::string path, std::vector<ByteRange> missing,
                         const Beside& beside, const Limits& limits) {
  check_inside(path, missing, bytes.size());
  Fetched file{Bytes::borrow(bytes), in_order(std::move(missing))};
  auto data = read_bytes(std::move(path), beside.base_dir, std::move(file), limits);
  if (beside.fetch) fetch_far(*data, beside.fetch);
  return ModelAccess::make(std::move(data));
}

bool is_missing(const Model& model, ByteRange range) {
  const std::vector<ByteRange>& missing = ModelAccess::data(model).missing;
  const auto after = std::partition_point(missing.begin(), missing.end(),
                                          [&](ByteRange hole) { return hole.offset + hole.length <= range.offset; });
  return range.length != 0 && after != missing.end() && after->offset < range.offset + range.length;
}

Reader::Reader(ModelData& data, const Limits& limits)
    : data_(data), limits_(limits), names_(data.values, reinterpret_cast<std::uintptr_t>(&data)) {}

void Reader::read(std::string_view file) {
  namespace f = field::model;
  wire::Message graph;
  std::vector<OpsetImport> opsets;
  std::vector<StringPair> metadata;
  base_ = file.data();
  wire::each_field(wire::Message(file), [&](wire::Cursor& c) {
    switch (c.key()) {
      case wire::varint(f::ir_version):
        data_.ir_version = c.int64();
        break;
      case wire::varint(f::model_version):
        data_.model_version = c.int64();
        break;
      case wire::bytes(f::producer_name):
        data_.producer_name = c.bytes();
        break;
      case wire::bytes(f::producer_version):
        data_.producer_version = c.bytes();
        break;
      case wire::bytes(f::domain):
        data_.domain = c.bytes();
        break;
      case wire::bytes(f::doc_string):
        data_.doc_string = c.bytes();
        break;
      case wire::bytes(f::graph):
        graph.add(c.bytes());
        break;
      case wire::bytes(f::opset_import):
        opsets.push_back(read_opset_import(c.bytes()));
        break;
      case wire::bytes(f::metadata_props):
        metadata.push_back(read_pair(c.bytes()));
        break;
      case wire::bytes(f::training_info):
        check_unread(MessageKind::training, c.bytes());
        break;
      case wire::bytes(f::configuration):
        check_unread(MessageKind::plain, c.bytes());
        break;
      case wire::bytes(f::functions):
        read_function_signature(c.bytes());
        break;
      default:
        c.skip();
    }
  });
  if (!graph.present()) throw wire::Malformed{nullptr, "not an ONNX model: it has no graph"};
  check_count(opsets);
  data_.opset_imports = data_.keep(opsets);
  data_.metadata = data_.keep(metadata);

  enqueue(Graph::Kind::main, {.parts = keep_parts(graph)}, {}, {}, ModelData::kMain);
  for (std::uint32_t i = 0; i < functions_.size(); ++i) {
    const Source source{.parts = functions_[i].parts, .is_function = true};
    data_.functions[i].definition = enqueue(Graph::Kind::function_definition, source, {}, {}, i);
  }
  function_order_.resize(functions_.size());
  std::iota(function_order_.begin(), function_order_.end(), 0U);
  std::stable_sort(function_order_.begin(), function_order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Function& x = data_.functions[a];
    const Function& y = data_.functions[b];
    return std::tie(x.name, x.domain, x.overload) < std::tie(y.name, y.domain, y.overload);
  });
  for (std::uint32_t i = 0; i < data_.graphs.size(); ++i) read_graph(GraphId{i});
}

void Reader::read_function_signature(std::string_view text) {
  namespace f = field::function;
  Function function;
  std::vector<OpsetImport> opsets;
  std::vector<StringPair> metadata;
  wire::each_field(wire::Message(text), [&](wire::Cursor& c) {
    switch (c.key()) {
      case wire::bytes(f::name):
        function.name = c.bytes();
        break;
      case wire::bytes(f::domain):
        function.domain = c.bytes();
        break;
      case wire::bytes(f::overload):
        function.overload = c.bytes();
        break;
      case wire::bytes(f::opset_import):
        opsets.push_back(read_opset_import(c.bytes()));
        break;
      case wire::bytes(f::metadata_props):
        metadata.push_back(read_pair(c.bytes()));
        break;
      default:
        c.skip();
    }
  });
  if (function.domain == "ai.onnx") function.domain = {};
  check_count(opsets);
  function.opset_imports = data_.keep(opsets);
  function.metadata = data_.keep(metadata);
  data_.functions.push_back(function);
  functions_.push_back({.parts = keep_parts(wire::Message(text)), .defaults = {}, .cost = expansion_cost(text)});
}

// Nodes of the function and of all graphs in it, and something for its bytes.
std::uint64_t Reader::expansion_cost(std::string_view function) const {
  namespace a = field::attribute;
  enum class Kind : std::uint8_t { whole, graph, node, attribute };
  struct Step {
    Kind kind;
    std::string_view text;
  };
  std::uint64_t cost = 1 + function.size() / kBytesPerUnit;
  std::vector<Step> steps{{Kind::whole, function}};
  while (!steps.empty()) {
    const Step step = steps.back();
    steps.pop_back();
    wire::each_field(wire::Message(step.text), [&](wire::Cursor& c) {
      const std::uint32_t key = c.key();
      if ((key & 7U) != 2) return c.skip();
      const std::string_view text = c.bytes();
      const std::uint32_t number = key >> 3U;
      if ((step.kind == Kind::whole && number == field::function::node) ||
          (step.kind == Kind::graph && number == field::graph::node)) {
        ++cost;
        steps.push_back({Kind::node, text});
      } else if ((step.kind == Kind::node && number == field::node::attribute) ||
                 (step.kind == Kind::whole && number == field::function::attribute_proto)) {
        steps.push_back({Kind::attribute, text});
      } else if (step.kind == Kind::attribute && (number == a::g || number == a::graphs)) {
        ++cost;
        steps.push_back({Kind::graph, text});
      }
    });
  }
  return cost;
}

std::span<const std::string_view> Reader::keep_parts(const wire::Message& message) {
  const std::span<std::string_view> parts = data_.allocate<std::string_view>(message.size());
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = message.part(i);
  return parts;
}

GraphId Reader::enqueue(Graph::Kind kind, const Source& source, NodeId parent, std::string_view attribute,
                        std::uint32_t function) {
  if (data_.graphs.size() + data_.nodes.size() >= limits_.nodes) {
    throw wire::Malformed{nullptr, "the model has more than " + std::to_string(limits_.nodes) + " nodes and graphs",
                          true};
  }
  const GraphId id{static_cast<std::uint32_t>(data_.graphs.size())};
  Graph graph;
  graph.kind = kind;
  graph.parent = parent;
  graph.attribute = attribute;
  data_.graphs.push_back(graph);
  data_.function_of.push_back(function);
  sources_.push_back(source);
  return id;
}

}  // namespace trtcheck
