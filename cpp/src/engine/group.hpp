// Which findings have one cause.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>

#include <trtcheck/finding.hpp>
#include <trtcheck/model.hpp>

namespace trtcheck::engine {

/// Makes `Finding::group` of rule, fact, severity, certainty and the reason: that which the rule has put there, else
/// the message, the chain of reasons and the fix, in which names of nodes and tensors are masked and numbers count. Two
/// convolutions with different mistakes have different repairs.
class Groups {
 public:
  explicit Groups(const Model& model) noexcept : model_(&model) {}
  /// @pre the finding is complete
  void add_to(Finding& finding);

 private:
  [[nodiscard]] std::string masked(const Finding& finding, std::string_view text);
  [[nodiscard]] bool is_name(const Finding& finding, std::string_view word);
  [[nodiscard]] bool is_name_elsewhere(std::string_view word);

  const Model* model_;
  std::unordered_set<std::string_view> names_;  ///< of all nodes and tensors; made when first asked
  std::deque<std::string> labels_;              ///< of nodes without a name
};

}  // namespace trtcheck::engine
