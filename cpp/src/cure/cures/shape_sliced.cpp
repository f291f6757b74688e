// Shape with `start` or `end`, for releases that do not read them: the whole shape, and a Slice of it.
#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure {
namespace {

bool make(Draft& draft, const Finding& /*finding*/) {
  constexpr std::int64_t kToTheEnd = std::int64_t{1} << 31U;
  const auto rank = draft.rank(draft.node().input(0));
  const std::int64_t start = draft.int_attribute("start", 0);
  const std::int64_t end = draft.int_attribute("end", rank ? static_cast<std::int64_t>(*rank) : kToTheEnd);
  const std::string whole = draft.op("Shape", {draft.in(0)});
  draft.op_to({draft.out(0)}, "Slice",
              {whole, draft.ints_constant({start}, "start"), draft.ints_constant({end}, "end"),
               draft.ints_constant({0}, "axis")});
  draft.remove();
  draft.title("take the whole shape, and slice it");
  return true;
}

constexpr std::string_view kOps[] = {"Shape"};
constexpr std::string_view kFindings[] = {"OPS412:shape-slice-unread"};

}  // namespace

extern constinit const Cure shape_sliced{
    .name = "shape-sliced",
    .kind = CureClass::proven,
    .summary = "Shape with `start` or `end` becomes the whole shape and a Slice of it",
    .findings = kFindings,
    .ops = kOps,
    .make = make};

}  // namespace trtcheck::cure
