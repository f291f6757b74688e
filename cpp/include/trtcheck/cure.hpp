// What `trtcheck fix` knows to repair: the cures, what each of them promises, and which findings they are meant for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/finding.hpp>

namespace trtcheck {

/// What a cure promises.
enum class CureClass : std::uint8_t {
  proven,     ///< the same function by construction, bit for bit
  rounding,   ///< the same function up to rounding
  interface,  ///< inputs or outputs of the model change their type or shape
  choice,     ///< values change, or somebody has to decide
};
TRTCHECK_API std::string_view to_string(CureClass kind) noexcept;
/// @throws Error  there is no such class
TRTCHECK_API CureClass parse_cure_class(std::string_view name);

/// One kind of repair.
struct CureInfo {
  std::string_view name;                       ///< "reduction-none-dropped"
  CureClass kind;                              ///< the least that it promises
  std::string_view summary;                    ///< one line, no full stop
  std::span<const std::string_view> findings;  ///< what it repairs: "OPS401:pad-mode", "QDQ104"
  std::span<const std::string_view> ops = {};  ///< op types of the node; empty = any
};
/// All of them, sorted by name.
TRTCHECK_API std::span<const CureInfo> all_cures();

/// Those that are meant for such a finding and that a quick look at it does not speak against, in the order in which
/// `fix` tries them. Whether one of them helps here, only trying tells: a node may be one that none of them can change.
/// Costs a look into a table; the model is not needed.
[[nodiscard]] TRTCHECK_API std::vector<const CureInfo*> cures_for(const Finding& finding);

}  // namespace trtcheck
