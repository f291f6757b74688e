// Repairs a model: for each finding that has a cure, the file is changed, read and checked again, and what did not help
// is taken back. Weights are not moved.
//
//     trtcheck::FixOptions options;
//     options.check.target.release = trtcheck::parse_release("10.13");
//     const trtcheck::Fixed fixed = trtcheck::fix("model.onnx", options);
//     if (fixed.is_changed()) const trtcheck::Report report = fixed.write("mended.onnx");
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/check_options.hpp>
#include <trtcheck/cure.hpp>
#include <trtcheck/edit.hpp>
#include <trtcheck/export.hpp>
#include <trtcheck/finding.hpp>
#include <trtcheck/neighbourhood.hpp>
#include <trtcheck/parts.hpp>
#include <trtcheck/report.hpp>
#include <trtcheck/sizes.hpp>

namespace trtcheck {

/// What to repair, and how far to go.
struct FixOptions {
  CheckOptions check;                                                      ///< as for `check`
  std::vector<CureClass> classes{CureClass::proven, CureClass::rounding};  ///< which cures may be applied
  std::vector<std::string> cures;                                          ///< names of cures; empty = all
  std::size_t rounds = 10;           ///< a cure may bring out what the next one is for
  std::vector<NamedAxis> dynamic{};  ///< axes that become dynamic before anything is repaired
  /// Dims that become numbers after that; what depended on them is then simplified, as `simplify` does it.
  std::vector<StaticSize> sizes{};
};

/// A repair that was made, or would be made; or a change of sizes that was asked for, without a finding.
struct AppliedCure {
  std::string cure;                      ///< name of the cure; "axis-made-dynamic", "size-pinned", "simplified"
  CureClass kind;                        ///< what it promises here
  std::string title;                     ///< what was done: "Cast `c1` before input 1"
  std::string code;                      ///< of the finding; "" = none
  std::string fact;                      ///< of the finding
  std::string message;                   ///< of the finding
  std::string node;                      ///< label of the node, as the model had it; "" = the whole model
  std::string op_type;                   ///< of that node
  std::string graph;                     ///< of that node
  std::optional<SourceLocation> source;  ///< line of the PyTorch program that made the node
  std::vector<std::string> before;       ///< nodes that were taken away or changed, as ONNX text
  std::vector<std::string> after;        ///< what stands there now
  std::size_t round = 1;                 ///< in which it was made
  /// The graph around the node, where `CheckOptions::neighbourhoods` asked for it; else, and beyond the 100th, empty.
  Neighbourhood before_picture{};
  Neighbourhood after_picture{};  ///< around what stands there now
};

/// A finding that is left.
struct LeftFinding {
  std::string code;                       ///< of the finding
  std::string fact;                       ///< of the finding
  std::string message;                    ///< of the finding
  std::string node;                       ///< label of the node
  Severity severity = Severity::warning;  ///< of the finding
  std::string reason;  ///< "no cure is known", "`x` is of class choice: ask for it with --class choice"
  std::string cure;    ///< that would be made if its class were asked for; "" = none
};

/// What `fix` made of a model. The file is as it was until `write`.
class TRTCHECK_API Fixed {
 public:
  Fixed(Fixed&&) noexcept;             ///< spans stay valid
  Fixed& operator=(Fixed&&) noexcept;  ///< spans of the other stay valid
  ~Fixed();

  [[nodiscard]] const Report& before() const noexcept;                  ///< of the model as it was
  [[nodiscard]] const Report& after() const noexcept;                   ///< of the repaired model
  [[nodiscard]] std::span<const AppliedCure> applied() const noexcept;  ///< in the order in which they were made
  [[nodiscard]] std::span<const LeftFinding> left() const noexcept;     ///< errors and warnings that remain
  [[nodiscard]] bool is_changed() const noexcept;                       ///< something was applied
  [[nodiscard]] std::uint64_t size() const noexcept;                    ///< of the repaired file, in bytes

  /// Writes the repaired model. The file is read and checked again where it lies before it replaces the old one.
  /// Nothing was applied: a copy.
  /// @param data  where the data of tensors goes; by default external data stays where it is
  /// @returns what the check of the written file says
  /// @throws Error  cannot write; the model was written to since it was read; external data would be out of reach, is
  ///                missing or too short
  [[nodiscard]] Report write(const std::string& output, edit::DataPlace data = edit::DataPlace::kept) const;
  /// The repaired model in memory. @throws Error  it is larger than memory
  [[nodiscard]] std::string bytes() const;
  /// The same for who holds the weights: where `raw_data` is one of these ranges of the model that was given, `mark`
  /// and the number of the range stand there instead ("mark0", "mark1" ...).
  /// @param weights  sorted, and apart from each other
  [[nodiscard]] std::string bytes_without(std::span<const ByteRange> weights, std::string_view mark) const;

 private:
  friend struct FixedAccess;
  struct Impl;
  explicit Fixed(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

/// @throws Error  the file cannot be read, an option makes no sense, or sizes that were asked for cannot be
[[nodiscard]] TRTCHECK_API Fixed fix(const std::string& path, const FixOptions& options = {});
/// Of a model in memory, which must outlive the result. `base_dir`: where external data would be.
[[nodiscard]] TRTCHECK_API Fixed fix(std::span<const std::byte> bytes, const FixOptions& options = {},
                                     const std::string& base_dir = {});
/// Of a model that lies in several places of memory, which must outlive the result.
[[nodiscard]] TRTCHECK_API Fixed fix(const Parts& parts, const FixOptions& options = {},
                                     const std::string& base_dir = {});

}  // namespace trtcheck
