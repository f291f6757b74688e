// What `trtcheck fix` does: sizes that were asked for first, then repairs.
#include <trtcheck/fix.hpp>

#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <trtcheck/error.hpp>

#include "bytes/bytes.hpp"
#include "bytes/real_path.hpp"
#include "cure/prepared.hpp"
#include "model/fetch.hpp"
#include "simplify/run.hpp"
#include "sizing/dynamic.hpp"

namespace trtcheck {
namespace {

AppliedCure asked_for(std::string name, CureClass kind, std::string title) {
  AppliedCure made{};
  made.cure = std::move(name);
  made.kind = kind;
  made.title = std::move(title);
  return made;
}

/// "simplified: 3 sizes-written, 12 unused-removed"; the changes themselves are those of `simplify`.
std::string summary(const std::map<std::string, std::size_t>& counts) {
  std::vector<std::string> parts;
  for (const auto& [name, count] : counts) parts.push_back(fmt::format("{} {}", count, name));
  return fmt::format("simplify for these sizes: {}", fmt::join(parts, ", "));
}

void pin(const cure::SourceFile& origin, const FixOptions& options, cure::Prepared& prepared) {
  const SimplifyOptions simple{.sizes = options.sizes,
                               .classes = {CureClass::proven},
                               .limits = options.check.limits,
                               .shape_functions = options.check.target.shape_functions};
  simplifying::Outcome made = simplifying::run(origin, std::move(prepared.pieces), simple);
  prepared.pieces = std::move(made.pieces);
  std::map<std::string, std::size_t> others;
  for (Simplification& one : made.applied) {
    if (one.name == "size-pinned") {
      prepared.applied.push_back(asked_for(std::move(one.name), one.kind, std::move(one.title)));
    } else {
      ++others[one.name];
    }
  }
  if (!others.empty()) prepared.applied.push_back(asked_for("simplified", CureClass::proven, summary(others)));
}

cure::Prepare preparation(const FixOptions& options) {
  if (options.sizes.empty() && options.dynamic.empty()) return {};
  return [&options](const cure::SourceFile& origin, const edit::Pieces& whole) {
    cure::Prepared prepared{.pieces = whole, .applied = {}};
    if (!options.dynamic.empty()) {
      prepared = sizing::with_dynamic_axes(origin, whole, options.dynamic, options.check);
    }
    if (!options.sizes.empty()) pin(origin, options, prepared);
    return prepared;
  };
}

}  // namespace

Fixed fix(const std::string& path, const FixOptions& options) {
  File file = File::open(path);
  if (file.is_pipe()) throw Error(path, "is a pipe, a file is required to be repaired");
  return cure::repaired(std::move(file), folder_of(path), options, preparation(options));
}

Fixed fix(std::span<const std::byte> bytes, const FixOptions& options, const std::string& base_dir) {
  return cure::repaired(readable(bytes), base_dir, options, preparation(options));
}

Fixed fix(const Parts& parts, const FixOptions& options, const std::string& base_dir) {
  return cure::repaired(readable(parts), base_dir, options, preparation(options));
}

}  // namespace trtcheck
