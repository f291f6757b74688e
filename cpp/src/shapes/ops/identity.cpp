#include "shapes/op_context.hpp"

namespace trtcheck::shapes {

void infer_identity(OpContext& op) {
  op.set_like(0, 0);
  if (const auto contents = op.known(0)) op.set_known(0, *contents);
}

}  // namespace trtcheck::shapes
