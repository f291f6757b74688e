// Rows whose columns stand below each other.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace trtcheck {

class Columns {
 public:
  enum class Align : bool { left, right };
  /// A column that is wider than `most` pushes only its own row to the right.
  explicit Columns(std::vector<Align> align, std::size_t most = 60) : align_(std::move(align)), most_(most) {}
  /// @pre `cells` are printable(), one for each column
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// Two blanks between columns and in front, none at the end of a line.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<Align> align_;
  std::size_t most_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace trtcheck
