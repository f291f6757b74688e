// What a Model is made of. Filled in by the reader, constant afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <trtcheck/model.hpp>

#include "bytes/bytes.hpp"
#include "model/external_files.hpp"

namespace trtcheck {

struct ModelData {
  static constexpr std::uint32_t kMain = 0xffffffffU;

  std::string path;
  std::string base_dir;
  Bytes bytes;
  std::vector<ByteRange> missing;  ///< parts of `bytes` that were not read: sorted, disjoint, not empty
  std::optional<FileState> file;   ///< that `bytes` are of, for weights that somebody asks for later
  /// The same of bytes that are no file (all_bytes). Empty: what they came from may be gone.
  std::function<void(std::uint64_t offset, std::span<std::byte> into)> later;
  /// Everything that the spans of nodes, graphs, tensors and types point to; it never moves.
  std::pmr::monotonic_buffer_resource arena{std::size_t{16} << 10};

  std::int64_t ir_version = 0;
  std::int64_t model_version = 0;
  std::string_view producer_name;
  std::string_view producer_version;
  std::string_view domain;
  std::string_view doc_string;
  std::span<const OpsetImport> opset_imports;
  std::span<const StringPair> metadata;
  std::uint32_t graph_depth = 0;

  std::vector<Function> functions;
  std::vector<Defect> defects;
  std::vector<Graph> graphs;
  std::vector<std::uint32_t> function_of;  ///< per graph: index of the function whose text it is, or kMain
  std::vector<Node> nodes;
  std::vector<Value> values;
  std::vector<Tensor> tensors;
  std::vector<Type> types;

  ExternalFiles external_files;   ///< looked up when somebody asks
  bool is_scanned_later = false;  ///< what `later` reads is memory: `each_part` asks for it, too

  template <class T>
  std::span<T> allocate(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (count == 0) return {};
    T* memory = static_cast<T*>(arena.allocate(count * sizeof(T), alignof(T)));
    std::uninitialized_value_construct_n(memory, count);
    return {memory, count};
  }
  template <class T>
  const T& keep(const T& item) {
    T& copy = allocate<T>(1).front();
    copy = item;
    return copy;
  }
  template <class T>
  std::span<const T> keep(const std::vector<T>& items) {
    const std::span<T> copy = allocate<T>(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) copy[i] = items[i];
    return copy;
  }
};

struct Model::Impl : ModelData {};

struct ModelAccess {
  using Impl = Model::Impl;
  static Model make(std::unique_ptr<Impl> impl) { return Model(std::move(impl)); }
  static const ModelData& data(const Model& model) { return *model.impl_; }
};

/// Writing to a node.
struct NodeAccess {
  using More = Node::More;
  /// @pre `more` outlives the node
  static void set_more(Node& node, const More& more) { node.more_ = &more; }
  static const More& more(const Node& node) { return *node.more_; }
};

/// Writing to an attribute: each setter belongs to one AttributeType.
struct AttributeAccess {
  static void set_float(Attribute& a, float f) { a.scalar_.f = f; }
  static void set_int(Attribute& a, std::int64_t i) { a.scalar_.i = i; }
  static void set_id(Attribute& a, std::uint32_t id) { a.scalar_.id = id; }
  template <class T>
  static void set_list(Attribute& a, std::span<const T> list) {
    a.data_ = list.data();
    a.count_ = list.size();
  }
  static void set_string(Attribute& a, std::string_view s) {
    a.data_ = s.data();
    a.count_ = s.size();
  }
};

}  // namespace trtcheck
