// trtcheck: will this ONNX model convert to a TensorRT engine, and if not, why and what to do?
//
//     #include <trtcheck/trtcheck.hpp>
//
//     trtcheck::Report report = trtcheck::check("model.onnx", {});
//     if (report.verdict() == trtcheck::Verdict::refused) {
//       std::cerr << trtcheck::render({&report, 1}, {.color = true});
//     }
//
// Neither TensorRT nor a GPU is needed. Large weights are read only for FP16, or when `read_weights` asks for it.
// `check` is a pure function and may be called from several threads at once.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <trtcheck/check_options.hpp>
#include <trtcheck/dim.hpp>
#include <trtcheck/error.hpp>
#include <trtcheck/export.hpp>
#include <trtcheck/finding.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/neighbourhood.hpp>
#include <trtcheck/report.hpp>
#include <trtcheck/rule.hpp>
#include <trtcheck/shapes.hpp>
#include <trtcheck/target.hpp>
#include <trtcheck/version.hpp>

namespace trtcheck {

/// A model to be checked against several targets: shapes depend on the profile alone, so they are inferred once for all
/// targets that have the same one.
///
///     const trtcheck::Model model = trtcheck::read_model("model.onnx");
///     const trtcheck::Analysis analysis(model);
///     for (const trtcheck::TrtVersion release : trtcheck::known_releases()) {
///       trtcheck::CheckOptions options;
///       options.target.release = release;
///       const trtcheck::Report report = check(analysis, options);
///     }
///
/// Checks of one analysis run one after the other, whatever thread asks; use one analysis for each thread.
class TRTCHECK_API Analysis {
 public:
  explicit Analysis(const Model& model);            ///< borrows the model
  explicit Analysis(const Model&& model) = delete;  ///< which would not live long enough
  Analysis(Analysis&&) noexcept;                    ///< shapes stay where they are
  Analysis& operator=(Analysis&&) noexcept;         ///< shapes of the other stay where they are
  ~Analysis();

  [[nodiscard]] const Model& model() const noexcept;  ///< as it was given
  /// What a check for the target goes by; inferred when it is first asked for. Not while another thread checks.
  /// @throws Error  the profile of the target does not fit the model
  [[nodiscard]] const Shapes& shapes(const Target& target = {}) const;

 private:
  friend TRTCHECK_API Report check(const Analysis& analysis, const CheckOptions& options);
  friend TRTCHECK_API std::vector<Report> check(const Analysis& analysis, const CheckOptions& options,
                                                std::span<const TrtVersion> releases);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// @throws Error  an option makes no sense
TRTCHECK_API Report check(const Analysis& analysis, const CheckOptions& options);
/// One report for each release, the same as a check for each; the release of `options.target` does not count. What
/// releases have in common is looked at once: of a large model, all known releases cost less than twice one of them.
/// @throws Error  an option makes no sense
TRTCHECK_API std::vector<Report> check(const Analysis& analysis, const CheckOptions& options,
                                       std::span<const TrtVersion> releases);
/// @throws Error  the file cannot be read, or an option makes no sense (unknown code, profile of an unknown input)
TRTCHECK_API Report check(const std::string& path, const CheckOptions& options);
/// Borrows `bytes` for the time of the call. `base_dir`: where external data would be ("" = unresolved).
TRTCHECK_API Report check(std::span<const std::byte> bytes, const CheckOptions& options,
                          const std::string& base_dir = {});
TRTCHECK_API Report check(const Model& model, const CheckOptions& options);

}  // namespace trtcheck
