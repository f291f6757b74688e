// Constants in codes with a zero point, in signed codes with zero point 0: code - zero point, where that fits into
// INT8.
#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/quantizers.hpp"
#include "cure/draft.hpp"
#include "cure/numbers.hpp"

namespace trtcheck::cure::codes_recoded {
namespace {

bool make(Draft& draft, const Finding&) {
  const Node& node = draft.node();
  const auto codes = stored(draft, node.input(0));
  const auto scale = draft.contents(node.input(1));
  const auto zeros = zero_points(draft, draft.id());
  if (!codes || !scale || !zeros) return false;
  if (codes->type != DataType::uint8 && codes->type != DataType::int8) return false;
  const auto spread = spread_of(node, codes->dims, *scale);
  const auto numbers = whole_numbers(*codes);
  if (!spread || !numbers || static_cast<std::int64_t>(zeros->size()) != spread->count) return false;
  std::vector<std::int64_t> made;
  for (std::size_t i = 0; i < numbers->size(); ++i) {
    made.push_back((*numbers)[i] - (*zeros)[spread->at(i)]);
    constexpr std::int64_t kLeast = -128, kMost = 127;
    if (made.back() < kLeast || made.back() > kMost) return false;
  }
  draft.title(fmt::format("store `{}` as INT8 codes with zero point 0", draft.in(0)));
  draft.set_input(0, draft.constant(constant_of(DataType::int8, codes->dims, made), "codes"));
  draft.set_input(2, zeros_like(draft, *scale));
  drop_stored(draft, node.input(0));
  drop_stored(draft, node.input(2));
  return true;
}

constexpr std::string_view kFindings[] = {"QDQ101", "QDQ102"};
constexpr std::string_view kOps[] = {"DequantizeLinear"};

}  // namespace

extern constinit const Cure cure{
    .name = "codes-recoded",
    .kind = CureClass::proven,
    .summary = "constants in codes with a zero point are stored as INT8 with zero point 0, where the codes fit",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::codes_recoded
