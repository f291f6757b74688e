// All that the metadata of one model says about suppressing.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/report.hpp>

#include "engine/selection.hpp"
#include "suppress/suppress.hpp"

namespace trtcheck {

class MetadataIgnores {
 public:
  explicit MetadataIgnores(const Model& model);
  [[nodiscard]] bool empty() const noexcept { return ignores_.empty() && mistakes_.empty(); }
  /// Marks every entry that matches as used.
  [[nodiscard]] std::optional<SuppressedBecause> why(const Finding& finding);
  /// Mistakes, and what was not used although a rule of it is selected: rule, node, message and fix only.
  [[nodiscard]] std::vector<Finding> findings(const engine::Selection& selection) const;

 private:
  struct Ignore {  ///< one rule of one entry
    NodeId node;   ///< none: the whole model
    std::string_view rule;
    std::string_view reason;
    bool used = false;
  };
  void read(NodeId node, std::span<const StringPair> metadata);
  void add(NodeId node, std::string_view text);
  [[nodiscard]] std::optional<SuppressedBecause> why_at(NodeId node, const Finding& finding);
  [[nodiscard]] std::vector<const Ignore*> unused() const;

  const Model* model_;
  std::vector<Ignore> ignores_;  ///< in order of their nodes, those of the model last
  std::vector<std::pair<NodeId, std::string>> mistakes_;
  std::size_t rules_ = 0;  ///< named, all together
};

}  // namespace trtcheck
