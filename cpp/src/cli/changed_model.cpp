#include "cli/changed_model.hpp"

#include <fmt/format.h>

#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::cli {

std::string place_text(const std::string& op_type, const std::string& node) {
  return node.empty() ? "" : fmt::format(" at {} `{}`", printable(op_type), printable(node));
}

std::string changed_lines(std::span<const std::string> before, std::span<const std::string> after,
                          const report::Style& style) {
  std::string out;
  for (const std::string& line : before) out += fmt::format("    {}\n", style.severity(Severity::error, "- " + line));
  for (const std::string& line : after) out += fmt::format("    {}\n", style.remedy("+ " + line));
  return out;
}

std::string outcome_text(const std::string& output, bool is_changed) {
  if (!output.empty()) return "written to " + printable(output);
  return is_changed ? "nothing is written" : "nothing to write: the model stays as it is";
}

nlohmann::ordered_json text_or_null(const std::string& text) {
  return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(valid_utf8(text));
}

std::string counts_text(const PartCounts& counts) {
  return fmt::format("{}, {} of {}", counted(counts.nodes, "node"), counted(counts.weights, "weight"),
                     counted(counts.weight_bytes, "byte"));
}

nlohmann::ordered_json counts_json(const PartCounts& counts) {
  return {{"nodes", counts.nodes},
          {"weights", counts.weights},
          {"weight_bytes", counts.weight_bytes},
          {"functions", counts.functions}};
}

}  // namespace trtcheck::cli
