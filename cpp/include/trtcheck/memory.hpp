// How much memory a model needs: weights, inputs and outputs, and the activations that live at the same time.
//
//     const trtcheck::MemoryReport report = trtcheck::memory(trtcheck::read_model("model.onnx"));
//     std::cout << report.weight_bytes << " bytes of weights, " << report.points.back().peak << " at the peak\n";
//
// Counted over the nodes in the order of the file, sorted so that each stands after what it reads. A result lives from
// the node that makes it to the last one that reads it; Reshape and its like make nothing. An engine needs at least its
// weights, inputs and outputs; of the activations, fusion saves some, and tactics need workspace besides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/finding.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/report.hpp>
#include <trtcheck/target.hpp>

namespace trtcheck {

/// Weights of one element type.
struct WeightBytes {
  std::string type;         ///< "FLOAT"
  std::size_t count = 0;    ///< tensors
  std::uint64_t bytes = 0;  ///< of their data
};

/// A tensor that is there at the peak, or that is remarkable.
struct LiveTensor {
  std::string name{};                      ///< of the tensor
  std::string type{};                      ///< "FLOAT[8,64,112,112]"
  std::uint64_t bytes = 0;                 ///< of its data
  std::string node{};                      ///< label of the node that makes it
  std::string op_type{};                   ///< of that node
  std::optional<SourceLocation> source{};  ///< of that node, as in a finding
};

/// Memory at one size of the inputs.
struct MemoryPoint {
  std::string name{};                      ///< "min", "opt" or "max"; of a model without dynamic inputs "static"
  std::uint64_t inputs = 0;                ///< bytes of all inputs
  std::uint64_t outputs = 0;               ///< bytes of all outputs
  std::uint64_t sum = 0;                   ///< bytes of all activations, if each had a place of its own
  std::uint64_t peak = 0;                  ///< bytes of those that live at the same time, at most
  std::uint64_t fused_peak = 0;            ///< the same when pointwise operators write over what they read
  std::string peak_node{};                 ///< label of the node that runs then; "" = there are no activations
  std::string peak_op_type{};              ///< of that node
  std::vector<LiveTensor> peak_tensors{};  ///< that live then, the largest first
  std::vector<std::uint64_t> live{};       ///< bytes while each node of the main graph runs, in order of execution
  std::size_t unknown = 0;                 ///< results whose size is not known: they are not counted
};

/// Something that memory may fail of.
struct MemoryWarning {
  std::string text{};                      ///< one line
  std::string node{};                      ///< label of the node; "" = none
  std::optional<SourceLocation> source{};  ///< of that node, as in a finding
};

/// What to count for.
struct MemoryOptions {
  Target target;                  ///< its profile gives the sizes; without one they are proposed for dynamic inputs
  std::size_t most_tensors = 10;  ///< listed at a peak
};

/// The memory of one model.
struct MemoryReport {
  std::string path{};                     ///< of the model; "" = from memory
  std::vector<WeightBytes> weights{};     ///< by type, most bytes first
  std::uint64_t weight_bytes = 0;         ///< sum of them
  bool is_proposed = false;               ///< the sizes are those that `propose_profile` chose
  std::vector<ProfileInput> profile{};    ///< the sizes of dynamic inputs
  std::vector<MemoryPoint> points{};      ///< min, opt and max, or static alone
  std::vector<MemoryWarning> warnings{};  ///< in the order of the graph
};

/// @throws Error  the profile does not fit the model
[[nodiscard]] TRTCHECK_API MemoryReport memory(const Model& model, const MemoryOptions& options = {});

/// Ends in a newline.
/// @throws Error  there is no such format (there are full, json and html)
[[nodiscard]] TRTCHECK_API std::string render(const MemoryReport& report, const RenderOptions& options);

}  // namespace trtcheck
