#include "rules/weights/batchnorm_words.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/core.h>

namespace trtcheck::rules {
namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// torch.nn.BatchNorm1d to 3d and SyncBatchNorm, by class or by file.
bool names_module(std::string_view recorded) {
  return contains(recorded, "torch.nn.modules.batchnorm.") || contains(recorded, "torch/nn/modules/batchnorm.py") ||
         contains(recorded, "torch\\nn\\modules\\batchnorm.py");
}

/// A stack with torch.nn.functional.batch_norm, as a frame (TorchScript exporter) or as a line of code (dynamo).
bool names_call(std::string_view recorded) {
  return contains(recorded, "): batch_norm\n") || contains(recorded, "batch_norm(");
}

/// True when mean and variance are those of the batch, written out: how PyTorch exports a layer without running
/// statistics (measured: torch 2.13, TorchScript exporter).
bool has_batch_statistics(const RuleContext& context, const NormView& norm) {
  const Node* mean = context.producer(norm.parameters[2]);
  const Node* variance = context.producer(norm.parameters[3]);
  if (mean == nullptr || variance == nullptr) return false;
  if (mean->op_type != "ReduceMean" || variance->op_type != "ReduceMean") return false;
  ValueId averaged = mean->input(0);
  for (const std::string_view moves : {"Transpose", "Reshape"}) {
    const Node* node = context.producer(averaged);
    if (averaged != norm.data && node != nullptr && node->op_type == moves) averaged = node->input(0);
  }
  return averaged == norm.data;
}

}  // namespace

std::optional<std::string> other_layout(const RuleContext& context, const NormView& norm) {
  const ValueShape& data = context.shape(norm.data);
  if (!norm.counts[0]) return std::nullopt;
  for (std::size_t axis = data.rank(); axis-- > 0;) {
    if (axis == 1 || !data.dims[axis].is(*norm.counts[0])) continue;
    const std::string_view name = context.name(norm.data);
    return axis + 1 == data.rank()
               ? fmt::format("the last axis of `{}` has {}: it looks like channels-last data", name, *norm.counts[0])
               : fmt::format("axis {} of `{}` has {}: it looks like data in another layout, not channels-first", axis,
                             name, *norm.counts[0]);
  }
  return std::nullopt;
}

NodeId first_in_training(const RuleContext& context) {
  for (NodeId id : context.nodes()) {
    const Node& node = context.model().node(id);
    if (node.op_type != "BatchNormalization") continue;
    if (int_attribute(node, "training_mode", 0) != 0 || counted_outputs(node, context.release()) > 1) return id;
  }
  return {};
}

std::string training_remedy(const RuleContext& context) {
  const Node& node = context.node();
  const bool trains = int_attribute(node, "training_mode", 0) != 0;
  if (trains && has_batch_statistics(context, norm_view(context.view(), node))) {
    return "set `training_mode` to 0 and remove the outputs after the first: mean and variance are computed from the "
           "batch here, `model.eval()` does not change that";
  }
  const auto recorded = [&](auto&& names) {
    return names(node.doc_string()) || std::ranges::any_of(node.metadata(), names, &StringPair::value);
  };
  if (recorded(names_module)) {
    return "call `model.eval()` before the export (and export with `training=TrainingMode.EVAL`)";
  }
  if (recorded(names_call)) {
    return "write `training=self.training` (or `training=False`) in the call of `torch.nn.functional.batch_norm`, and "
           "call `model.eval()` before the export";
  }
  return "call `model.eval()` before the export and pass no `training=` to `torch.onnx.export`; where "
         "`torch.nn.functional.batch_norm` is called with `training=True`, write `training=self.training` there";
}

}  // namespace trtcheck::rules
