// Names for values that are new in a model.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include <trtcheck/model.hpp>

namespace trtcheck::edit {

class Names {
 public:
  explicit Names(const Model& model);
  /// "base", or "base_1", ...: no value of any graph has it, and nobody was given it before.
  [[nodiscard]] std::string fresh(std::string_view base);

 private:
  std::unordered_set<std::string> taken_;
};

}  // namespace trtcheck::edit
