// Rules as JSON and as lines, for `rules` and `explain` alike.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/messages.hpp>
#include <trtcheck/rule.hpp>

#include "cli/log_nodes_text.hpp"
#include "cli/operator_facts.hpp"
#include "report/style.hpp"

namespace trtcheck::cli {

/// With the rows that were asked for.
[[nodiscard]] std::string json_document(std::span<const Rule* const> rules, std::span<const FactCases> facts = {});
/// The rules, and what leads from each message to which of them. Line 0: the message was given, not read from a log.
/// `nodes`: of a model, that the messages name; nullptr = no model was given.
[[nodiscard]] std::string json_document(std::span<const Rule* const> rules, std::span<const LogMatch> messages,
                                        const NamedNodes* nodes);
/// "CODE severity name: summary" for each.
[[nodiscard]] std::string concise(std::span<const Rule* const> rules);

/// A line for each, as wide as the terminal: what does not fit beside code and name stands below them.
[[nodiscard]] std::string rule_table(std::span<const Rule* const> rules, const report::Style& style, int width);

/// What TensorRT prints when it meets what the rule is about; each text once.
[[nodiscard]] std::vector<std::string_view> texts_of(const Rule& rule);

}  // namespace trtcheck::cli
