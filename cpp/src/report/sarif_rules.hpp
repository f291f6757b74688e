// The rules of a SARIF run: those that it reports, sorted by code.
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

class SarifRules {
 public:
  explicit SarifRules(std::span<const Report> reports);
  /// @pre the rule is that of a finding or a suppressed finding of the reports
  [[nodiscard]] std::size_t index(const Rule& rule) const;
  /// reportingDescriptor objects (SARIF 2.1.0, 3.49).
  [[nodiscard]] nlohmann::ordered_json descriptors(std::string_view rule_pages) const;

 private:
  std::vector<const Rule*> rules_;
};

}  // namespace trtcheck::report
