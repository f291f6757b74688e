// From what TensorRT prints to the rules that explain it.
//
//     for (const trtcheck::MessageMatch& match :
//          trtcheck::rules_for("kernel weights has count 1474560 but 737280 was expected")) {
//       std::cout << match.rule->code << " " << match.rule->name << "\n";   // WGT101 grouped-conv-unknown-channels,
//       ...
//     }
//
// A message is recognised by its words: punctuation, letter case and numbers do not count, the parts marked `*` in the
// text of the rule match anything, and text around it (file, line, node) is skipped. A part of a message is enough.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/rule.hpp>

namespace trtcheck {

/// A text that TensorRT prints when it meets what a rule is about.
struct KnownMessage {
  const Rule* rule = nullptr;  ///< never null
  std::string_view text;       ///< `*` for what varies
  std::string_view op_type;    ///< the operator whose importer prints it; "" = any
  std::string_view fact;       ///< id of the fact that it belongs to, "pad-mode"; "" = the rule tells none
};

/// All texts: those of `Rule::messages` and those of the facts, by rule; each once for a rule, an operator and a fact.
TRTCHECK_API std::vector<KnownMessage> known_messages();

/// A rule that explains a message.
struct MessageMatch {
  const Rule* rule = nullptr;                ///< never null
  std::string_view text;                     ///< what was recognised, `*` for what varies
  std::string_view op_type;                  ///< the operator whose importer prints it; "" = any, or several
  std::size_t words = 0;                     ///< how many words agree; more = more specific
  std::vector<std::string_view> facts = {};  ///< ids of the facts that explain it, of rules that tell several
};

/// Rules that explain the message, the most specific first, one entry for each rule. Empty: no rule knows it.
TRTCHECK_API std::vector<MessageMatch> rules_for(std::string_view message);

/// A line of a log that some rule explains.
struct LogMatch {
  std::size_t line = 0;               ///< counted from 1
  std::string message;                ///< the line, without time stamp and severity
  std::vector<MessageMatch> matches;  ///< never empty; the most specific first
};

/// The lines of a log of trtexec or TensorRT that some rule explains, in order. Verbose and info lines are passed over,
/// as is a message that was met before.
TRTCHECK_API std::vector<LogMatch> rules_for_log(std::string_view log);

}  // namespace trtcheck
