// Split by the number of pieces: their sizes are written down.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/writer.hpp"

namespace trtcheck::cure::split_sizes_written {
namespace {

bool make(Draft& draft, const Finding& finding) {
  draft.drop_attribute("num_outputs");
  if (finding.fact == "split-and-num-outputs") {
    draft.title("leave out `num_outputs`: the sizes are given");
    return true;
  }
  const ValueId x = draft.node().input(0);
  const std::optional<std::size_t> rank = draft.rank(x);
  if (!rank) return draft.refuse("the rank is not known");
  const std::optional<std::size_t> axis = plain_axis(draft.int_attribute("axis", 0), *rank);
  if (!axis) return false;
  const Dim dim = draft.shapes()[x].dims[*axis];
  const auto pieces = static_cast<std::int64_t>(draft.node().outputs.size());
  if (!dim.is_literal()) return draft.refuse(fmt::format("the size of axis {} is not known", *axis));
  const std::int64_t each = (dim.value() + pieces - 1) / pieces;
  Writer::Ints sizes(draft.node().outputs.size(), each);
  sizes.back() = dim.value() - each * (pieces - 1);
  if (sizes.back() < 0) return false;
  draft.set_input(1, draft.ints_constant(sizes, "sizes"));
  draft.title(fmt::format("write the sizes of the pieces: [{}]", fmt::join(sizes, ", ")));
  return true;
}

constexpr std::string_view kOps[] = {"Split"};
constexpr std::string_view kFindings[] = {"OPS401:split-and-num-outputs", "OPS411:split-floor"};

}  // namespace

extern constinit const Cure cure{
    .name = "split-sizes-written",
    .kind = CureClass::proven,
    .summary = "the sizes of the pieces of Split are written down",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::split_sizes_written
