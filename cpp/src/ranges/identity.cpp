// Which model ranges belong to.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include <trtcheck/ranges.hpp>

#include "text/hash.hpp"
#include "text/printable.hpp"
#include "text/suggest.hpp"

namespace trtcheck {
namespace {

constexpr std::uint64_t kSalt = 21;  // part of every file

void add_names(Hash& hash, const Model& model, std::span<const ValueId> values) {
  hash.add(values.size());
  for (const ValueId value : values) hash.add(value ? model.value(value).name : std::string_view());
}

std::vector<std::string_view> tensor_names(const Model& model) {
  std::vector<std::string_view> names;
  for (const ValueId input : model.graph().inputs) names.push_back(model.value(input).name);
  for (const NodeId id : model.graph().order) {
    for (const ValueId output : model.node(id).outputs) {
      if (output) names.push_back(model.value(output).name);
    }
  }
  return names;
}

}  // namespace

double MeasuredTensor::magnitude() const noexcept {
  return std::max(std::fabs(min.value_or(0)), std::fabs(max.value_or(0)));
}

std::string graph_id(const Model& model) {
  const Graph& graph = model.graph();
  Hash hash(kSalt);
  add_names(hash, model, graph.inputs);
  add_names(hash, model, graph.outputs);
  hash.add(graph.node_count);
  for (std::uint32_t i = 0; i < graph.node_count; ++i) {
    const Node& node = model.node(NodeId{graph.first_node.index + i});
    hash.add(node.domain()).add(node.op_type);
    add_names(hash, model, node.inputs);
    add_names(hash, model, node.outputs);
  }
  return fmt::format("{:016x}", hash.value());
}

void check_belongs(const Ranges& ranges, const Model& model) {
  if (ranges.graph == graph_id(model)) return;
  const std::string_view shown = model.path().empty() ? std::string_view("the model") : std::string_view(model.path());
  std::string cause = fmt::format("was measured on another model than {}: ", printable(shown));
  const std::vector<std::string_view> names = tensor_names(model);
  const std::set<std::string_view> known(names.begin(), names.end());
  const auto missing =
      std::ranges::find_if(ranges.tensors, [&](const MeasuredTensor& tensor) { return !known.contains(tensor.name); });
  if (missing != ranges.tensors.end()) {
    cause += fmt::format("it has no tensor `{}`{}", printable(missing->name), did_you_mean(missing->name, names));
  } else {
    cause += "its nodes are not the same";
  }
  throw Error(ranges.path.empty() ? "ranges" : ranges.path, cause + "; measure it anew with `trtcheck ranges`");
}

}  // namespace trtcheck
