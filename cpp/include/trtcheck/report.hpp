// A checked model and its rendering.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/finding.hpp>
#include <trtcheck/target.hpp>

namespace trtcheck {

enum class Verdict : std::uint8_t {
  clean,      ///< nothing found that would stop or change the conversion
  uncertain,  ///< something unproved that may refuse
  refused,    ///< an error: TensorRT will not take it
};
TRTCHECK_API std::string_view to_string(Verdict verdict) noexcept;

/// A finding that the user does not want to hear of.
struct Suppressed {
  enum class By : std::uint8_t { model, node, settings, baseline };  ///< metadata of model or node, per-node-ignores
  Finding finding;
  By by = By::settings;
  std::string reason;  ///< as the user wrote it; "" = none given
};
TRTCHECK_API std::string_view to_string(Suppressed::By by) noexcept;

/// One model's findings, sorted: errors first, then by place in the model, then code.
struct Report {
  std::string path;  ///< "" = model from memory
  Target target;
  std::vector<Finding> findings;
  std::size_t node_count = 0;
  std::size_t suppressed = 0;  ///< findings left out, by select/ignore and all that is in `suppressions`
  std::vector<Suppressed> suppressions;
  std::vector<std::string> unmatched;  ///< options that had nothing to do in this model, one line each

  /// refused with an error; uncertain with a warning (counted with consequences); else clean.
  [[nodiscard]] TRTCHECK_API Verdict verdict() const noexcept;
  [[nodiscard]] TRTCHECK_API std::size_t count(Severity severity) const noexcept;
};

enum class Format : std::uint8_t { full, concise, json };

struct RenderOptions {
  Format format = Format::full;
  bool color = false;
  int width = 100;      ///< columns for wrapping notes
  bool summary = true;  ///< `full`: a line for each model and one for all; false = findings only
};

/// All reports as one document, ending in a newline. JSON follows data/report.schema.json.
TRTCHECK_API std::string render(std::span<const Report> reports, const RenderOptions& options);
/// A self-contained HTML fragment for notebooks; every text is escaped.
TRTCHECK_API std::string render_html(const Report& report);

}  // namespace trtcheck
