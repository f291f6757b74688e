// Which findings have one cause.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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
  /// Hashes of the names of all nodes and tensors, sorted; made when first asked. That two texts share one merely puts
  /// two findings beside each other.
  std::vector<std::size_t> names_;
};

}  // namespace trtcheck::engine
