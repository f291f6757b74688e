// INT8 codes without a zero point, where a release asks for one, or takes an empty name for a tensor: zeros.
#include <algorithm>

#include "cure/cure.hpp"
#include "cure/cures/quantizers.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::zero_point_written {
namespace {

/// Zeros of another type than codes may have, or fewer or more than there are scales.
bool is_other_zeros(Draft& draft, ValueId zero, const Constant& scale) {
  const auto numbers = draft.ints(zero);
  if (!numbers || std::ranges::any_of(*numbers, [](std::int64_t number) { return number != 0; })) return false;
  const auto type = draft.type(zero);
  std::int64_t count = 1;
  for (const std::int64_t dim : scale.dims) count *= dim;
  const bool fits = static_cast<std::int64_t>(numbers->size()) == count;
  return type == DataType::int32 || (type == DataType::int8 && !fits);
}

/// INT32 codes become INT8, wherever they are read.
bool write_behind(Draft& draft) {
  const auto readers = code_readers(draft, draft.id());
  if (!readers) return draft.refuse("the codes are read by other nodes than DequantizeLinear");
  for (const NodeId reader : readers->dequantizers) {
    const ValueId zero = draft.model().node(reader).input(2);
    const auto scale = draft.contents(draft.model().node(reader).input(1));
    if (!scale || (zero && !is_other_zeros(draft, zero, *scale))) {
      return draft.refuse("a DequantizeLinear has another zero point");
    }
    draft.set_input_of(reader, 2, zeros_like(draft, *scale));
  }
  rename_codes(draft, *readers);
  return true;
}

bool write_zeros(Draft& draft, const Constant& scale) {
  const ValueId old = draft.node().input(2);
  draft.set_input(2, zeros_like(draft, scale));
  const bool changes_type =
      draft.node().op_type == "QuantizeLinear" && draft.type(draft.node().output(0)) == DataType::int32;
  if (changes_type && !write_behind(draft)) return false;
  drop_stored(draft, old);
  return true;
}

bool make(Draft& draft, const Finding&) {
  const auto given = draft.contents(draft.node().input(1));
  if (given && draft.node().input(2) && is_other_zeros(draft, draft.node().input(2), *given)) {
    if (!write_zeros(draft, *given)) return false;
    draft.title("store the zero point as INT8, one for each scale");
    return true;
  }
  const bool is_quantize = draft.node().op_type == "QuantizeLinear";
  const ValueId codes = is_quantize ? draft.node().output(0) : draft.node().input(0);
  if (draft.type(codes) != DataType::int8 || draft.node().input(2)) return false;
  const auto scale = draft.contents(draft.node().input(1));
  if (!scale) return draft.refuse("the scale is not constant");
  draft.set_input(2, zeros_like(draft, *scale));
  draft.title("write the zero point 0");
  return true;
}

constexpr std::string_view kFindings[] = {"QDQ105", "QDQ108", "QDQ109", "OPS401:dq-zero-point-empty-name",
                                          "OPS401:q-zero-point-empty-name"};
constexpr std::string_view kOps[] = {"DequantizeLinear", "QuantizeLinear"};

}  // namespace

extern constinit const Cure cure{
    .name = "zero-point-written",
    .kind = CureClass::proven,
    .summary = "QuantizeLinear and DequantizeLinear of INT8 without a fitting zero point get zeros",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::zero_point_written
