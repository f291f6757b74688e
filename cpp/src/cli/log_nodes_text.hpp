// The nodes of a model that a log names, for `trtcheck explain --model`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/style.hpp"

namespace trtcheck::cli {

/// What a log or messages say of one model, with what a check finds at the nodes.
class NamedNodes {
 public:
  /// @param has_lines  the text is a log: its lines are counted
  /// @throws Error  the model cannot be read
  NamedNodes(const std::string& path, std::string_view text, bool has_lines);
  ~NamedNodes();

  [[nodiscard]] bool empty() const noexcept { return nodes_.empty(); }
  [[nodiscard]] std::string text(const report::Style& style) const;
  /// An entry for each node: line, node, op_type, graph, module, source, library, findings.
  [[nodiscard]] nlohmann::ordered_json json() const;

 private:
  struct Named;
  std::string path_;
  bool has_lines_;
  std::vector<Named> nodes_;
};

}  // namespace trtcheck::cli
