#include "memory/lifetimes.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "schema/kinds.hpp"

namespace trtcheck::memory_of {
namespace {

/// Its result is its first input under other dims, or as it is.
bool is_view(const Node& node) {
  if (!node.domain().empty() || node.call()) return false;
  if (node.op_type == "Flatten" || is_a(node.op_type, kinds::dropped)) return true;
  return is_a(node.op_type, kinds::no_layer_in_body) && !is_a(node.op_type, kinds::reads_sizes_only) && node.input(0);
}

/// The place that a tensor has in memory, which several tensors may share.
struct Buffer {
  std::uint64_t bytes = 0;
  std::size_t first = 0;  ///< position of the node that makes it
  std::size_t last = 0;   ///< of the last one that needs it
  ValueId value;          ///< that it was made for
  bool is_counted = true;
};

class GraphLives {
 public:
  GraphLives(const Model& model, const Shapes& shapes, bool in_place, GraphId graph)
      : model_(&model), shapes_(&shapes), in_place_(in_place), graph_(&model.graph(graph)), id_(graph) {}

  Lives run() {
    const std::span<const NodeId> order = graph_->order;
    for (std::size_t i = 0; i < order.size(); ++i) last_readers(order[i], i);
    for (const ValueId output : graph_->outputs) last_[output] = order.size();
    std::vector<std::uint64_t> inside(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (const ValueId output : model_->node(order[i]).outputs) place(order[i], output, i);
      inside[i] = bodies(order[i]);
    }
    sum_up(inside);
    return std::move(lives_);
  }

 private:
  void last_readers(NodeId node, std::size_t position) {
    for (const ValueId input : model_->node(node).inputs) last_[input] = position;
    for (const Attribute& attribute : model_->node(node).attributes()) {
      if (attribute.g()) captured(attribute.g(), position);
      for (const GraphId body : attribute.graphs()) captured(body, position);
    }
  }
  void captured(GraphId id, std::size_t position) {
    const Graph& body = model_->graph(id);
    for (std::uint32_t i = 0; i < body.node_count; ++i) last_readers(NodeId{body.first_node.index + i}, position);
    for (const ValueId output : body.outputs) last_[output] = position;
  }

  [[nodiscard]] std::size_t last_of(ValueId id, std::size_t made) const {
    const auto found = last_.find(id);
    return found == last_.end() ? made : std::max(made, found->second);
  }

  void place(NodeId id, ValueId output, std::size_t position) {
    if (!output) return;
    const Node& node = model_->node(id);
    // Constants are weights of the engine; a shape is computed on the host.
    if (shapes_->folds_to_constant(output)) return;
    const auto bytes = bytes_of(*shapes_, output);
    if (!bytes) ++lives_.unknown;
    if (const auto shared = shared_buffer(node, output, position, bytes.value_or(0))) {
      Buffer& buffer = buffers_[*shared];
      buffer.last = std::max(buffer.last, last_of(output, position));
      buffer.is_counted = buffer.is_counted && !is_output(output);
      places_[output] = *shared;
      return;
    }
    // Nothing is made where a view shows what the caller gave.
    const bool is_free = is_view(node);
    places_[output] = buffers_.size();
    buffers_.push_back(
        {is_free ? 0 : bytes.value_or(0), position, last_of(output, position), output, !is_output(output) && !is_free});
  }
  [[nodiscard]] bool is_output(ValueId id) const {
    return id_ == GraphId{0} && std::ranges::find(graph_->outputs, id) != graph_->outputs.end();
  }

