#include "cli/simplify_text.hpp"

#include <map>

#include <fmt/format.h>

#include "cli/changed_model.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string change_text(const Simplification& one, const report::Style& style, bool shows_nodes) {
  const std::string out = fmt::format("  {}{}\n    {} ({})\n", style.bold(one.name), place_text(one.op_type, one.node),
                                      style.remedy(printable(one.title)), to_string(one.kind));
  return shows_nodes ? out + changed_lines(one.before, one.after, style) : out;
}

/// How many of each kind, most first named by the kind.
std::string kinds_text(const Simplified& simplified, const report::Style& style) {
  std::map<std::string_view, std::size_t> counts;
  for (const Simplification& one : simplified.applied()) ++counts[one.name];
  std::string out;
  for (const auto& [name, count] : counts) out += fmt::format("  {}: {}\n", style.bold(std::string(name)), count);
  return out;
}

Json lines_json(std::span<const std::string> lines) {
  Json list = Json::array();
  for (const std::string& line : lines) list.push_back(valid_utf8(line));
  return list;
}

Json model_counts_json(const ModelCounts& counts) {
  return {{"nodes", counts.nodes},
          {"shapes", counts.shapes},
          {"constants", counts.constants},
          {"bytes", counts.file_bytes}};
}

}  // namespace

std::string simplify_text(const SimplifiedFile& file, const report::Style& style, Detail detail) {
  const Simplified& simplified = file.simplified;
  const ModelCounts& before = simplified.before();
  const ModelCounts& after = simplified.after();
  std::string out =
      fmt::format("{}: {}\n", style.bold(printable(file.path)), counted(simplified.applied().size(), "change"));
  if (detail == Detail::counts) {
    out += kinds_text(simplified, style);
  } else {
    for (const Simplification& one : simplified.applied()) out += change_text(one, style, detail == Detail::nodes);
  }
  for (const std::string& line : simplified.left()) out += fmt::format("left as it is: {}\n", printable(line));
  out += fmt::format("before: {}, {} of them Shape\nafter: {}, {} of them Shape\n", counted(before.nodes, "node"),
                     before.shapes, counted(after.nodes, "node"), after.shapes);
  return out + outcome_text(file.output, simplified.is_changed()) + "\n";
}

nlohmann::ordered_json simplify_json(const SimplifiedFile& file) {
  Json applied = Json::array();
  for (const Simplification& one : file.simplified.applied()) {
    applied.push_back({{"name", one.name},
                       {"class", to_string(one.kind)},
                       {"title", valid_utf8(one.title)},
                       {"node", text_or_null(one.node)},
                       {"op_type", text_or_null(one.op_type)},
                       {"graph", text_or_null(one.graph)},
                       {"before", lines_json(one.before)},
                       {"after", lines_json(one.after)},
                       {"pass", one.pass}});
  }
  return {{"path", valid_utf8(file.path)},
          {"output", text_or_null(file.output)},
          {"before", model_counts_json(file.simplified.before())},
          {"after", model_counts_json(file.simplified.after())},
          {"applied", std::move(applied)},
          {"left", lines_json(file.simplified.left())}};
}

}  // namespace trtcheck::cli
