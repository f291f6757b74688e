// The smallest part of a model that still has a finding: for a bug report, or to see what is to blame.
//
//     trtcheck::ReduceOptions options;
//     options.finding = "OPS401@/backbone/Pad";
//     const trtcheck::Reduced small = trtcheck::reduce("model.onnx", options);
//     small.write("small.onnx");
//
// Nodes, then inputs and outputs, then attributes are taken away as long as the finding stays; at last weights are
// replaced. All of that happens in memory. No step may bring an error that the model did not have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/check_options.hpp>
#include <trtcheck/edit.hpp>
#include <trtcheck/export.hpp>
#include <trtcheck/extract.hpp>
#include <trtcheck/finding.hpp>
#include <trtcheck/report.hpp>

namespace trtcheck {

/// What becomes of the weights.
enum class ReducedWeights : std::uint8_t {
  random,  ///< others of the same type and shape; what is positive stays positive
  zero,    ///< zeros; what is positive becomes 1
  keep,    ///< they stay
};
TRTCHECK_API std::string_view to_string(ReducedWeights weights) noexcept;
/// @throws Error  there is no such word
TRTCHECK_API ReducedWeights parse_reduced_weights(std::string_view name);

/// Whether a smaller model still shows it. Gets the path of a file, in a folder of its own, with all weights in it.
using ReduceJudge = std::function<bool(const std::string& path)>;

/// What is looked for, and how far to go.
struct ReduceOptions {
  CheckOptions check;  ///< as for `check`
  /// "OPS401", "OPS401:pad-mode", "pad-mode", each also with "@" and the label of a node; "" = only the judge counts.
  std::string finding;
  /// A shell command that says whether a model still shows it: exit code 0. `{}` in it is the path of the model; where
  /// there is none, the path is appended. "" = none.
  std::string command;
  double timeout = 60;                              ///< seconds for one run of the command; 0 = none
  ReduceJudge judge{};                              ///< the same as a function; has to agree too
  ReducedWeights weights = ReducedWeights::random;  ///< what becomes of them
  bool anonymous = false;             ///< names, strings, metadata and documentation are replaced or taken away
  std::function<bool()> cancelled{};  ///< asked before each step; true = the smallest model so far is the result
};

/// A small model that still has the finding. Nothing is written until `write`.
class TRTCHECK_API Reduced {
 public:
  Reduced(Reduced&&) noexcept;             ///< references stay valid
  Reduced& operator=(Reduced&&) noexcept;  ///< references of the other stay valid
  ~Reduced();

  [[nodiscard]] const Report& report() const noexcept;      ///< of the small model
  [[nodiscard]] const Finding* finding() const noexcept;    ///< that was looked for; nullptr: only the judge counted
  [[nodiscard]] const PartCounts& before() const noexcept;  ///< what is in the model
  [[nodiscard]] const PartCounts& after() const noexcept;   ///< what is in the small model
  [[nodiscard]] std::size_t steps() const noexcept;         ///< models that were looked at
  [[nodiscard]] bool is_partial() const noexcept;           ///< `cancelled` ended it
  [[nodiscard]] std::span<const std::string> nodes() const noexcept;  ///< of the main graph, as ONNX text
  [[nodiscard]] std::span<const std::string> notes() const noexcept;  ///< what could not be done, one line each
  [[nodiscard]] std::uint64_t size() const noexcept;                  ///< of the file, without external data

  /// Writes the small model. A file that is there is replaced once all of the new one is written.
  /// @throws Error  cannot write; the model was written to since it was read; external data is missing or out of reach
  void write(const std::string& output, edit::DataPlace data = edit::DataPlace::kept) const;
  /// The small model in memory. @throws Error  the model was written to since it was read
  [[nodiscard]] std::string bytes() const;
  /// Writes a folder for a bug report: model.onnx, finding.txt, finding.json, environment.txt and issue.md.
  /// @param versions  of what else is installed, a line each: "torch 2.9.0"
  /// @throws Error  cannot write
  void write_report(const std::string& folder, std::span<const std::string> versions = {}) const;

 private:
  friend struct ReducedAccess;
  struct Impl;
  explicit Reduced(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

/// @throws Error  the file cannot be read; an option makes no sense; the model does not have the finding (the message
///                names those that it has), or the judge says no of the model itself
[[nodiscard]] TRTCHECK_API Reduced reduce(const std::string& path, const ReduceOptions& options);
/// Of a model in memory, which must outlive the result. `base_dir`: where external data would be.
[[nodiscard]] TRTCHECK_API Reduced reduce(std::span<const std::byte> model, const ReduceOptions& options,
                                          const std::string& base_dir = {});

}  // namespace trtcheck