  [[nodiscard]] std::optional<std::size_t> shared_buffer(const Node& node, ValueId output, std::size_t position,
                                                         std::uint64_t bytes) const {
    if (is_view(node)) return buffer_of(node.input(0));
    // The caller holds outputs: nothing else can be in their place.
    if (!in_place_ || !is_pointwise(node) || is_output(output)) return std::nullopt;
    for (const ValueId input : node.inputs) {
      const auto buffer = buffer_of(input);
      if (buffer && buffers_[*buffer].bytes == bytes && buffers_[*buffer].last <= position &&
          buffers_[*buffer].is_counted) {
        return buffer;
      }
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<std::size_t> buffer_of(ValueId id) const {
    const auto found = places_.find(id);
    return found == places_.end() ? std::nullopt : std::optional(found->second);
  }

  /// What is needed inside of its bodies, or of the function that it calls: of branches the larger one.
  [[nodiscard]] std::uint64_t bodies(NodeId id) {
    std::uint64_t most = 0;
    const auto look = [&](GraphId body) {
      const Lives inner = GraphLives(*model_, *shapes_, in_place_, body).run();
      lives_.unknown += inner.unknown;
      lives_.sum += inner.sum;
      most = std::max(most, inner.peak);
    };
    const Node& node = model_->node(id);
    if (node.call()) look(node.call());
    for (const Attribute& attribute : node.attributes()) {
      if (attribute.g()) look(attribute.g());
      for (const GraphId body : attribute.graphs()) look(body);
    }
    return most;
  }

  void sum_up(const std::vector<std::uint64_t>& inside) {
    const std::size_t count = graph_->order.size();
    std::vector<std::int64_t> change(count + 1);
    for (const Buffer& buffer : buffers_) {
      if (!buffer.is_counted) continue;
      lives_.sum += buffer.bytes;
      change[buffer.first] += static_cast<std::int64_t>(buffer.bytes);
      if (buffer.last < count) change[buffer.last + 1] -= static_cast<std::int64_t>(buffer.bytes);
    }
    std::int64_t now = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
      now += change[i];
      const std::uint64_t live = static_cast<std::uint64_t>(now) + inside[i];
      lives_.live.push_back(live);
      if (live > lives_.peak) {
        lives_.peak = live;
        at = i;
      }
    }
    if (lives_.peak == 0) return;
    lives_.peak_node = graph_->order[at];
    std::vector<const Buffer*> there;
    for (const Buffer& buffer : buffers_) {
      if (buffer.is_counted && buffer.bytes > 0 && buffer.first <= at && buffer.last >= at) there.push_back(&buffer);
    }
    std::ranges::stable_sort(there, std::ranges::greater{}, &Buffer::bytes);
    for (const Buffer* buffer : there) lives_.at_peak.push_back(buffer->value);
  }

  const Model* model_;
  const Shapes* shapes_;
  bool in_place_;
  const Graph* graph_;
  GraphId id_;
  struct Hash {
    std::size_t operator()(ValueId id) const noexcept { return id.index; }
  };
  std::unordered_map<ValueId, std::size_t, Hash> last_;    ///< position of the last reader
  std::unordered_map<ValueId, std::size_t, Hash> places_;  ///< buffer of each value
  std::vector<Buffer> buffers_;
  Lives lives_;
};

}  // namespace

std::optional<std::uint64_t> elements_of(const Shapes& shapes, ValueId id) {
  const ValueShape& shape = shapes[id];
  if (!shape.has_rank) return std::nullopt;
  std::uint64_t count = 1;
  for (const Dim dim : shape.dims) {
    if (!dim.is_literal() || dim.value() < 0) return std::nullopt;
    const auto size = static_cast<std::uint64_t>(dim.value());
    if (size > 0 && count > std::numeric_limits<std::uint64_t>::max() / 64 / size) return std::nullopt;
    count *= size;
  }
  return count;
}

std::optional<std::uint64_t> bytes_of(const Shapes& shapes, ValueId id) {
  const auto count = elements_of(shapes, id);
  const int bits = bits_of(shapes[id].type);
  if (!count || bits == 0) return std::nullopt;
  return (*count * static_cast<std::uint64_t>(bits) + 7) / 8;
}

bool is_pointwise(const Node& node) {
  return node.domain().empty() && !node.call() &&
         (is_a(node.op_type, kinds::pointwise) || is_a(node.op_type, kinds::fuses_with_product) ||
          is_a(node.op_type, kinds::fuses_behind_pair));
}

Lives lives(const Model& model, const Shapes& shapes, bool in_place) {
  return GraphLives(model, shapes, in_place, GraphId{0}).run();
}

}  // namespace trtcheck::memory_of
