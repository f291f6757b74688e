// The memory of a model at the sizes of a profile.
#include <trtcheck/memory.hpp>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <trtcheck/error.hpp>
#include <trtcheck/profile.hpp>

#include "memory/lifetimes.hpp"
#include "model/external_files.hpp"
#include "provenance/provenance.hpp"
#include "schema/kinds.hpp"
#include "view/inference_options.hpp"

namespace trtcheck {
namespace {

using memory_of::bytes_of;
using memory_of::Lives;

/// Beyond it TensorRT's counters of elements end.
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 31;
/// Smaller results are no news in an engine.
constexpr std::uint64_t kLargeResult = std::uint64_t{64} << 20;
constexpr std::size_t kMostWarnings = 50;

void add_weights(const Model& model, MemoryReport& report) {
  std::map<DataType, WeightBytes> by_type;
  for (std::uint32_t g = 0; g < model.graph_count(); ++g) {
    // The calls of a function store nothing of their own.
    if (model.graph(GraphId{g}).kind == Graph::Kind::function_definition) continue;
    for (const TensorId id : model.graph(GraphId{g}).initializers) {
      const Tensor& tensor = model.tensor(id);
      WeightBytes& weights = by_type[tensor.type];
      ++weights.count;
      weights.bytes += bytes_of_elements(tensor).value_or(0);
    }
  }
  for (auto& [type, weights] : by_type) {
    weights.type = to_string(type);
    report.weight_bytes += weights.bytes;
    report.weights.push_back(std::move(weights));
  }
  std::ranges::stable_sort(report.weights, std::ranges::greater{}, &WeightBytes::bytes);
}

class Counter {
 public:
  Counter(const Model& model, const MemoryOptions& options, MemoryReport& report)
      : model_(&model), options_(&options), report_(&report), lines_(model) {}

  void point(std::string name, std::vector<std::int64_t> ProfileInput::*sizes) {
    Target target = options_->target;
    target.profile.clear();
    for (const ProfileInput& input : report_->profile) {
      target.profile.push_back({input.name, input.*sizes, input.*sizes, input.*sizes});
    }
    last_shapes_.emplace(infer(*model_, inference_options(*model_, target)));
    const Shapes& shapes = *last_shapes_;
    MemoryPoint made{.name = std::move(name)};
    for (const ValueId id : model_->graph().inputs) {
      if (model_->is_network_input(id)) made.inputs += bytes_of(shapes, id).value_or(0);
    }
    for (const ValueId id : model_->graph().outputs) made.outputs += bytes_of(shapes, id).value_or(0);
    const Lives lives = memory_of::lives(*model_, shapes, false);
    made.sum = lives.sum;
    made.peak = lives.peak;
    made.fused_peak = std::min(lives.peak, memory_of::lives(*model_, shapes, true).peak);
    made.peak_node = model_->node_label(lives.peak_node);
    made.peak_op_type = model_->node(lives.peak_node).op_type;
    const std::size_t count = std::min(lives.at_peak.size(), options_->most_tensors);
    for (const ValueId id : std::span(lives.at_peak).first(count)) made.peak_tensors.push_back(tensor(shapes, id));
    made.live = lives.live;
    made.unknown = lives.unknown;
    report_->points.push_back(std::move(made));
    largest_ = &report_->points.back().name;
  }

  /// Of the largest sizes.
  void add_warnings() {
    for (std::uint32_t i = 0; i < model_->value_count(); ++i) {
      if (report_->warnings.size() == kMostWarnings) return;
      const ValueId id{i};
      if (model_->graph(model_->value(id).graph).kind == Graph::Kind::function_definition) continue;
      too_many_elements(id);
      blown_up(id);
    }
  }

 private:
  [[nodiscard]] LiveTensor tensor(const Shapes& shapes, ValueId id) {
    const NodeId node = model_->value(id).producer;
    LiveTensor made{.name = std::string(model_->value(id).name),
                    .type = shapes.text(id),
                    .bytes = bytes_of(shapes, id).value_or(0),
                    .node = model_->node_label(node),
                    .op_type = std::string(model_->node(node).op_type)};
    if (node) made.source = lines_.of(node).lines.source;
    return made;
  }

  void warn(ValueId id, std::string text) {
    const NodeId node = model_->value(id).producer;
    MemoryWarning made{.text = std::move(text), .node = model_->node_label(node)};
    if (node) made.source = lines_.of(node).lines.source;
    report_->warnings.push_back(std::move(made));
  }

  void too_many_elements(ValueId id) {
    const auto elements = memory_of::elements_of(*last_shapes_, id);
    if (!elements || *elements < kMostElements) return;
    warn(id, fmt::format("`{}` has {} elements at {}: TensorRT counts up to 2147483647", model_->value(id).name,
                         *elements, *largest_));
  }

  // NVIDIA/TensorRT#4841: 11.2 writes seven times the result of an unfused pointwise operator into the engine.
  void blown_up(ValueId id) {
    const TrtVersion release = options_->target.release;
    if (!(release == TrtVersion{.major_version = 11, .minor_version = 2})) return;
    const Value& value = model_->value(id);
    if (!value.producer || last_shapes_->folds_to_constant(id)) return;
    const Node& node = model_->node(value.producer);
    if (!memory_of::is_pointwise(node) || is_fused(node)) return;
    const auto bytes = bytes_of(*last_shapes_, id);
    if (!bytes || *bytes < kLargeResult) return;
    warn(id, fmt::format("{} `{}` stands alone: TensorRT 11.2 may write 7 times its result, {} bytes, into the engine",
                         node.op_type, model_->node_label(value.producer), 7 * *bytes));
  }
  /// With a neighbour that it is computed together with.
  [[nodiscard]] bool is_fused(const Node& node) const {
    const auto joins = [&](NodeId other) {
      return other &&
             (memory_of::is_pointwise(model_->node(other)) || is_a(model_->node(other).op_type, kinds::product));
    };
    for (const ValueId input : node.inputs) {
      if (input && joins(model_->value(input).producer)) return true;
    }
    for (const ValueId output : node.outputs) {
      if (!output) continue;
      const std::span<const Use> users = model_->value(output).users;
      if (std::ranges::any_of(users, [&](const Use& use) { return joins(use.node); })) return true;
    }
    return false;
  }

  const Model* model_;
  const MemoryOptions* options_;
  MemoryReport* report_;
  rules::Provenances lines_;
  const std::string* largest_ = nullptr;
  std::optional<Shapes> last_shapes_;
};

}  // namespace

MemoryReport memory(const Model& model, const MemoryOptions& options) {
  MemoryReport report;
  report.path = model.path();
  report.points.reserve(3);
  add_weights(model, report);
  report.profile = options.target.profile;
  std::vector<ProfileInput> proposed = propose_profile(model, options.target.profile);
  report.is_proposed = !proposed.empty();
  std::ranges::move(proposed, std::back_inserter(report.profile));
  Counter counter(model, options, report);
  if (report.profile.empty()) {
    counter.point("static", &ProfileInput::opt);
  } else {
    counter.point("min", &ProfileInput::min);
    counter.point("opt", &ProfileInput::opt);
    counter.point("max", &ProfileInput::max);
  }
  counter.add_warnings();
  return report;
}

}  // namespace trtcheck
