// Shape with `start` and `end`, which old releases do not read: the whole shape, and a Slice of it.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/writer.hpp"

namespace trtcheck::cure::shape_sliced {
namespace {

bool make(Draft& draft, const Finding& /*finding*/) {
  constexpr std::int64_t kToTheEnd = std::int64_t{1} << 31;
  const std::int64_t start = draft.int_attribute("start", 0);
  const std::int64_t end = draft.int_attribute("end", kToTheEnd);
  Writer w(draft);
  draft.becomes(0, w.slice(w.shape(draft.in(0)), {start}, {end}, {0}));
  draft.remove();
  draft.title("slice the whole shape");
  return true;
}

constexpr std::string_view kOps[] = {"Shape"};
constexpr std::string_view kFindings[] = {"OPS412:shape-slice-unread"};

}  // namespace

extern constinit const Cure cure{
    .name = "shape-sliced",
    .kind = CureClass::proven,
    .summary = "a part of a shape is cut out by Slice",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::shape_sliced
