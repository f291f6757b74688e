// One model against many releases: which of them take it, and what the others object to.
//
//     const trtcheck::Model model = trtcheck::read_model("model.onnx");
//     const trtcheck::Matrix matrix = trtcheck::matrix(trtcheck::Analysis(model), {},
//     trtcheck::parse_releases("8.6..")); std::cout << trtcheck::render({&matrix, 1}, {});
//
// Of a large model, all known releases cost less than twice one of them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/report.hpp>
#include <trtcheck/trtcheck.hpp>

namespace trtcheck {

/// Neighbouring releases of one product with the same answer: same verdict, same deciding findings at the same nodes.
struct MatrixRange {
  TrtVersion first;                      ///< the oldest of them
  TrtVersion last;                       ///< the newest of them; may be the same
  Verdict verdict = Verdict::clean;      ///< of all of them
  std::vector<const Finding*> deciding;  ///< of the newest of them: see deciding_findings()
  std::size_t unlisted = 0;              ///< of the newest of them: see deciding_unlisted()
};

/// The oldest and the newest releases of one product that say at least that much for a model; there may be others
/// between them. Nothing: none does.
struct TakenBy {
  Product product = Product::tensorrt;             ///< whose releases
  std::optional<TrtVersion> oldest_clean{};        ///< the first one with nothing to object to
  std::optional<TrtVersion> newest_clean{};        ///< the last one
  std::optional<TrtVersion> oldest_not_refused{};  ///< the first one that is clean or uncertain
  std::optional<TrtVersion> newest_not_refused{};  ///< the last one
};

/// What each of several releases makes of one model.
struct Matrix {
  std::string path;             ///< "" = model from memory
  std::size_t node_count = 0;   ///< of all graphs
  std::vector<Report> reports;  ///< one for each release asked, in the order in which they were asked for

  /// `reports` with neighbours put together. Valid as long as `reports` stays as it is.
  [[nodiscard]] TRTCHECK_API std::vector<MatrixRange> ranges() const;
  /// One for each product that was asked, TensorRT first.
  [[nodiscard]] TRTCHECK_API std::vector<TakenBy> taken_by() const;
};

/// The errors of a model that is refused, the warnings of one that is uncertain, consequences left out; none of a clean
/// one. Of several with one cause (`Finding::group`) the first.
TRTCHECK_API std::vector<const Finding*> deciding_findings(const Report& report);

/// How many findings of the severity that decides are counted only (`Report::unlisted`).
TRTCHECK_API std::size_t deciding_unlisted(const Report& report) noexcept;

/// Findings of one rule and severity that a matrix lists for each release at most, unless
/// `CheckOptions::most_of_a_rule` is 0: there are many releases.
inline constexpr std::size_t kMostOfARuleInMatrix = 200;

/// @param options  the release of its target does not count
/// @throws Error  an option makes no sense
TRTCHECK_API Matrix matrix(const Analysis& analysis, const CheckOptions& options, std::span<const TrtVersion> releases);

/// Ends in a newline. JSON follows data/matrix.schema.json.
/// @throws Error  a matrix has no such format (there are full, json, markdown and html)
TRTCHECK_API std::string render(std::span<const Matrix> matrices, const RenderOptions& options);

}  // namespace trtcheck
