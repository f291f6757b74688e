#include "checks/check_row.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "bytes/name_index.hpp"
#include "checks/row_data.hpp"

namespace trtcheck::checks {
namespace {

// "and all later ones"
constexpr std::int64_t kAnyOpset = 1 << 30;

#include "checks.inc"

static_assert(std::ranges::is_sorted(kRows, {}, &RowData::op));

using RowsByOp = NameIndex<kRows, [](const RowData& row) { return row.op; }>;

Row made(const RowData& data) noexcept {
  return {.op = data.op,
          .id = data.id,
          .effect = data.effect,
          .subject = data.subject,
          .attribute = data.attribute,
          .index = data.index,
          .allowed = std::span(kAllowed).subspan(data.allowed, data.allowed_count),
          .first = known_releases()[data.first],
          .last = known_releases()[data.last],
          .opset_min = data.opset_min,
          .opset_max = data.opset_max == kAnyOpset ? 0 : data.opset_max,
          .condition = data.condition,
          .words = data.words,
          .tells_unknown = data.tells_unknown,
          .message = std::span(kPieces).subspan(data.message, data.message_count),
          .says = data.says,
          .remedy = data.fix,
          .source = data.source,
          .seen = data.seen == kNone ? std::nullopt : std::optional(known_releases()[data.seen])};
}

/// Facts about a release that is not in the table are those of the newest one before it.
std::size_t index_of(TrtVersion release) noexcept {
  const auto releases = known_releases();
  const auto after = std::ranges::upper_bound(releases, release);
  return after == releases.begin() ? 0 : static_cast<std::size_t>(after - releases.begin()) - 1;
}

}  // namespace

bool Rows::holds(std::size_t index, std::int64_t opset) const noexcept {
  const RowData& data = kRows[index];
  if (release_ < data.first || release_ > data.last) return false;
  if (opset == 0) return data.opset_min == 1 && data.opset_max == kAnyOpset;
  return opset >= data.opset_min && opset <= data.opset_max;
}

Row Rows::row(std::size_t index) const noexcept { return made(kRows[index]); }

Rows rows_of(std::string_view op_type, TrtVersion release) noexcept {
  const std::span<const RowData> found = RowsByOp::find(op_type);
  if (found.empty()) return {};
  const auto first = static_cast<std::size_t>(found.data() - std::begin(kRows));
  return {first, first + found.size(), index_of(release)};
}

std::span<const Row> all_rows() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> made_rows;
    made_rows.reserve(std::size(kRows));
    for (const RowData& data : kRows) made_rows.push_back(made(data));
    return made_rows;
  }();
  return rows;
}

std::span<const Expression> expressions() noexcept { return kExpressions; }

}  // namespace trtcheck::checks
