#include "text/columns.hpp"

#include <algorithm>

#include "text/printable.hpp"

namespace trtcheck {

std::string Columns::text() const {
  std::vector<std::size_t> width(align_.size(), 0);
  for (const std::vector<std::string>& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], std::min(display_width(row[i]), most_));
  }
  std::string out;
  for (const std::vector<std::string>& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t taken = display_width(row[i]);
      const std::string blanks(width[i] > taken ? width[i] - taken : 0, ' ');
      line.append("  ").append(align_[i] == Align::right ? blanks + row[i] : row[i] + blanks);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out.append(line).append("\n");
  }
  return out;
}

}  // namespace trtcheck
