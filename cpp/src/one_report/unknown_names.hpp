// Names for sizes that nobody knows before the model runs: "nonzero_1", from 0 to 80.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck::one_report {

struct NamedUnknown {
  std::string name;  ///< the operator in small letters, and a number
  Origin origin;
  NodeId node;  ///< that makes it
};

/// "nonzero_1 in 0..80", "foo_1 >= 0", or the name alone.
[[nodiscard]] std::string bounds_text(const NamedUnknown& unknown);

class UnknownNames {
 public:
  /// Each unknown that a node makes and that a dim of a value holds, in the order of the nodes.
  UnknownNames(const Model& model, const Shapes& shapes);

  [[nodiscard]] const std::vector<NamedUnknown>& all() const noexcept { return all_; }
  /// "2*nonzero_1 + 1"
  [[nodiscard]] std::string text(const Shapes& shapes, Dim dim) const;
  /// "INT64[2,nonzero_1]"
  [[nodiscard]] std::string text(const Shapes& shapes, ValueId id) const;
  /// All unknowns of it have names.
  [[nodiscard]] bool names_all(const Shapes& shapes, Dim dim) const;

 private:
  std::vector<NamedUnknown> all_;
  std::map<std::uint32_t, std::string> names_;  ///< by the number of the unknown
};

}  // namespace trtcheck::one_report
