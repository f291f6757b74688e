// What a report does not rest on: said, so that nobody takes silence for health.
#include <algorithm>
#include <cstdint>
#include <limits>

#include <fmt/core.h>

#include "model/external_files.hpp"
#include "one_report/one_report.hpp"
#include "schema/facts.hpp"
#include "text/bytes_text.hpp"
#include "text/plural.hpp"
#include "text/readable.hpp"
#include "view/executed.hpp"

namespace trtcheck::one_report {
namespace {

using Lines = std::vector<std::string>;

struct Weights {
  std::size_t count = 0;
  std::uint64_t bytes = 0;  // at most the largest number
  std::size_t external = 0;
};

Weights weights_of(const Model& model) {
  Weights made;
  for (std::uint32_t t = 0; t < model.tensor_count(); ++t) {
    const Tensor& tensor = model.tensor(TensorId{t});
    ++made.count;
    const std::uint64_t bytes = bytes_needed(tensor).value_or(0);
    made.bytes += std::min(bytes, std::numeric_limits<std::uint64_t>::max() - made.bytes);
    if (tensor.data == Tensor::Data::external) ++made.external;
  }
  return made;
}

void about_weights(Lines& lines, const Model& model, const CheckOptions& options) {
  const Weights weights = weights_of(model);
  const bool are_read = options.read_weights || options.target.asks_for(Precision::fp16);
  if (weights.count > 0 && !are_read) {
    lines.push_back(
        fmt::format("the values of the weights and constants ({}, {}), beyond small ones that sizes depend on: "
                    "`--read-weights` or `--precision fp16` reads them",
                    counted(weights.count, "tensor"), bytes_text(weights.bytes)));
  }
  if (weights.external > 0 && !are_read) {
    lines.push_back(
        fmt::format("the contents of other files that hold {}: only their names, places and sizes were checked",
                    counted(weights.external, "tensor")));
  }
}

/// Operators of whose nodes nothing is known, each once.
std::vector<std::pair<std::string, std::size_t>> unknown_operators(const LayersOfModel& of) {
  const Model& model = of.model();
  std::vector<std::pair<std::string, std::size_t>> found;
  for (const NodeId id : executed_nodes(model, of.shapes(), of.target())) {
    const Node& node = model.node(id);
    if (node.call() || schema::was_ever_known(node.domain(), node.op_type)) continue;
    const auto at = std::ranges::find(found, node.op_type, &std::pair<std::string, std::size_t>::first);
    if (at != found.end()) {
      ++at->second;
    } else {
      found.emplace_back(node.op_type, 1);
    }
  }
  return found;
}

void about_operators(Lines& lines, const LayersOfModel& of) {
  constexpr std::size_t kMost = 20;
  const auto unknown = unknown_operators(of);
  for (std::size_t i = 0; i < std::min(unknown.size(), kMost); ++i) {
    lines.push_back(fmt::format("what happens inside of `{}` ({}): it is no operator of ONNX", unknown[i].first,
                                counted(unknown[i].second, "node")));
  }
  if (unknown.size() > kMost) {
    lines.push_back(fmt::format("{} more that are none of ONNX", counted(unknown.size() - kMost, "operator")));
  }
}

void about_shapes(Lines& lines, const LayersOfModel& of) {
  std::size_t unknown = 0;
  std::size_t assumed = 0;
  for (std::uint32_t v = 0; v < of.model().value_count(); ++v) {
    const ValueShape& shape = of.shapes()[ValueId{v}];
    if (of.model().graph(of.model().value(ValueId{v}).graph).kind == Graph::Kind::function_definition) continue;
    const bool has_unknown_dim =
        std::ranges::any_of(shape.dims, [&](Dim dim) { return !of.shapes().dims().is_exact(dim); });
    if (shape.kind == ValueShape::Kind::unknown || (shape.kind == ValueShape::Kind::tensor && !shape.has_rank) ||
        has_unknown_dim) {
      ++unknown;
    } else if (shape.assumed) {
      ++assumed;
    }
  }
  if (unknown > 0) {
    lines.push_back(
        fmt::format("rules that ask for sizes, at {} whose shape is not fully known: the table of shapes "
                    "says why",
                    counted(unknown, "tensor")));
  }
  if (assumed > 0) {
    lines.push_back(fmt::format("whether {} the shape that the file declares: nothing else is known of it",
                                assumed == 1 ? "1 tensor has" : fmt::format("{} tensors have", assumed)));
  }
}

void about_options(Lines& lines, const LayersOfModel& of, const CheckOptions& options, const Report& report) {
  const bool is_dynamic = std::ranges::any_of(of.model().graph().inputs, [&](ValueId id) {
    return of.model().is_network_input(id) &&
           std::ranges::any_of(of.shapes()[id].dims, [](Dim dim) { return !dim.is_literal(); });
  });
  if (is_dynamic && options.target.profile.empty()) {
    lines.push_back(
        "sizes of dynamic inputs: no profile was given, so the findings hold for all sizes; `--profile` "
        "gives one");
  }
  if (!options.ranges) {
    lines.push_back("what the tensors reach on real data: `trtcheck ranges` measures it, `--ranges` reads it");
  }
  if (!options.target.compute_capability) lines.push_back("the GPU: `--compute-capability` names it");
  if (report.suppressed > 0) {
    lines.push_back(fmt::format("{} that the settings leave out", counted(report.suppressed, "finding")));
  }
  lines.push_back("TensorRT itself: `trtcheck confirm` asks its parser and builder where they are installed");
}

}  // namespace

std::vector<std::string> not_looked_at(const LayersOfModel& of, const CheckOptions& options, const Report& report) {
  Lines lines;
  about_weights(lines, of.model(), options);
  about_operators(lines, of);
  about_shapes(lines, of);
  about_options(lines, of, options, report);
  return lines;
}

}  // namespace trtcheck::one_report
