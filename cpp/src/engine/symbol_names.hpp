// Names that an exporter made up for sizes (`s27`): readers know the axis that they stand for.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include <trtcheck/finding.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck::engine {

class SymbolNames {
 public:
  SymbolNames(const Model& model, const Shapes& shapes);

  /// Puts "(axis 1 of input `ids`)" behind the first use of each such name in message and notes.
  void explain_in(Finding& finding) const;
  /// "s23 is axis 0 of input `ids`, s27 is axis 1 of input `ids`": those that the text uses; "" = none.
  [[nodiscard]] std::string legend(std::string_view text) const;

 private:
  std::unordered_map<std::string_view, std::string> axes_;  ///< "axis 1 of input `ids`"
};

}  // namespace trtcheck::engine
