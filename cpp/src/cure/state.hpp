// A model in the course of its repair: which pieces of the file it is made of, what it is, what is wrong with it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <trtcheck/trtcheck.hpp>

#include "bytes/readable.hpp"
#include "edit/pieces.hpp"

namespace trtcheck::cure {

/// Where the bytes come from that were not changed.
struct SourceFile {
  Readable file;
  std::string base_dir;  ///< where external data is
  /// Set when a read failed, whoever caught that: it says nothing of a repair that was tried.
  std::shared_ptr<bool> has_failed{};
};

/// The same file, which notes that a read failed.
[[nodiscard]] SourceFile watched(Readable file, std::string base_dir);

/// What findings of two models are told apart by: positions and labels of nodes shift, names of values do not.
struct Key {
  std::string text;  ///< rule, fact, and the value that the node makes
  Severity severity = Severity::warning;
};

/// The model that the pieces are. @throws Error  they are none
/// @pre both outlive it
[[nodiscard]] Model model_of(const SourceFile& source, const edit::Pieces& pieces, const Limits& limits);

class State {
 public:
  /// Reads and checks it.
  /// @throws Error  the pieces are no model; options that make no sense
  /// @pre the file outlives it
  State(const SourceFile& origin, edit::Pieces pieces, const CheckOptions& options);
  /// The model reads weights of the pieces.
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  [[nodiscard]] const edit::Pieces& pieces() const noexcept { return pieces_; }
  [[nodiscard]] const Model& model() const noexcept { return *model_; }
  [[nodiscard]] const Shapes& shapes() const { return analysis_->shapes(target_); }
  [[nodiscard]] const Report& report() const noexcept { return report_; }
  /// Consequences too, each by itself; those that nobody is shown are not among them.
  [[nodiscard]] std::span<const Finding* const> findings() const noexcept { return findings_; }
  [[nodiscard]] Key key(const Finding& finding) const;
  /// Values of all graphs by their name; of several with one name the first.
  [[nodiscard]] ValueId value(std::string_view name) const;

 private:
  edit::Pieces pieces_;
  Target target_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Analysis> analysis_;
  Report report_;
  std::vector<const Finding*> findings_;
  std::unordered_map<std::string_view, ValueId> values_;
};

}  // namespace trtcheck::cure
