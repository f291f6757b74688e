// What the tensors of a model reached when it ran on samples: `trtcheck ranges` and `trtcheck.measure_ranges` measure
// it with ONNX Runtime, rules of family NUM read it.
//
//     trtcheck::CheckOptions options;
//     options.ranges = std::make_shared<const trtcheck::Ranges>(trtcheck::read_ranges("ranges.json"));
//     const trtcheck::Report report = trtcheck::check("model.onnx", options);
//
// The file is JSON (data/ranges.schema.json). It belongs to one graph: its operators and the names of its tensors, not
// its weights.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/model.hpp>

namespace trtcheck {

/// One floating point tensor of the main graph, over all samples. Counts are of elements.
struct MeasuredTensor {
  std::string name;                     ///< of the value
  DataType type = DataType::undefined;  ///< FLOAT, FLOAT16, BFLOAT16 or DOUBLE, as it was measured
  std::uint64_t elements = 0;           ///< that were looked at
  std::uint64_t zeros = 0;              ///< 0 and -0
  std::uint64_t nans = 0;               ///< NaN
  std::uint64_t plus_infinite = 0;      ///< infinite and greater than 0
  std::uint64_t minus_infinite = 0;     ///< infinite and less than 0
  std::optional<double> min;            ///< the smallest finite one; nothing: none is finite
  std::optional<double> max;            ///< the largest finite one

  /// Magnitude of the largest finite one, 0 when none is finite.
  [[nodiscard]] TRTCHECK_API double magnitude() const noexcept;
  friend bool operator==(const MeasuredTensor&, const MeasuredTensor&) = default;  ///< same in everything
};

/// What was measured on a model.
struct Ranges {
  std::string path;                     ///< of the file that it was read from; "" = it was made in memory
  std::string model;                    ///< path of the model, for readers
  std::string graph;                    ///< `graph_id` of the model
  std::uint64_t samples = 0;            ///< runs
  std::uint64_t left_out = 0;           ///< tensors inside of bodies and functions, and of types nobody could read
  std::vector<MeasuredTensor> tensors;  ///< inputs of the network first, then in the order of the graph; names once
};

/// Of the main graph: its operators and the names of their tensors, in order, as 16 hexadecimal digits.
TRTCHECK_API std::string graph_id(const Model& model);

/// @throws Error  the file cannot be read, holds no ranges, or those of a version that is not known here
TRTCHECK_API Ranges read_ranges(const std::string& path);
/// The same of the text of such a file.
/// @param path  for errors; becomes `Ranges::path`
TRTCHECK_API Ranges parse_ranges(std::string_view json, const std::string& path = {});
/// The text of the file.
TRTCHECK_API std::string to_json(const Ranges& ranges);

/// @throws Error  the ranges were measured on another graph; names a tensor that one of both lacks
TRTCHECK_API void check_belongs(const Ranges& ranges, const Model& model);

}  // namespace trtcheck
