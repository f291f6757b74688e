// BatchNormalization whose parameters fit the last axis of its data and not the channel axis: channels-last data.
#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::batchnorm_transposed {
namespace {

bool make(Draft& draft, const Finding& /*finding*/) {
  const auto rank = draft.rank(draft.node().input(0));
  const auto count = draft.sizes(draft.node().input(1));
  if (!rank || *rank < 3 || !count || count->size() != 1 || draft.node().outputs.size() != 1) return false;
  const auto& dims = draft.in_shape(0).dims;
  if (!dims[*rank - 1].is(count->front()) || dims[1].is(count->front())) {
    return draft.refuse(fmt::format(
        "there are parameters for {} channels and data of other sizes: which channels they are, or what the "
        "missing ones are, the file does not say",
        count->front()));
  }
  std::vector<std::int64_t> to_front{0, static_cast<std::int64_t>(*rank) - 1};
  std::vector<std::int64_t> back{0};
  for (std::size_t axis = 1; axis + 1 < *rank; ++axis) {
    to_front.push_back(static_cast<std::int64_t>(axis));
    back.push_back(static_cast<std::int64_t>(axis) + 1);
  }
  back.push_back(1);
  Draft::Inputs inputs{draft.op("Transpose", {draft.in(0)}, {{"perm", to_front}})};
  for (std::size_t i = 1; i < draft.node().inputs.size(); ++i) inputs.push_back(draft.in(i));
  const std::string normal = draft.fresh(draft.out(0) + "/normal");
  draft.again(inputs, {normal});
  draft.op_to({draft.out(0)}, "Transpose", {normal}, {{"perm", back}});
  draft.remove();
  draft.title("read the last axis of the data as its channels: Transpose before and back after");
  return true;
}

constexpr std::string_view kFindings[] = {"WGT201"};

}  // namespace

extern constinit const Cure cure{
    .name = "batchnorm-transposed",
    .kind = CureClass::choice,
    .summary = "BatchNormalization whose parameters fit the last axis of its data normalizes that axis",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::batchnorm_transposed
