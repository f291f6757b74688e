#include "partition/left_out.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/core.h>

#include <trtcheck/error.hpp>

namespace trtcheck::partitioning {
namespace {

using Reason = Refusal::Reason;

/// Of nodes, in the plug-in provider for TensorRT-RTX (IsSupportedDataType); inputs and outputs of the model may not be
/// DOUBLE either (IsSupportedInputOutputDataType).
bool rtx_accepts(DataType type, bool is_of_model) {
  constexpr std::array kTypes{DataType::undefined, DataType::float32, DataType::float16,      DataType::bfloat16,
                              DataType::boolean,   DataType::int4,    DataType::int8,         DataType::uint8,
                              DataType::int32,     DataType::int64,   DataType::float8e4m3fn, DataType::float4e2m1};
  return std::ranges::find(kTypes, type) != kTypes.end() || (!is_of_model && type == DataType::float64);
}

/// ONNX Runtime's option lists operators separated by commas, and does not trim them.
void check_words(const std::vector<std::string>& exclude) {
  for (const std::string& word : exclude) {
    if (word.empty() || word.find_first_of(", \t\n") != std::string::npos) {
      throw Error("", fmt::format("`{}`: an operator type is one word, such as NonZero", word));
    }
  }
}

/// 9.0 to 10.1 (ModelImporter.cpp, isDDSOp); later sources were read without it.
bool parser_leaves_out(const Node& node, TrtVersion release) {
  if (release.product != Product::tensorrt) return false;
  const bool is_of_time = TrtVersion{.major_version = 9, .minor_version = 0} <= release &&
                          release <= TrtVersion{.major_version = 10, .minor_version = 1};
  return is_of_time && (node.op_type == "NonMaxSuppression" || node.op_type == "NonZero" || node.op_type == "RoiAlign");
}

}  // namespace

void left_out(const Asked& asked, Refusals& into) {
  check_words(asked.options.exclude);
  const Model& model = asked.model;
  const auto refuse = [&](std::uint32_t at, Reason reason, std::string message) {
    into.by_position.try_emplace(at, Refusal{reason, std::nullopt, std::move(message), {}, false});
  };
  for (const std::uint32_t at : asked.line.order) {
    const Node& node = model.node(NodeId{model.graph().first_node.index + at});
    if (std::ranges::find(asked.options.exclude, node.op_type) != asked.options.exclude.end()) {
      refuse(at, Reason::excluded, "is left out by option");
    }
    if (parser_leaves_out(node, asked.options.check.target.release)) {
      refuse(at, Reason::parser, "the parser leaves it out: the size of its result depends on data");
    }
    if (asked.provider != Provider::rtx) continue;
    const auto look = [&](ValueId id) {
      if (!id || rtx_accepts(asked.shapes[id].type, false)) return;
      refuse(at, Reason::type,
             fmt::format("`{}` is {}: the provider leaves such nodes out", model.value(id).name,
                         to_string(asked.shapes[id].type)));
    };
    std::ranges::for_each(node.inputs, look);
    std::ranges::for_each(node.outputs, look);
  }
  if (asked.provider != Provider::rtx || asked.is_body) return;
  const auto look_at_end = [&](ValueId id) {
    const ValueShape& shape = asked.shapes[id];
    if (rtx_accepts(shape.type, true) || shape.rank() == 0 || !into.ends_session.empty()) return;
    into.ends_session =
        fmt::format("`{}` is {}: the provider makes no session for a model with such inputs and outputs",
                    model.value(id).name, to_string(shape.type));
  };
  for (const ValueId id : model.graph().inputs) {
    if (model.is_network_input(id)) look_at_end(id);
  }
  std::ranges::for_each(model.graph().outputs, look_at_end);
}

}  // namespace trtcheck::partitioning
