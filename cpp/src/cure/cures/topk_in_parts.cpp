// TopK of more than 3840: the first 3840, then the first of what is left, and so on.
#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/elements.hpp"
#include "cure/cures/writer.hpp"

namespace trtcheck::cure::topk_in_parts {
namespace {

using Name = Writer::Name;

constexpr std::int64_t kLimit = 3840;
constexpr std::int64_t kMostParts = 32;

/// The last number before infinity.
double largest_number(DataType type) {
  constexpr double kHalf = 65504;
  constexpr double kBrain = 3.3895313892515355e38;
  if (type == DataType::float16) return kHalf;
  return type == DataType::bfloat16 ? kBrain : static_cast<double>(std::numeric_limits<float>::max());
}

/// What comes behind all that may be chosen, and the last that may.
std::pair<Name, Name> ends(Draft& draft, DataType type, bool is_largest) {
  const double sign = is_largest ? -1 : 1;
  if (is_float(type)) {
    return {draft.scalar(sign * std::numeric_limits<double>::infinity(), type, "beyond"),
            draft.scalar(sign * largest_number(type), type, "limit")};
  }
  const std::int64_t last = type == DataType::int32 ? std::int64_t{std::numeric_limits<std::int32_t>::max()}
                                                    : std::numeric_limits<std::int64_t>::max();
  const auto whole = [&](std::int64_t number, std::string_view base) {
    return draft.constant(constant_of(type, {}, std::vector<std::int64_t>{is_largest ? -number : number}), base);
  };
  return {whole(last, "beyond"), whole(last - 1, "limit")};
}

bool make(Draft& draft, const Finding&) {
  constexpr std::int64_t kScatterOpset = 11;
  const ValueId data = draft.node().input(0);
  const auto k = draft.ints(draft.node().input(1));
  const auto type = draft.type(data);
  const auto rank = draft.rank(data);
  if (draft.node().op_type != "TopK" || !rank || !type) return false;
  if (draft.opset() < kScatterOpset) return draft.refuse("ScatterElements comes with opset 11");
  constexpr std::int64_t kWholeOpset = 12;
  const bool is_whole = *type == DataType::int32 || *type == DataType::int64;
  const bool is_known = is_whole ? draft.opset() >= kWholeOpset : is_float(*type) && *type != DataType::float64;
  if (!is_known) return draft.refuse(fmt::format("Max of {} comes with a later opset", to_string(*type)));
  if (!k || k->size() != 1) return draft.refuse(fmt::format("`{}` is not a constant", draft.in(1)));
  if (k->front() > kLimit * kMostParts) return draft.refuse("it asks for too many");
  const auto axis = plain_axis(draft.int_attribute("axis", -1), *rank);
  if (!axis) return false;
  const auto along = static_cast<std::int64_t>(*axis);
  const bool is_largest = draft.int_attribute("largest", 1) != 0;
  Writer w(draft);
  // What was chosen is beyond all that is left, which is made finite before.
  const auto [beyond, limit] = ends(draft, *type, is_largest);
  Name left = w.op(is_largest ? "Max" : "Min", {draft.in(0), limit});
  std::vector<std::string> chosen;
  for (std::int64_t done = 0; done < k->front();) {
    const std::int64_t part = std::min(kLimit, k->front() - done);
    const auto made = draft.ops("TopK", {left, draft.ints_constant({part}, "k")},
                                {{"axis", along}, {"largest", std::int64_t{is_largest ? 1 : 0}}}, 2);
    chosen.push_back(made[1]);
    done += part;
    if (done == k->front()) break;
    const Name updates = w.op("Expand", {beyond, w.shape(made[1])});
    left = w.op("ScatterElements", {left, made[1], updates}, {{"axis", along}});
  }
  const Name indices = w.concat(chosen, along);
  if (draft.node().output(0)) {
    draft.becomes(0, w.op("GatherElements", {draft.in(0), indices}, {{"axis", along}}));
  }
  if (draft.node().output(1)) draft.becomes(1, indices);
  draft.remove();
  draft.title(fmt::format("choose {} in {} parts", k->front(), chosen.size()));
  return true;
}

constexpr std::string_view kFindings[] = {"HWD203"};
constexpr std::string_view kOps[] = {"TopK"};

}  // namespace

extern constinit const Cure cure{
    .name = "topk-in-parts",
    .kind = CureClass::rounding,
    .summary = "TopK of more than 3840 chooses them in parts: the first 3840, then the first of the rest",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::topk_in_parts
