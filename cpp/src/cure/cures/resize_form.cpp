// Resize with scales or sizes of every axis, and such that the release reads.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/writer.hpp"
#include "cure/numbers.hpp"

namespace trtcheck::cure::resize_form {
namespace {

using Ints = Writer::Ints;
using Name = Writer::Name;

constexpr std::size_t kScales = 2;
constexpr std::size_t kSizes = 3;

Name floats(Draft& draft, const std::vector<float>& values) {
  edit::TensorValue tensor{.type = DataType::float32, .dims = {static_cast<std::int64_t>(values.size())}, .bytes = {}};
  for (const float value : values) tensor.bytes += number_bytes(value, DataType::float32);
  return draft.constant(std::move(tensor), "scales");
}

std::optional<std::vector<float>> known_scales(Draft& draft) {
  const std::optional<Constant> constant = draft.contents(draft.node().input(kScales));
  if (!constant || constant->type != DataType::float32) return std::nullopt;
  const std::optional<std::vector<double>> numbers = real_numbers(*constant);
  if (!numbers || numbers->empty()) return std::nullopt;
  return std::vector<float>(numbers->begin(), numbers->end());
}

/// Axes that the scales or sizes are about, from 0 up.
std::optional<std::vector<std::size_t>> axes_of(Draft& draft, std::size_t rank) {
  std::vector<std::size_t> axes;
  for (const std::int64_t one : draft.ints_attribute("axes").value_or(counted(0, static_cast<std::int64_t>(rank)))) {
    const std::optional<std::size_t> axis = plain_axis(one, rank);
    if (!axis || std::ranges::find(axes, *axis) != axes.end()) return std::nullopt;
    axes.push_back(*axis);
  }
  return axes;
}

void set(Draft& draft, const Name& scales, const Name& sizes) {
  Draft::Inputs inputs = {draft.in(0), draft.in(1), scales};
  if (!sizes.empty()) inputs.push_back(sizes);
  draft.add(edit::SetInputs{draft.place(), std::move(inputs)});
  draft.drop_attribute("axes");
}

/// The scales that give known sizes; nothing: rounding would give others.
std::optional<std::vector<float>> scales_for(Draft& draft, const std::vector<std::size_t>& axes, const Ints& sizes) {
  std::vector<float> scales(draft.in_shape(0).rank(), 1);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Dim dim = draft.in_shape(0).dims[axes[i]];
    if (!dim.is_literal() || dim.value() < 1) return std::nullopt;
    const float scale = static_cast<float>(sizes[i]) / static_cast<float>(dim.value());
    if (std::floor(static_cast<float>(dim.value()) * scale) != static_cast<float>(sizes[i])) return std::nullopt;
    scales[axes[i]] = scale;
  }
  return scales;
}

/// Computed numbers of some axes in a row, with what is before and after them.
bool join(Writer& w, const std::vector<std::size_t>& axes, std::size_t rank, bool is_scales) {
  Draft& draft = w.draft();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] != axes.front() + i) return draft.refuse("its axes do not follow each other");
  }
  const std::size_t end = axes.back() + 1;
  const auto rest = [&](std::size_t from, std::size_t to) {
    if (is_scales) return floats(draft, std::vector<float>(to - from, 1));
    return w.slice(w.shape(draft.in(0)), {static_cast<std::int64_t>(from)}, {static_cast<std::int64_t>(to)}, {0});
  };
  Draft::Inputs parts;
  if (axes.front() > 0) parts.push_back(rest(0, axes.front()));
  parts.push_back(draft.in(is_scales ? kScales : kSizes));
  if (end < rank) parts.push_back(rest(end, rank));
  const Name all = parts.size() == 1 ? parts.front() : w.concat(parts, 0);
  set(draft, is_scales ? all : Name(), is_scales ? Name() : all);
  return true;
}

bool write_axes(Writer& w, const std::vector<std::size_t>& axes, std::size_t rank) {
  Draft& draft = w.draft();
  draft.title("write a number for every axis, in place of `axes`");
  if (draft.node().input(kScales) && draft.node().inputs.size() == kScales + 1) {
    const std::optional<std::vector<float>> known = known_scales(draft);
    if (!known) return join(w, axes, rank, true);
    if (known->size() != axes.size()) return false;
    std::vector<float> scales(rank, 1);
    for (std::size_t i = 0; i < axes.size(); ++i) scales[axes[i]] = known->at(i);
    set(draft, floats(draft, scales), {});
    return true;
  }
  const std::optional<Ints> known = draft.ints(draft.node().input(kSizes));
  if (!known) return join(w, axes, rank, false);
  if (known->size() != axes.size()) return false;
  const std::optional<Ints> own = draft.sizes(draft.node().input(0));
  if (own) {
    Ints sizes = *own;
    for (std::size_t i = 0; i < axes.size(); ++i) sizes[axes[i]] = known->at(i);
    set(draft, {}, draft.ints_constant(sizes, "sizes"));
    return true;
  }
  if (const std::optional<std::vector<float>> scales = scales_for(draft, axes, *known)) {
    set(draft, floats(draft, *scales), {});
    return true;
  }
  return join(w, axes, rank, false);
}

