// Pad in a form that the release does not accept: axes written out, negative pads by Slice, modes by Gather.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/writer.hpp"

namespace trtcheck::cure::pad_form {
namespace {

using Ints = Writer::Ints;
using Name = Writer::Name;

struct Pads {
  Ints before;
  Ints after;
};

bool is_zero(const Ints& numbers) {
  return std::ranges::all_of(numbers, [](std::int64_t one) { return one == 0; });
}

/// Of every axis; nothing, with the reason: not known.
std::optional<Pads> pads_of(Draft& draft, std::size_t rank) {
  const auto refuse = [&](std::string reason) {
    draft.refuse(std::move(reason));
    return std::nullopt;
  };
  const bool is_input = static_cast<bool>(draft.node().input(1));
  const std::optional<Ints> pads = is_input ? draft.ints(draft.node().input(1)) : draft.ints_attribute("pads");
  if (!pads) return refuse(fmt::format("`{}` is not a constant", is_input ? draft.in(1) : "pads"));
  Ints axes = counted(0, static_cast<std::int64_t>(rank));
  if (draft.node().input(3)) {
    const std::optional<Ints> given = draft.ints(draft.node().input(3));
    if (!given) return refuse(fmt::format("`{}` is not a constant", draft.in(3)));
    axes = *given;
  }
  if (pads->size() != axes.size() * 2) return std::nullopt;
  Pads all{Ints(rank, 0), Ints(rank, 0)};
  std::vector<bool> is_set(rank, false);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::optional<std::size_t> axis = plain_axis(axes[i], rank);
    if (!axis || is_set[*axis]) return std::nullopt;
    is_set[*axis] = true;
    all.before[*axis] = pads->at(i);
    all.after[*axis] = pads->at(i + axes.size());
  }
  return all;
}

/// Cuts off what negative pads cut off; they are 0 then. Before everything else, as ONNX Runtime does it.
Name cut(Writer& w, const Name& x, Pads& pads) {
  Ints axes;
  Ints starts;
  Ints ends;
  for (std::size_t i = 0; i < pads.before.size(); ++i) {
    if (pads.before[i] >= 0 && pads.after[i] >= 0) continue;
    constexpr std::int64_t kToTheEnd = std::int64_t{1} << 31;
    axes.push_back(static_cast<std::int64_t>(i));
    starts.push_back(std::max<std::int64_t>(-pads.before[i], 0));
    ends.push_back(pads.after[i] < 0 ? pads.after[i] : kToTheEnd);
    pads.before[i] = std::max<std::int64_t>(pads.before[i], 0);
    pads.after[i] = std::max<std::int64_t>(pads.after[i], 0);
  }
  return axes.empty() ? x : w.slice(x, starts, ends, axes);
}

/// Positions of one axis, repeated around as the mode says.
std::optional<Ints> places_of(std::string_view mode, std::int64_t size, std::int64_t before, std::int64_t after) {
  Ints places;
  for (std::int64_t i = -before; i < size + after; ++i) {
    if (mode == "wrap") {
      places.push_back(((i % size) + size) % size);
    } else if (mode == "edge") {
      places.push_back(std::clamp<std::int64_t>(i, 0, size - 1));
    } else if (mode == "reflect" && before < size && after < size) {
      places.push_back(i < 0 ? -i : i >= size ? 2 * (size - 1) - i : i);
    } else {
      return std::nullopt;
    }
  }
  return places;
}

std::optional<Name> gathered(Writer& w, Name x, const Pads& pads, std::string_view mode) {
  Draft& draft = w.draft();
  for (std::size_t i = 0; i < pads.before.size(); ++i) {
    if (pads.before[i] == 0 && pads.after[i] == 0) continue;
    const Dim dim = draft.in_shape(0).dims[i];
    if (!dim.is_literal()) {
      draft.refuse(fmt::format("the size of axis {} is not known", i));
      return std::nullopt;
    }
    const std::optional<Ints> places = places_of(mode, dim.value(), pads.before[i], pads.after[i]);
    if (!places) return std::nullopt;
    x = w.gather(x, draft.ints_constant(*places, "places"), static_cast<std::int64_t>(i));
  }
  return x;
}

bool make(Draft& draft, const Finding& finding) {
  const std::optional<std::size_t> rank = draft.rank(draft.node().input(0));
  if (!rank) return draft.refuse("the rank is not known");
  std::optional<Pads> pads = pads_of(draft, *rank);
  if (!pads) return false;
  const std::string mode = draft.text_attribute("mode", "constant");
  Writer w(draft);
  const bool is_by_gather = finding.fact == "pad-mode" || finding.fact == "pad-constant-zero";
  if (is_by_gather && (std::ranges::min(pads->before) < 0 || std::ranges::min(pads->after) < 0)) return false;
  Name x = cut(w, draft.in(0), *pads);
  if (is_by_gather) {
    const std::optional<Name> made = gathered(w, x, *pads, mode);
    if (!made) return false;
    draft.becomes(0, *made);
    draft.remove();
    draft.title(fmt::format("pad in mode `{}` by Gather", mode));
    return true;
  }
  if (is_zero(pads->before) && is_zero(pads->after)) {
    draft.becomes(0, x);
    draft.remove();
    draft.title(x == draft.in(0) ? "nothing is padded" : "cut off by Slice what negative pads cut off");
    return true;
  }
  if (mode != "constant" && x != draft.in(0)) return draft.refuse("a mode that repeats what is cut off");
  Ints all = pads->before;
  all.insert(all.end(), pads->after.begin(), pads->after.end());
  if (draft.node().input(1)) {
    Draft::Inputs inputs = {x, draft.ints_constant(all, "pads")};
    if (draft.node().input(2)) inputs.push_back(draft.in(2));
    draft.add(edit::SetInputs{draft.place(), std::move(inputs)});
  } else {
    if (x != draft.in(0)) draft.set_input(0, x);
    draft.set_attribute("pads", all);
  }
  draft.title(fmt::format("write the pads of every axis{}", x == draft.in(0) ? "" : ", cut off by Slice before"));
  return true;
}

constexpr std::string_view kOps[] = {"Pad"};
constexpr std::string_view kFindings[] = {"OPS401:pad-axes",          "OPS401:pad-axis-in-both-spellings",
                                          "OPS401:pad-constant-zero", "OPS401:pad-mode",
                                          "OPS401:pad-negative",      "OPS412:pad-axes-unread"};

}  // namespace

extern constinit const Cure cure{
    .name = "pad-form",
    .kind = CureClass::proven,
    .summary =
        "Pad with all pads written, by Slice where they are negative, by Gather "
        "in a mode that the release lacks",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::pad_form
