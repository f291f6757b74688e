// Sizes of what pieces are fed.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <trtcheck/target.hpp>

namespace trtcheck::partitioning {

struct Asked;
class Sizes;

class PieceProfile {
 public:
  /// Dynamic inputs of a piece of the main graph.
  void add(const Asked& asked, const Sizes& sizes, const std::vector<std::uint32_t>& positions);
  /// Those of another graph. Of several values with one name the first counts, as in the option of the provider.
  void add(const PieceProfile& other);

  [[nodiscard]] const std::vector<ProfileInput>& inputs() const noexcept { return inputs_; }
  /// Inputs whose sizes are not known, or that cannot be written.
  [[nodiscard]] const std::vector<std::string>& unknown() const noexcept { return unknown_; }

 private:
  std::set<std::string> seen_;
  std::vector<ProfileInput> inputs_;
  std::vector<std::string> unknown_;
};

}  // namespace trtcheck::partitioning