/// One scale for all axes, the smallest or the largest; where it gives whole sizes.
bool write_policy(Draft& draft, const std::vector<std::size_t>& axes) {
  const std::optional<Ints> sizes = draft.ints(draft.node().input(kSizes));
  if (!sizes || sizes->size() != axes.size()) return draft.refuse("the sizes are not known");
  const bool is_smallest = draft.text_attribute("keep_aspect_ratio_policy", "stretch") == "not_larger";
  std::optional<float> scale;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Dim dim = draft.in_shape(0).dims[axes[i]];
    if (!dim.is_literal() || dim.value() < 1) return draft.refuse("the sizes of the data are not known");
    const float one = static_cast<float>(sizes->at(i)) / static_cast<float>(dim.value());
    scale = !scale ? one : is_smallest ? std::min(*scale, one) : std::max(*scale, one);
  }
  std::vector<float> scales(draft.in_shape(0).rank(), 1);
  for (const std::size_t axis : axes) {
    const float size = static_cast<float>(draft.in_shape(0).dims[axis].value()) * scale.value_or(1);
    if (size != std::floor(size)) return draft.refuse("a size would be rounded, and the release rounds in another way");
    scales[axis] = scale.value_or(1);
  }
  set(draft, floats(draft, scales), {});
  draft.drop_attribute("keep_aspect_ratio_policy");
  draft.title("write the scale that the policy comes to");
  return true;
}

bool write_scales(Draft& draft, const std::vector<std::size_t>& axes) {
  const std::optional<Ints> sizes = draft.ints(draft.node().input(kSizes));
  if (!sizes || sizes->size() != axes.size()) return draft.refuse("the sizes are not known");
  const std::optional<std::vector<float>> scales = scales_for(draft, axes, *sizes);
  if (!scales) return draft.refuse("the sizes of the data are not known, or scales would be rounded");
  set(draft, floats(draft, *scales), {});
  draft.title("write scales in place of sizes");
  return true;
}

/// Behind whole scales the places of both modes are the same, rounded down.
bool write_asymmetric(Draft& draft) {
  const std::optional<std::vector<float>> scales = known_scales(draft);
  if (!scales || draft.text_attribute("nearest_mode", "") != "floor") return false;
  const bool are_whole = std::ranges::all_of(*scales, [](float one) { return one >= 1 && one == std::floor(one); });
  if (!are_whole) return draft.refuse("scales are not whole numbers");
  draft.set_attribute("coordinate_transformation_mode", std::string("asymmetric"));
  draft.title("with whole scales, rounded down, `asymmetric` reads the same places");
  return true;
}

bool make(Draft& draft, const Finding& finding) {
  const std::optional<std::size_t> rank = draft.rank(draft.node().input(0));
  if (!rank) return draft.refuse("the rank is not known");
  const std::optional<std::vector<std::size_t>> axes = axes_of(draft, *rank);
  if (!axes || axes->empty()) return false;
  if (finding.fact.starts_with("resize-aspect-policy")) return write_policy(draft, *axes);
  if (finding.fact == "resize-tf-sizes") return write_scales(draft, *axes);
  if (finding.fact == "resize-tf-nearest") return write_asymmetric(draft);
  if (draft.text_attribute("keep_aspect_ratio_policy", "stretch") != "stretch") return false;
  Writer w(draft);
  return write_axes(w, *axes, *rank);
}

constexpr std::string_view kOps[] = {"Resize"};
constexpr std::string_view kFindings[] = {"OPS401:resize-aspect-policy",        "OPS412:resize-aspect-policy-unread",
                                          "OPS401:resize-axes-computed-scales", "OPS401:resize-axes-computed-sizes",
                                          "OPS401:resize-axes-dynamic-rest",    "OPS412:resize-axes-unread",
                                          "OPS401:resize-tf-nearest",           "OPS401:resize-tf-sizes"};

}  // namespace

extern constinit const Cure cure{
    .name = "resize-form",
    .kind = CureClass::proven,
    .summary = "Resize gets scales or sizes of every axis, in the form that the release reads",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::resize_form
