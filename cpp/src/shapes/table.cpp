#include "shapes/table.hpp"

#include <algorithm>
#include <array>

namespace trtcheck::shapes {

// A row declares its function and is a line of the table: {domain, op, since, function}.
#define TRTCHECK_OP(domain, op, since, function) void function(OpContext& op_context);
#include "shapes/ops/classical_ops.inc"
#include "shapes/ops/contrib_ops.inc"
#include "shapes/ops/neural_ops.inc"
#include "shapes/ops/plugin_ops.inc"
#include "shapes/ops/tensor_ops.inc"
#undef TRTCHECK_OP

namespace {

constexpr bool before(const OpRow& a, const OpRow& b) noexcept {
  if (a.domain != b.domain) return a.domain < b.domain;
  if (a.op != b.op) return a.op < b.op;
  return a.since < b.since;
}

// The `.inc` files are sorted for readers; this sort makes sure of it for the search below.
constexpr auto kTable = [] {
  std::array rows{
#define TRTCHECK_OP(domain, op, since, function) OpRow{domain, op, since, &(function)},
#include "shapes/ops/classical_ops.inc"
#include "shapes/ops/contrib_ops.inc"
#include "shapes/ops/neural_ops.inc"
#include "shapes/ops/plugin_ops.inc"
#include "shapes/ops/tensor_ops.inc"
#undef TRTCHECK_OP
  };
  std::sort(rows.begin(), rows.end(), before);
  return rows;
}();

static_assert(std::adjacent_find(kTable.begin(), kTable.end(),
                                 [](const OpRow& a, const OpRow& b) { return !before(a, b); }) == kTable.end(),
              "two rows for the same operator and version");

}  // namespace

const OpRow* find_op(std::string_view domain, std::string_view op, std::int64_t opset) noexcept {
  const auto after = std::partition_point(kTable.begin(), kTable.end(), [&](const OpRow& row) {
    if (row.domain != domain) return row.domain < domain;
    if (row.op != op) return row.op < op;
    return row.since <= opset;
  });
  if (after == kTable.begin()) return nullptr;
  const OpRow& row = *(after - 1);
  return row.domain == domain && row.op == op ? &row : nullptr;
}

const OpRow* find_by_name(std::string_view domain, std::string_view op) noexcept {
  const OpRow* row = domain.empty() ? find_op("onnxruntime", op, 1) : nullptr;
  return row != nullptr ? row : find_op("*", op, 1);
}

std::span<const OpRow> op_table() noexcept { return kTable; }

}  // namespace trtcheck::shapes
