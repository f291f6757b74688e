#include "partition/options.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "partition/pieces.hpp"
#include "target/profile_text.hpp"
#include "text/plural.hpp"

namespace trtcheck::partitioning {
namespace {

bool is_dds(std::string_view op_type) {
  return op_type == "NonMaxSuppression" || op_type == "NonZero" || op_type == "RoiAlign";
}

std::string shapes_text(const std::vector<ProfileInput>& inputs, Sizes::Point point) {
  std::string text;
  for (const ProfileInput& input : inputs) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", input.name, dims_text(input.*point));
  }
  return text;
}

/// All inputs or none: the provider refuses a profile that lacks one.
void add_profile(const PieceProfile& profile, std::string_view prefix, PartitionReport& report) {
  report.profile = profile.inputs();
  if (!profile.unknown().empty()) {
    report.notes.push_back(
        fmt::format("sizes of {} are not known, so that no profile can be given: `{}`{}; the provider builds again for "
                    "each new size",
                    counted(profile.unknown().size(), "input"), profile.unknown().front(),
                    profile.unknown().size() == 1 ? "" : " and others"));
    return;
  }
  if (profile.inputs().empty()) return;
  const std::string why = "sizes of all dynamic inputs of the pieces, tensors between them included";
  report.options.push_back(
      {fmt::format("{}_profile_min_shapes", prefix), shapes_text(profile.inputs(), &ProfileInput::min), why});
  report.options.push_back(
      {fmt::format("{}_profile_opt_shapes", prefix), shapes_text(profile.inputs(), &ProfileInput::opt), why});
  report.options.push_back(
      {fmt::format("{}_profile_max_shapes", prefix), shapes_text(profile.inputs(), &ProfileInput::max), why});
}

}  // namespace

void add_options(const Asked& asked, const Sizes& sizes, const Advice& advice, const PieceProfile& of_bodies,
                 PartitionReport& report) {
  const bool is_rtx = asked.provider == Provider::rtx;
  const std::string_view prefix = is_rtx ? "nv" : "trt";
  if (!advice.exclude.empty()) {
    report.options.push_back({fmt::format("{}_op_types_to_exclude", prefix),
                              fmt::format("{}", fmt::join(advice.exclude, ",")), advice.why_exclude});
  }
  if (!is_rtx && advice.least_nodes > 1) {
    report.options.push_back({"trt_min_subgraph_size", std::to_string(advice.least_nodes),
                              advice.why_least.empty() ? "the minimal size that was asked for" : advice.why_least});
  }
  PieceProfile profile;
  bool has_dds = false;
  for (const CutPiece& piece : advice.cut.pieces) {
    if (piece.fate != CutPiece::Fate::runs) continue;
    profile.add(asked, sizes, piece.positions);
    for (const std::uint32_t at : piece.positions) {
      has_dds |= is_dds(asked.model.node(NodeId{asked.model.graph().first_node.index + at}).op_type);
    }
  }
  profile.add(of_bodies);
  add_profile(profile, prefix, report);
  if (has_dds && !is_rtx) {
    report.notes.push_back(
        "NonMaxSuppression, NonZero and RoiAlign may be slow in TensorRT 10: measure with them in "
        "trt_op_types_to_exclude as well (microsoft/onnxruntime#23705); ONNX Runtime 1.20.1 leaves them out itself");
  }
  const PartitionOutcome outcome = sizes.outcome(advice.cut);
  const bool is_same = outcome.engines == report.now.engines && outcome.nodes == report.now.nodes;
  const bool is_built = std::ranges::all_of(
      report.pieces, [](const GraphPiece& piece) { return !piece.runs || piece.not_built.empty(); });
  if (!is_same || !is_built) report.advised = outcome;
}

}  // namespace trtcheck::partitioning
