#include "schema/kinds.hpp"

#include "text/name_index.hpp"

namespace trtcheck {
namespace {

using ByOperator = NameIndex<kinds::kByOperator, [](const KindsOfOperator& row) { return row.op_type; }>;

}  // namespace

KindMask kinds_of(std::string_view op_type) noexcept {
  const auto found = ByOperator::find(op_type);
  return found.empty() ? KindMask{} : found.front().kinds;
}

}  // namespace trtcheck
