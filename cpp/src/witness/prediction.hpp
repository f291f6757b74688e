// What was predicted, and where.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/confirm.hpp>

namespace trtcheck::witness {

class Prediction {
 public:
  /// Of all that a report found, suppressed or not, but for cost and advice.
  explicit Prediction(const Report& report);

  /// Rules that explain the text: those that found something first, then the most specific. In front of them those that
  /// found something about the initializer that it names; where none knows the text, those that did at the node.
  [[nodiscard]] std::vector<MessageMatch> rules_for(std::string_view text, NodeId node) const;

  /// Whether something was found at the node, by a rule that explains the message, or about the initializer in it.
  /// @param node  that the message is about; may be none
  [[nodiscard]] bool speaks_of(const WitnessMessage& message, NodeId node) const;

 private:
  void add(const Finding& finding);
  [[nodiscard]] bool found(const MessageMatch& match) const;

  std::map<const Rule*, std::set<std::string, std::less<>>> rules_;     ///< with the facts that they told
  std::map<std::uint32_t, std::vector<const Rule*>> at_;                ///< by node
  std::map<std::string, std::vector<const Rule*>, std::less<>> about_;  ///< by tensor at fault
};

}  // namespace trtcheck::witness
