// The tables made from cpp/data, and the questions asked of them.
#include <algorithm>
#include <array>
#include <iterator>

#include <trtcheck/target.hpp>

#include "target/gates.hpp"
#include "target/network_types.hpp"
#include "target/release_view.hpp"
#include "target/releases.hpp"
#include "target/tables.hpp"
#include "text/name_index.hpp"

namespace trtcheck {
namespace {

struct ReleaseRow {
  TrtVersion release;
  OpsetRange opsets;
};

/// `first` and `last` index kReleaseRows. The releases below `seen` are those in which the row was read.
struct SupportRow {
  std::string_view op;
  std::size_t first;
  std::size_t last;
  Support support;
  bool refused_by_name;
  bool through_plugin;
  std::size_t seen;
  std::string_view evidence;
};

/// `like` indexes kReleaseRows.
struct RtxRow {
  std::string_view name;
  std::size_t like;
};

/// Imported from kRtxRows[first] on.
struct RtxOperator {
  std::string_view op;
  std::size_t first;
};

struct PluginRow {
  std::string_view name;
  std::string_view version;
  std::size_t first;
  std::size_t last;
  std::size_t seen;
  bool by_init;
};

#include "target_tables.inc"

consteval bool support_is_sorted() {
  for (std::size_t i = 1; i < std::size(kSupportRows); ++i) {
    const SupportRow& a = kSupportRows[i - 1];
    const SupportRow& b = kSupportRows[i];
    const bool follows = a.op == b.op ? a.last + 1 == b.first : a.op < b.op && b.first == 0;
    if (!follows || b.first > b.last) return false;
  }
  return true;
}
static_assert(support_is_sorted(), "rows are sorted by operator and cover every release once");

consteval bool releases_are_sorted() {
  return std::is_sorted(std::begin(kReleaseRows), std::end(kReleaseRows),
                        [](const ReleaseRow& a, const ReleaseRow& b) { return a.release < b.release; });
}
static_assert(releases_are_sorted());
static_assert(std::is_sorted(std::begin(kOperatorNames), std::end(kOperatorNames)));
static_assert(std::is_sorted(std::begin(kPluginNames), std::end(kPluginNames)));

constexpr auto kReleases = [] {
  std::array<TrtVersion, std::size(kReleaseRows)> releases{};
  for (std::size_t i = 0; i < releases.size(); ++i) releases[i] = kReleaseRows[i].release;
  return releases;
}();

constexpr auto kRtxReleases = [] {
  std::array<TrtVersion, std::size(kRtxRows)> releases{};
  for (std::size_t i = 0; i < releases.size(); ++i) {
    releases[i] = kReleases[kRtxRows[i].like];
    releases[i].product = Product::rtx;
  }
  return releases;
}();

/// Its parser was asked for every operator that TensorRT's does not have.
OpSupport as_measured_with_rtx(OpSupport found, std::string_view op, TrtVersion release) noexcept {
  found.seen = release;
  const auto* const own = std::ranges::find(kRtxOperators, op, &RtxOperator::op);
  const bool is_own = own != std::end(kRtxOperators);
  if (is_own && release >= kRtxReleases[own->first]) {
    found.support = Support::supported;
    found.first_supported = kRtxReleases[own->first];
    found.last_supported = kRtxReleases.back();
  }
  if (is_own || found.support == Support::unsupported) found.evidence = kRtxEvidence;
  return found;
}

/// Facts about a release that is not in the table are those of the newest one before it.
std::size_t row_of(TrtVersion release) noexcept {
  // From the end: nearly everybody asks about the newest ones.
  std::size_t row = kReleases.size() - 1;
  while (row > 0 && release < kReleases[row]) --row;
  return row;
}

/// The newest release in which a row was read; nothing: in none.
std::optional<TrtVersion> newest_below(std::size_t seen) noexcept {
  return seen == 0 ? std::nullopt : std::optional(kReleases[seen - 1]);
}

using SupportRows = NameIndex<kSupportRows, [](const SupportRow& row) { return row.op; }>;
using PluginRows = NameIndex<kPluginRows, [](const PluginRow& row) { return row.name; }>;

std::optional<BuiltinPlugin> newest_plugin(std::string_view name, std::string_view version,
                                           TrtVersion release) noexcept {
  // TensorRT-RTX comes without the plugin library.
  if (release.product == Product::rtx) return std::nullopt;
  const std::size_t at = row_of(release);
  std::optional<BuiltinPlugin> found;  // rows of one name are sorted by version
  for (const PluginRow& row : PluginRows::find(name)) {
    if (!version.empty() && row.version != version) continue;
    if (at < row.first || at > row.last) continue;
    found = BuiltinPlugin{row.name, row.version, row.by_init && gates::application_registers_plugins.open_in(release),
                          newest_below(row.seen)};
  }
  return found;
}

}  // namespace

std::span<const TrtVersion> known_releases() noexcept { return kReleases; }

std::span<const TrtVersion> known_rtx_releases() noexcept { return kRtxReleases; }

std::string_view rtx_name(TrtVersion release) noexcept {
  const auto* const at = std::ranges::find(kRtxReleases, release);
  return at == kRtxReleases.end() ? "rtx" : kRtxRows[static_cast<std::size_t>(at - kRtxReleases.begin())].name;
}

TrtVersion known_release(TrtVersion release) noexcept {
  TrtVersion known = kReleases[row_of(release)];
  known.product = release.product;
  return known;
}

TrtVersion newest_read_release() noexcept { return kReleases[kNewestRead]; }

std::span<const std::string_view> known_operators() noexcept { return kOperatorNames; }

std::span<const std::string_view> known_rtx_operators() noexcept {
  static constexpr auto kNames = [] {
    std::array<std::string_view, std::size(kRtxOperators)> names{};
    std::ranges::transform(kRtxOperators, names.begin(), &RtxOperator::op);
    return names;
  }();
  return kNames;
}

std::span<const std::string_view> builtin_plugin_names() noexcept { return kPluginNames; }

bool is_in_tables(std::string_view op_type) noexcept {
  return !SupportRows::find(op_type).empty() || !PluginRows::find(op_type).empty() ||
         std::ranges::find(kRtxOperators, op_type, &RtxOperator::op) != std::end(kRtxOperators);
}

OpsetRange opset_range(TrtVersion release) noexcept { return kReleaseRows[row_of(release)].opsets; }

OpSupport op_support(std::string_view op_type, TrtVersion release) noexcept {
  const std::size_t at = row_of(release);
  OpSupport found;
  found.seen = newest_read_release();
  for (const SupportRow& row : SupportRows::find(op_type)) {
    if (row.support != Support::unsupported) {
      if (!found.first_supported) found.first_supported = kReleases[row.first];
      found.last_supported = kReleases[row.last];
    }
    if (at < row.first || at > row.last) continue;
    found.support = row.support;
    found.refused_before_plugins = row.refused_by_name;
    found.through_plugin = row.through_plugin;
    found.seen = newest_below(row.seen);
    found.evidence = row.evidence;
  }
  return release.product == Product::rtx ? as_measured_with_rtx(found, op_type, release) : found;
}

std::optional<BuiltinPlugin> builtin_plugin(std::string_view name, TrtVersion release) noexcept {
  return newest_plugin(name, {}, release);
}

std::optional<BuiltinPlugin> builtin_plugin(std::string_view name, std::string_view version,
                                            TrtVersion release) noexcept {
  if (version.empty()) return std::nullopt;
  return newest_plugin(name, version, release);
}

std::string_view network_type_name(DataType type, const ReleaseView& release) {
  switch (type) {
    case DataType::float32:
    case DataType::float64:
      return "FP32";
    case DataType::float16:
      return "FP16";
    case DataType::bfloat16:
      return "BF16";
    case DataType::int8:
      return "INT8";
    case DataType::uint8:
      return "UINT8";
    case DataType::int32:
      return "INT32";
    case DataType::int64:
      return release.has(gates::int64_network) ? "INT64" : "INT32";
    case DataType::boolean:
      return "BOOL";
    case DataType::float8e4m3fn:
      return "FP8";
    case DataType::int4:
      return "INT4";
    case DataType::float4e2m1:
      return "FP4";
    default:
      return {};
  }
}

Target::Target() : release(kReleases.back()) {}

bool is_strongly_typed(const Target& target) noexcept {
  return is_strongly_typed(ReleaseView(target.release), target.strongly_typed);
}

bool Target::asks_for(Precision precision) const noexcept {
  return std::ranges::find(precisions, precision) != precisions.end();
}

}  // namespace trtcheck
