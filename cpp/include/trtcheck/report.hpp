// A checked model and its rendering.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/finding.hpp>
#include <trtcheck/target.hpp>
#include <trtcheck/unlisted.hpp>

namespace trtcheck {

enum class Verdict : std::uint8_t {
  clean,      ///< nothing found that would stop or change the conversion
  uncertain,  ///< something unproved that may refuse
  refused,    ///< an error: TensorRT will not take it
};
TRTCHECK_API std::string_view to_string(Verdict verdict) noexcept;

/// A finding that the user does not want to hear of.
struct Suppressed {
  /// Who asked for it.
  enum class By : std::uint8_t { model, node, settings, baseline };  ///< metadata of model or node, per-node-ignores
  Finding finding;                                                   ///< as it would have been reported
  By by = By::settings;                                              ///< who asked for it
  std::string reason;                                                ///< as the user wrote it; "" = none given
};
TRTCHECK_API std::string_view to_string(Suppressed::By by) noexcept;

/// Findings that share a `Finding::group`, in the order of the report; never empty.
using FindingGroup = std::vector<const Finding*>;

/// One model's findings, sorted: errors first, then by place in the model, then code.
struct Report {
  std::string path;                      ///< "" = model from memory
  Target target;                         ///< that was checked for
  std::vector<Finding> findings;         ///< first cause first; what follows from one stands in it
  std::vector<Unlisted> unlisted;        ///< what was found beyond `findings`; empty unless there are very many
  std::size_t node_count = 0;            ///< of all graphs
  std::size_t suppressed = 0;            ///< findings left out, by select/ignore and all that is in `suppressions`
  std::vector<Suppressed> suppressions;  ///< left out on purpose, each with its reason
  std::vector<std::string> unmatched;    ///< options that had nothing to do in this model, one line each

  /// refused with an error; uncertain with a warning (counted with consequences, and what is not listed); else clean.
  [[nodiscard]] TRTCHECK_API Verdict verdict() const noexcept;
  /// Findings of that severity; consequences and what is not listed included.
  [[nodiscard]] TRTCHECK_API std::size_t count(Severity severity) const noexcept;
  /// `findings` by cause, each group in the place of its first one. Valid as long as `findings` stays as it is.
  [[nodiscard]] TRTCHECK_API std::vector<FindingGroup> groups() const;
};

enum class Format : std::uint8_t { full, concise, json, jsonl, sarif, github, gitlab, junit, markdown, html };
/// What a format is called wherever one is chosen. The only list of them: options, completions and Python print it.
struct FormatName {
  Format format;             ///< as render accepts it
  std::string_view name;     ///< as people write it
  std::string_view summary;  ///< a few words
};
/// All formats, in the order of the enumeration.
TRTCHECK_API std::span<const FormatName> formats() noexcept;
TRTCHECK_API std::string_view to_string(Format format) noexcept;
/// @throws Error  there is no such format
TRTCHECK_API Format parse_format(std::string_view name);

/// A model that was to be checked and could not be read: CI must not take its silence for health.
struct Failure {
  std::string path;   ///< of the model
  std::string cause;  ///< `Error::cause`
};

/// Options never come from the environment: the same reports and options give the same bytes.
struct RenderOptions {
  Format format = Format::full;  ///< of the document
  bool color = false;            ///< `full` and `concise`
  int width = 100;               ///< columns of `full`
  bool summary = true;           ///< `full`: a line for each model and one for all; false = findings only
  /// Every finding by itself. Else `full`, `concise`, `github`, `markdown` and `html` tell those of one cause as one.
  bool show_all = false;
  bool statistics = false;      ///< `full`, `concise` and `json`: how often each rule was broken, after the findings
  std::string rule_pages = {};  ///< codes link to this + "<name>.html"; "" = no links. SARIF accepts web addresses only
  std::string folder = {};      ///< where relative paths start; "" = unknown
  std::string root = {};        ///< of the repository: what is below it is named relative to it; "" = `folder`
  /// `junit`: of each report, the least severity of a failed test; nothing = none fails. Error where the list ends.
  std::span<const std::optional<Severity>> fails_from = {};
  std::span<const Failure> failures = {};  ///< in every format: with one of them, the document is not whole
};

/// All reports as one document, ending in a newline. JSON follows data/report.schema.json.
/// @throws Error  the library was built without this format (TRTCHECK_BUILD_DOCUMENTS)
TRTCHECK_API std::string render(std::span<const Report> reports, const RenderOptions& options);
/// A self-contained HTML fragment for notebooks; every text is escaped.
/// @throws Error  the library was built without HTML
TRTCHECK_API std::string render_html(const Report& report);

}  // namespace trtcheck
