#include "partition/line.hpp"

#include <algorithm>
#include <queue>
#include <span>
#include <utility>

namespace trtcheck::partitioning {

bool is_constant(const Node& node) { return node.op_type == "Constant" && node.domain().empty(); }

namespace {

bool runs_early(const Node& node) { return node.op_type == "Shape" || node.op_type == "Size"; }

class Sorter {
 public:
  Sorter(const Model& model, GraphId graph, Line& line) : model_(&model), graph_(graph), line_(&line) {}

  /// Depth first, without recursion: the file decides how deep it goes.
  void as_the_parser() {
    const std::uint32_t count = model_->graph(graph_).node_count;
    std::vector<std::uint8_t> is_met(count);
    std::vector<std::pair<std::uint32_t, std::size_t>> path;
    for (std::uint32_t first = 0; first < count; ++first) {
      if (is_met[first] != 0) continue;
      is_met[first] = 1;
      path.emplace_back(first, 0);
      while (!path.empty()) {
        const std::uint32_t at = path.back().first;
        const std::span<const ValueId> inputs = node(at).inputs;
        if (path.back().second == inputs.size()) {
          line_->order.push_back(at);
          path.pop_back();
          continue;
        }
        const ValueId input = inputs[path.back().second++];
        const NodeId producer = model_->value(input).producer;
        if (!producer || model_->node(producer).graph != graph_) continue;
        const std::uint32_t before = model_->node(producer).position;
        if (std::exchange(is_met[before], std::uint8_t{1}) == 0) path.emplace_back(before, 0);
      }
    }
  }

  void as_onnxruntime() {
    const std::uint32_t count = model_->graph(graph_).node_count;
    std::vector<std::size_t> waits(count);
    for (std::uint32_t at = 0; at < count; ++at) {
      if (is_constant(node(at))) continue;
      for (const std::uint32_t follower : line_->followers[at]) ++waits[follower];
    }
    using Key = std::pair<bool, std::uint32_t>;
    std::priority_queue<Key, std::vector<Key>, std::greater<>> ready;
    const auto add = [&](std::uint32_t at) {
      if (!is_constant(node(at))) ready.emplace(!runs_early(node(at)), at);
    };
    for (std::uint32_t at = 0; at < count; ++at) {
      if (waits[at] == 0) add(at);
    }
    while (!ready.empty()) {
      const std::uint32_t at = ready.top().second;
      ready.pop();
      line_->order.push_back(at);
      for (const std::uint32_t follower : line_->followers[at]) {
        if (--waits[follower] == 0) add(follower);
      }
    }
  }

  /// From the nodes that nobody follows upwards, those that stand last in the file first.
  void as_plugin() {
    const std::uint32_t count = model_->graph(graph_).node_count;
    std::vector<std::vector<std::uint32_t>> before(count);
    std::vector<std::pair<std::uint32_t, bool>> waiting;
    for (std::uint32_t at = 0; at < count; ++at) {
      if (is_constant(node(at))) continue;
      for (const std::uint32_t follower : line_->followers[at]) before[follower].push_back(at);
      if (line_->followers[at].empty()) waiting.emplace_back(at, false);
    }
    std::vector<bool> is_met(count);
    while (!waiting.empty()) {
      const auto [at, is_done] = waiting.back();
      waiting.pop_back();
      if (is_done) line_->order.push_back(at);
      if (is_done || is_met[at]) continue;
      is_met[at] = true;
      waiting.emplace_back(at, true);
      for (const std::uint32_t input : before[at]) {
        if (!is_met[input]) waiting.emplace_back(input, false);
      }
    }
  }

 private:
  [[nodiscard]] const Node& node(std::uint32_t position) const {
    return model_->node(NodeId{model_->graph(graph_).first_node.index + position});
  }

  const Model* model_;
  GraphId graph_;
  Line* line_;
};

void sort(const Model& model, GraphId graph, Provider provider, Line& line) {
  const Graph& sorted = model.graph(graph);
  for (std::uint32_t i = 0; i < sorted.node_count; ++i) {
    line.names.push_back(model.node(NodeId{sorted.first_node.index + i}).name);
    std::vector<std::uint32_t>& followers = line.followers[i];
    std::ranges::sort(followers);
    followers.erase(std::unique(followers.begin(), followers.end()), followers.end());
  }
  Sorter sorter(model, graph, line);
  switch (provider) {
    case Provider::parser:
      return sorter.as_the_parser();
    case Provider::tensorrt:
      return sorter.as_onnxruntime();
    case Provider::rtx:
      return sorter.as_plugin();
  }
}

/// The node of that graph in which another one lies; none: it does not lie there.
NodeId node_in(const Model& model, GraphId graph, NodeId node) {
  while (node && model.node(node).graph != graph) node = model.graph(model.node(node).graph).parent;
  return node;
}

}  // namespace

Line line_of(const Model& model, const subgraph::Uses& uses, Provider provider) {
  Line line;
  line.followers.resize(uses.node_count());
  for (std::uint32_t at = 0; at < uses.node_count(); ++at) {
    for (const ValueId id : uses.reads(at)) {
      const NodeId producer = model.value(id).producer;
      if (producer && model.node(producer).position != at) line.followers[model.node(producer).position].push_back(at);
    }
  }
  sort(model, GraphId{0}, provider, line);
  return line;
}

Line line_of_body(const Model& model, GraphId body, Provider provider) {
  Line line;
  const Graph& graph = model.graph(body);
  line.followers.resize(graph.node_count);
  for (std::uint32_t at = 0; at < graph.node_count; ++at) {
    for (const ValueId output : model.node(NodeId{graph.first_node.index + at}).outputs) {
      if (!output) continue;
      for (const Use& use : model.value(output).users) {
        const NodeId reader = node_in(model, body, use.node);
        if (reader && model.node(reader).position != at) line.followers[at].push_back(model.node(reader).position);
      }
    }
  }
  sort(model, body, provider, line);
  return line;
}

}  // namespace trtcheck::partitioning
