// What TensorRT asks of operators, release by release, as documents: cpp/data/facts and the support table.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/rule.hpp>
#include <trtcheck/target.hpp>

#include "explain/fact_page.hpp"
#include "facts/fact.hpp"
#include "report/style.hpp"

namespace trtcheck::cli {

/// Releases that follow each other and say the same of an operator.
struct SupportRange {
  TrtVersion first;
  TrtVersion last;
  OpSupport support;
};
[[nodiscard]] std::vector<SupportRange> support_of(std::string_view op);

using FactCases = explain::FactCase;

struct FactStyle {
  report::Style style;
  bool verbose = false;  ///< with conditions as they are written, and sources
};
[[nodiscard]] std::string operators_text(std::span<const std::string_view> ops, const FactStyle& how);
[[nodiscard]] std::string operators_table(std::span<const std::string_view> ops, const report::Style& style);
[[nodiscard]] std::string operators_json(std::span<const std::string_view> ops);
[[nodiscard]] std::string fact_text(const FactCases& fact, const report::Style& style);
/// An object with `ops`.
[[nodiscard]] nlohmann::ordered_json fact_json(const FactCases& fact);

}  // namespace trtcheck::cli
