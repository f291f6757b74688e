#include "schema/facts.hpp"

#include <algorithm>
#include <array>

#include "text/name_index.hpp"

namespace trtcheck::schema {

namespace {

// kInputs, kAttributes, kOutputs: pools; kFacts: rows that point into them.
#include "schema_facts.inc"

constexpr bool before(const SchemaFacts& a, const SchemaFacts& b) noexcept {
  if (a.domain != b.domain) return a.domain < b.domain;
  if (a.op != b.op) return a.op < b.op;
  return a.since < b.since;
}
static_assert(std::is_sorted(std::begin(kFacts), std::end(kFacts), before));

// Nearly every node is one of ONNX's own.
using OnnxRows = NameIndex<kFacts, [](const SchemaFacts& row) { return row.domain.empty() ? row.op : ""; }>;

/// The newest row that is in force. @pre of one operator
const SchemaFacts* in_force(std::span<const SchemaFacts> rows, std::int64_t opset) noexcept {
  const SchemaFacts* found = nullptr;
  for (const SchemaFacts& row : rows) {
    if (row.since <= opset) found = &row;
  }
  return found;
}

}  // namespace

const SchemaFacts* schema_facts(std::string_view domain, std::string_view op, std::int64_t opset) noexcept {
  if (domain.empty()) return in_force(OnnxRows::find(op), opset);
  const auto after = std::partition_point(std::begin(kFacts), std::end(kFacts), [&](const SchemaFacts& row) {
    if (row.domain != domain) return row.domain < domain;
    if (row.op != op) return row.op < op;
    return row.since <= opset;
  });
  if (after == std::begin(kFacts)) return nullptr;
  const SchemaFacts& row = *(after - 1);
  return row.domain == domain && row.op == op ? &row : nullptr;
}

bool was_ever_known(std::string_view domain, std::string_view op) noexcept {
  return schema_facts(domain, op, std::numeric_limits<std::int32_t>::max()) != nullptr;
}

std::span<const SchemaFacts> all_facts() noexcept { return kFacts; }

}  // namespace trtcheck::schema
