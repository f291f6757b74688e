// Users of every value, execution order of every graph, and the order defects.
#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

#include "model/reader.hpp"

namespace trtcheck {
namespace {

class Linker {
 public:
  explicit Linker(ModelData& data) : data_(data) {}

  void run() {
    count_users();
    find_clones();
    std::vector<bool> is_unsorted(data_.graphs.size());
    bool any = false;
    each_dependency([&](const Edge& edge) {
      if (edge.producer < edge.reader) return;
      is_unsorted[data_.nodes[edge.reader.index].graph.index] = true;
      any = true;
    });
    if (any) collect_edges(is_unsorted);
    for (std::uint32_t i = 0; i < data_.graphs.size(); ++i) {
      is_unsorted[i] ? sort(GraphId{i}) : keep_file_order(data_.graphs[i]);
    }
    if (any) record_unsorted();
  }

 private:
  struct Edge {
    NodeId producer;
    NodeId reader;
    ValueId value;
  };

  void count_users() {
    std::vector<std::uint32_t> first(data_.values.size() + 1);
    for (const Node& node : data_.nodes) {
      for (const ValueId id : node.inputs) {
        if (id) ++first[id.index + 1];
      }
    }
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    const std::span<Use> uses = data_.allocate<Use>(first.back());
    for (std::size_t i = 0; i < data_.values.size(); ++i) {
      data_.values[i].users = uses.subspan(first[i], first[i + 1] - first[i]);
    }
    for (std::uint32_t n = 0; n < data_.nodes.size(); ++n) {
      const std::span<const ValueId> inputs = data_.nodes[n].inputs;
      for (std::uint32_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i]) uses[first[inputs[i].index]++] = {NodeId{n}, i};
      }
    }
  }

  void find_clones() {
    is_clone_.resize(data_.graphs.size());
    for (std::size_t i = 0; i < data_.graphs.size(); ++i) {
      const Graph& graph = data_.graphs[i];
      is_clone_[i] = graph.kind == Graph::Kind::function_call ||
                     (graph.parent && is_clone_[data_.nodes[graph.parent.index].graph.index]);
    }
  }

  /// The node of graph `scope` that is `node` or contains it; none if the graph is not an outer one.
  [[nodiscard]] NodeId ancestor_in(GraphId scope, NodeId node) const {
    while (node && data_.nodes[node.index].graph != scope) {
      node = data_.graphs[data_.nodes[node.index].graph.index].parent;
    }
    return node;
  }

  /// Calls on_edge(edge) for every value that a node reads, itself or in a body that it owns, and that another
  /// node of its graph (or itself) produces.
  template <class OnEdge>
  void each_dependency(OnEdge&& on_edge) const {
    for (std::uint32_t n = 0; n < data_.nodes.size(); ++n) {
      for (const ValueId id : data_.nodes[n].inputs) visit(id, NodeId{n}, on_edge);
    }
    for (std::uint32_t g = 0; g < data_.graphs.size(); ++g) {
      for (const ValueId id : data_.graphs[g].outputs) {
        if (data_.values[id.index].graph != GraphId{g}) visit(id, data_.graphs[g].parent, on_edge);
      }
    }
  }
  template <class OnEdge>
  void visit(ValueId id, NodeId node, OnEdge&& on_edge) const {
    if (!id || !data_.values[id.index].producer) return;
    const Value& value = data_.values[id.index];
    if (const NodeId reader = ancestor_in(value.graph, node)) on_edge(Edge{value.producer, reader, id});
  }

  void collect_edges(const std::vector<bool>& is_unsorted) {
    each_dependency([&](const Edge& edge) {
      if (is_unsorted[data_.nodes[edge.reader.index].graph.index]) edges_.push_back(edge);
    });
    const auto key = [](const Edge& e) { return std::tie(e.producer, e.reader, e.value); };
    std::sort(edges_.begin(), edges_.end(), [&](const Edge& a, const Edge& b) { return key(a) < key(b); });
    const auto same = [&](const Edge& a, const Edge& b) { return key(a) == key(b); };
    edges_.erase(std::unique(edges_.begin(), edges_.end(), same), edges_.end());
    waits_for_.resize(data_.nodes.size());
    for (const Edge& edge : edges_) ++waits_for_[edge.reader.index];
  }

  void keep_file_order(Graph& graph) {
    const std::span<NodeId> order = data_.allocate<NodeId>(graph.node_count);
    for (std::uint32_t i = 0; i < graph.node_count; ++i) order[i] = NodeId{graph.first_node.index + i};
    graph.order = order;
  }

  // Kahn's algorithm; of the nodes that are ready the first one in the file comes first. What waits for ever is
  // part of a cycle or behind one.
  void sort(GraphId id) {
    Graph& graph = data_.graphs[id.index];
    const std::span<NodeId> order = data_.allocate<NodeId>(graph.node_count);
    std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> ready;
    for (std::uint32_t i = 0; i < graph.node_count; ++i) {
      const NodeId node{graph.first_node.index + i};
      if (waits_for_[node.index] == 0) ready.push(node);
    }
    std::size_t used = 0;
    while (!ready.empty()) {
      const NodeId node = ready.top();
      ready.pop();
      order[used++] = node;
      const auto from = std::lower_bound(edges_.begin(), edges_.end(), node,
                                         [](const Edge& edge, NodeId wanted) { return edge.producer < wanted; });
      for (auto edge = from; edge != edges_.end() && edge->producer == node; ++edge) {
        if (--waits_for_[edge->reader.index] == 0) ready.push(edge->reader);
      }
    }
    for (std::uint32_t i = 0; i < graph.node_count; ++i) {
      const NodeId node{graph.first_node.index + i};
      if (waits_for_[node.index] == 0) continue;
      order[used++] = node;
      if (!is_clone_[id.index]) data_.defects.push_back({Defect::Kind::cyclic, id, node, {}});
    }
    graph.order = order;
  }

  /// Nodes in a cycle have their own defect; the others only stand in the wrong place.
  void record_unsorted() {
    for (const Edge& edge : edges_) {
      const GraphId graph = data_.nodes[edge.reader.index].graph;
      if (edge.producer < edge.reader || waits_for_[edge.reader.index] != 0 || is_clone_[graph.index]) continue;
      data_.defects.push_back({Defect::Kind::unsorted, graph, edge.reader, edge.value});
    }
  }

  ModelData& data_;
  std::vector<bool> is_clone_;
  std::vector<Edge> edges_;               ///< of unsorted graphs, sorted by producer
  std::vector<std::uint32_t> waits_for_;  ///< per node: edges to it that sort() has not passed yet
};

}  // namespace

void link(ModelData& data) { Linker(data).run(); }

}  // namespace trtcheck
