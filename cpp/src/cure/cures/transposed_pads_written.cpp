// ConvTranspose with an output shape, or with automatic pads beside output_padding: the pads that follow are written.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/writer.hpp"

namespace trtcheck::cure::transposed_pads_written {
namespace {

using Ints = Writer::Ints;

struct Axis {
  std::int64_t head = 0;
  std::int64_t tail = 0;
  std::int64_t added = 0;  ///< output_padding
};

/// @param excess  by how much the result is larger without pads. @param most_added  what output_padding stays below
std::optional<Axis> axis_of(std::int64_t excess, std::int64_t added, std::int64_t most_added, bool has_small_head) {
  Axis axis{.added = added};
  if (excess < 0) {
    axis.added -= excess;
    if (axis.added >= most_added) return std::nullopt;
    return axis;
  }
  axis.head = has_small_head ? excess / 2 : excess - excess / 2;
  axis.tail = excess - axis.head;
  return axis;
}

bool make(Draft& draft, const Finding& /*finding*/) {
  const ValueId x = draft.node().input(0);
  const std::optional<Ints> weights = draft.sizes(draft.node().input(1));
  const std::optional<std::size_t> rank = draft.rank(x);
  if (!weights || !rank || *rank < 3 || weights->size() != *rank)
    return draft.refuse("sizes of the kernel are not known");
  const std::size_t axes = *rank - 2;
  const Ints strides = draft.ints_attribute("strides").value_or(Ints(axes, 1));
  const Ints dilations = draft.ints_attribute("dilations").value_or(Ints(axes, 1));
  const Ints given = draft.ints_attribute("output_padding").value_or(Ints(axes, 0));
  const std::optional<Ints> wanted = draft.ints_attribute("output_shape");
  const std::string mode = draft.text_attribute("auto_pad", "NOTSET");
  if (strides.size() != axes || dilations.size() != axes || given.size() != axes) return false;
  if (wanted && wanted->size() != axes) return draft.refuse("`output_shape` is not about the spatial axes");
  Ints heads;
  Ints tails;
  Ints added;
  for (std::size_t i = 0; i < axes; ++i) {
    const std::int64_t extent = (weights->at(i + 2) - 1) * dilations[i] + 1;
    std::int64_t excess = given[i] + extent - strides[i];
    if (wanted) {
      const Dim dim = draft.shapes()[x].dims[i + 2];
      if (!dim.is_literal()) return draft.refuse(fmt::format("the size of axis {} is not known", i + 2));
      excess += strides[i] * dim.value() - wanted->at(i);
    } else if (mode == "VALID") {
      excess = 0;
    }
    const std::optional<Axis> axis =
        axis_of(excess, given[i], std::max(strides[i], dilations[i]), mode == "SAME_UPPER");
    if (!axis) return draft.refuse("the output shape asks for more than the strides leave open");
    heads.push_back(axis->head);
    tails.push_back(axis->tail);
    added.push_back(axis->added);
  }
  heads.insert(heads.end(), tails.begin(), tails.end());
  draft.drop_attribute("auto_pad");
  draft.drop_attribute("output_shape");
  draft.set_attribute("pads", heads);
  const bool adds = std::ranges::any_of(added, [](std::int64_t one) { return one != 0; });
  if (adds || draft.node().attribute("output_padding") != nullptr) draft.set_attribute("output_padding", added);
  draft.title(fmt::format("write the pads: [{}]", fmt::join(heads, ", ")));
  return true;
}

constexpr std::string_view kOps[] = {"ConvTranspose"};
constexpr std::string_view kFindings[] = {"OPS401:conv-transpose-output-shape-1d",
                                          "OPS401:conv-transpose-output-shape-large",
                                          "OPS401:conv-transpose-output-shape-open",
                                          "OPS412:conv-transpose-output-padding-unread", "OPS412:output-shape-unread"};

}  // namespace

extern constinit const Cure cure{
    .name = "transposed-pads-written",
    .kind = CureClass::proven,
    .summary = "pads of ConvTranspose that follow from its output shape or `auto_pad` are written",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::transposed_pads_written
