#include <trtcheck/layers.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include "layers/work.hpp"

namespace trtcheck {

NotCounted not_counted(std::span<const Layer> layers, const Model& model) {
  std::map<std::string, NotCounted::Layers> unsized;
  std::set<std::uint32_t> seen;
  std::map<std::string, std::size_t> loops;
  for (const Layer& layer : layers) {
    const Node& node = model.node(layer.node);
    if (!layers_of::has_work(node)) continue;
    if (!layer.work) {
      NotCounted::Layers& entry = unsized[std::string(node.op_type)];
      entry.op_type = node.op_type;
      entry.has_formula = layers_of::has_formula(node);
      ++entry.count;
    } else if (layer.counted_once && seen.insert(layer.counted_once.index).second) {
      ++loops[std::string(model.node(layer.counted_once).op_type)];
    }
  }
  NotCounted made;
  for (auto& [name, entry] : unsized) made.layers.push_back(std::move(entry));
  for (const auto& [name, count] : loops) made.loops.push_back({name, count});
  return made;
}

std::string to_string(const NotCounted& not_counted) {
  std::string out;
  for (const bool has_formula : {true, false}) {
    std::string group;
    for (const NotCounted::Layers& each : not_counted.layers) {
      if (each.has_formula != has_formula) continue;
      group += fmt::format("{}{} {}", group.empty() ? "" : ", ", each.count, each.op_type);
    }
    if (!group.empty())
      out += fmt::format("{}{}{}", out.empty() ? "" : ", ", group, has_formula ? " without known sizes" : "");
  }
  std::string loops;
  for (const NotCounted::Loops& each : not_counted.loops) {
    loops += fmt::format("{}{} {}", loops.empty() ? "" : ", ", each.count, each.op_type);
  }
  if (!loops.empty()) {
    out += fmt::format("{}bodies of {} counted once: trip count unknown", out.empty() ? "" : "; ", loops);
  }
  return out;
}

}  // namespace trtcheck
