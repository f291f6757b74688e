// The rules of a SARIF run: those that it reports, sorted by code. A fact is a rule of its own: "OPS401/pad-mode".
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/report.hpp>

namespace trtcheck::report {

[[nodiscard]] std::string_view sarif_level(Severity severity) noexcept;
/// "WGT101", "OPS401/pad-mode" (SARIF 2.1.0, 3.27.5).
[[nodiscard]] std::string sarif_rule_id(const Rule& rule, std::string_view fact);

class SarifRules {
 public:
  explicit SarifRules(std::span<const Report> reports);
  /// @pre the finding is one of the reports, or suppressed in them
  [[nodiscard]] std::size_t index(const Finding& finding) const;
  /// reportingDescriptor objects (SARIF 2.1.0, 3.49).
  [[nodiscard]] nlohmann::ordered_json descriptors(std::string_view rule_pages) const;

 private:
  struct Entry {
    const Rule* rule;
    std::string_view fact;  ///< "" = the rule tells one
  };
  static bool before(const Entry& a, const Entry& b) noexcept;

  std::vector<Entry> rules_;
};

}  // namespace trtcheck::report
