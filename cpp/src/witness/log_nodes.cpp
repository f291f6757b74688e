#include "witness/log_nodes.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "explain/printed_line.hpp"
#include "text/lines.hpp"

namespace trtcheck::witness {
namespace {

constexpr std::size_t kMostNodes = 100;

/// What stands between `before` and `after`; "" = they do not stand there.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t begin = text.find(before);
  if (begin == std::string_view::npos) return "";
  const std::size_t from = begin + before.size();
  const std::size_t end = text.find(after, from);
  return end == std::string_view::npos ? "" : text.substr(from, end - from);
}

int number_of(std::string_view word) {
  int number = -1;
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), number);
  return failed == std::errc{} && end == word.data() + word.size() ? number : -1;
}

/// In brackets behind the number: `Conv -> "out"`.
std::string_view output_in(std::string_view line) { return between(line, " -> \"", "\"]"); }

}  // namespace

Said said_in(std::string_view line) {
  Said said{.text = std::string(line)};
  if (const auto number = between(line, "node number ", " "); !number.empty()) {
    said.node = number_of(number);
    said.op_type = between(line, "[", " -> ");
  } else if (const auto node = between(line, "In node ", " "); !node.empty()) {
    said.node = number_of(node);
    said.node_name = between(line, "with name: ", " and operator: ");
    said.op_type = between(line, " and operator: ", " ");
    if (said.op_type.empty()) said.op_type = between(line, "(import", ")");
  } else if (line.find("op_type: \"") != std::string_view::npos || line.starts_with("name: \"")) {
    said.node_name = between(line, "name: \"", "\"");
  }
  return said;
}

std::vector<LogNode> nodes_in_log(const Model& model, std::string_view log) {
  const NodeFinder finder(model);
  rules::Provenances provenances(model);
  std::vector<LogNode> found;
  std::set<std::uint32_t> met;
  for (std::size_t number = 1; !log.empty() && found.size() < kMostNodes; ++number) {
    const PrintedLine line = printed_line(next_line(log));
    const Said said = said_in(line.text);
    const bool is_print = line.text.starts_with("input: ") || line.text.starts_with("output: ");
    if (!line.counts() || (is_print && said.node_name.empty())) continue;
    const NodeId making = finder.making(output_in(line.text));
    const NodeId node = making ? making : finder.find(said);
    if (!node || !met.insert(node.index).second) continue;
    LogNode entry{number, node, {}};
    entry.message.text = std::string(line.text);
    entry.message.matches = rules_for(line.text);
    describe_node(entry.message, model, node, provenances);
    found.push_back(std::move(entry));
  }
  return found;
}

}  // namespace trtcheck::witness
