// Where element types come from: back through all that hands a type on, to what decided it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "view/node_view.hpp"

namespace trtcheck {

struct TypeOrigin {
  ValueId value;           ///< the initializer, the graph input, or what `node` makes
  NodeId node;             ///< that decides: a Cast, a Constant, a Shape, ...; none for initializers and inputs
  std::size_t layers = 0;  ///< that hand the type on to the value that was asked about
  NodeId first;            ///< of these: the one that reads `value`
  NodeId last;             ///< the one that makes the value that was asked about
};

/// Of the values of one model: each is walked back from once.
class TypeOrigins {
 public:
  explicit TypeOrigins(const ModelView& view) noexcept : view_(&view) {}

  [[nodiscard]] TypeOrigin of(ValueId value);
  /// "the initializer `w` through Transpose `t`", "Cast `c` behind the graph input `x`".
  [[nodiscard]] std::string text(ValueId value);

 private:
  const ModelView* view_;
  std::unordered_map<std::uint32_t, TypeOrigin> known_;  ///< by value
};

}  // namespace trtcheck
