#include "shapes/why_unknown.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

namespace trtcheck {
namespace {

// Every axis may have a reason of its own; the first ones tell where to look.
constexpr std::size_t kReasons = 3;

class Reasons {
 public:
  Reasons(const Model& model, const Shapes& shapes) : model_(&model), shapes_(&shapes) {}

  void add(std::string_view reason, NodeId node) {
    if (reason.empty()) return;
    std::string text(reason);
    if (node && node.index < model_->node_count()) text += fmt::format(" (at `{}`)", model_->node_label(node));
    if (std::ranges::find(found_, text) == found_.end()) found_.push_back(std::move(text));
  }
  void add(std::span<const Dim> dims) {
    for (const Dim dim : dims) {
      if (dim.is_literal() || found_.size() > kReasons) continue;
      for (const Origin& origin : shapes_->dims().origins(dim)) {
        add(origin.reason, origin.node == Origin::kNone ? NodeId{} : NodeId{origin.node});
      }
    }
  }
  [[nodiscard]] std::string text() && {
    const bool cut = found_.size() > kReasons;
    found_.resize(std::min(found_.size(), kReasons));
    return fmt::format("{}{}", fmt::join(found_, "; "), cut ? "; ..." : "");
  }

 private:
  const Model* model_;
  const Shapes* shapes_;
  std::vector<std::string> found_;
};

}  // namespace

std::string why_unknown(const Model& model, const Shapes& shapes, const ValueShape& shape) {
  Reasons reasons(model, shapes);
  reasons.add(shape.reason, shape.reason_node);
  reasons.add(shape.dims);
  if (shape.is_known) reasons.add(shape.known);
  return std::move(reasons).text();
}

}  // namespace trtcheck
