// How a row of nodes is cut into pieces, and which of them run: the published rules, over numbers alone.
//
// Read in onnx/onnx-tensorrt (ModelImporter.cpp, doSupportsModel: 8.6 to 11.0), microsoft/onnxruntime
// (tensorrt_execution_provider.cc: GetCapability, GetSupportedList, DetectTensorRTGraphCycles) and in the plug-in
// provider for TensorRT-RTX. Each call of the parser cuts at one node, and the provider asks again about both sides, so
// that in the end all refused nodes are cut out. The provider of TensorRT-RTX asks no more after a refusal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "partition/line.hpp"

namespace trtcheck::partitioning {

enum class Verdict : std::uint8_t {
  accepted,
  refused,   ///< by the parser
  excluded,  ///< by the provider, which never asks the parser about it
};

struct CutRules {
  Provider provider = Provider::parser;
  std::size_t least_nodes = 1;
  std::size_t most_iterations = 1000;
};

struct CutPiece {
  /// Why it does not run.
  enum class Fate : std::uint8_t { runs, too_small, in_cycle, with_refused, gave_up };
  std::vector<std::uint32_t> positions;  ///< in the order of execution
  Fate fate = Fate::runs;
};

struct Cut {
  std::vector<CutPiece> pieces;  ///< in the order of execution; where they are consolidated, the one that runs first
  bool is_consolidated = false;
  std::size_t found = 0;        ///< pieces before that
  std::size_t iterations = 0;   ///< at most
  bool reads_past_end = false;  ///< the provider looks at a piece behind its last one: what happens then is not defined
};

/// @param verdicts  of each position
[[nodiscard]] Cut cut(const Line& line, const std::vector<Verdict>& verdicts, const CutRules& rules);

}  // namespace trtcheck::partitioning
