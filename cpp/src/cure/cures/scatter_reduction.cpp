// ScatterElements and ScatterND with a reduction, which few releases have: every update is compared with every place
// (Equal), those that belong there are kept (Where) and reduced, and the result meets the data.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/writer.hpp"

namespace trtcheck::cure::scatter_reduction {
namespace {

using Ints = Writer::Ints;
using Name = Writer::Name;

// Places times updates: half a gigabyte of FLOAT.
constexpr std::int64_t kMostElements = std::int64_t{1} << 27;

struct Form {
  std::string_view reduce;
  std::string_view combine;
  double neutral;
};

std::optional<Form> form_of(std::string_view reduction) {
  if (reduction == "add") return Form{"ReduceSum", "Add", 0};
  if (reduction == "mul") return Form{"ReduceProd", "Mul", 1};
  if (reduction == "max") return Form{"ReduceMax", "Max", 0};
  if (reduction == "min") return Form{"ReduceMin", "Min", 0};
  return std::nullopt;
}

bool keeps_itself(const Form& form) { return form.combine == "Max" || form.combine == "Min"; }

/// Indices that count from the front: as they are where that is known.
Name front_indices(Writer& w, const Name& size, DataType type) {
  Draft& draft = w.draft();
  const std::optional<Ints> known = draft.ints(draft.node().input(1));
  if (known && std::ranges::all_of(*known, [](std::int64_t i) { return i >= 0; })) return draft.in(1);
  return w.from_the_front(draft.in(1), size, type);
}

/// The updates that belong to each place, reduced over the updates, with the data. For the largest and the smallest
/// what does not belong there is the data, which changes nothing.
Name reduced(Writer& w, const Form& form, const Name& belongs, const Name& updates, const Name& data,
             const Name& data_here, std::int64_t axis, DataType type) {
  const Name neutral = keeps_itself(form) ? data_here : w.draft().scalar(form.neutral, type, "neutral");
  const Name made = w.reduce(form.reduce, w.where(belongs, updates, neutral), {axis}, false);
  return w.op(form.combine, {data, made});
}

bool refuse_size(Draft& draft, std::int64_t places, std::int64_t updates) {
  return draft.refuse(
      fmt::format("{} places times {} updates are too many to compare each with each", places, updates));
}

bool scatter_elements(Writer& w, const Form& form, DataType type, DataType index_type) {
  Draft& draft = w.draft();
  const std::optional<std::size_t> rank = draft.rank(draft.node().input(0));
  if (!rank || draft.rank(draft.node().input(1)) != rank || *rank == 0) return draft.refuse("ranks are not known");
  const std::optional<std::size_t> axis = plain_axis(draft.int_attribute("axis", 0), *rank);
  if (!axis) return false;
  const ValueShape& data = draft.in_shape(0);
  const ValueShape& indices = draft.in_shape(1);
  std::int64_t elements = 1;
  for (std::size_t i = 0; i < *rank; ++i) {
    if (i != *axis && draft.dims().equal(data.dims[i], indices.dims[i]) != Truth::yes) {
      return draft.refuse(fmt::format("axis {} of the indices is not known to be as long as that of the data", i));
    }
    if (data.dims[i].is_literal()) elements *= std::max<std::int64_t>(data.dims[i].value(), 1);
  }
  const Dim count = indices.dims[*axis];
  const std::int64_t updates = count.is_literal() ? std::max<std::int64_t>(count.value(), 1) : 1;
  if (elements > kMostElements / updates) return refuse_size(draft, elements, updates);

  const auto at = static_cast<std::int64_t>(*axis);
  Ints behind;
  for (std::size_t i = *axis + 1; i < *rank + 1; ++i) behind.push_back(static_cast<std::int64_t>(i - *axis));
  const Name from_front = front_indices(w, w.size(draft.node().input(0), *axis), index_type);
  Name places = w.places(draft.node().input(0), *axis);
  if (index_type != DataType::int64) places = w.cast(places, index_type);
  const Name belongs = w.op("Equal", {w.unsqueeze(from_front, {at}), w.unsqueeze(places, behind)});
  const Name here = keeps_itself(form) ? w.unsqueeze(draft.in(0), {at + 1}) : Name();
  const Name result = reduced(w, form, belongs, w.unsqueeze(draft.in(2), {at}), draft.in(0), here, at + 1, type);
  draft.becomes(0, result);
  return true;
}

/// One number for each index of several: row-major, of sizes d0, d1, ...
Name flat_indices(Writer& w, const Ints& sizes, DataType index_type) {
  Draft& draft = w.draft();
  const std::size_t depth = sizes.size();
  const Name front = front_indices(w, draft.ints_constant(sizes, "sizes"), index_type);
  if (depth == 1) return w.reshape(front, {-1, 1});
  Ints strides(depth, 1);
  for (std::size_t i = depth - 1; i > 0; --i) strides[i - 1] = strides[i] * sizes[i];
  Name factors = draft.ints_constant(strides, "strides");
  if (index_type != DataType::int64) factors = w.cast(factors, index_type);
  const Name flat = w.reduce("ReduceSum", w.mul(front, factors), {-1}, false);
  return w.reshape(flat, {-1, 1});
}

bool scatter_nd(Writer& w, const Form& form, DataType type, DataType index_type) {
  Draft& draft = w.draft();
  const ValueId data = draft.node().input(0);
  const std::optional<Ints> sizes = draft.sizes(data);
  const std::optional<std::size_t> index_rank = draft.rank(draft.node().input(1));
  if (!sizes || !index_rank || *index_rank == 0) {
    return draft.refuse(fmt::format("sizes of `{}` are not all known", draft.in(0)));
  }
  const Dim last = draft.in_shape(1).dims.back();
  if (!last.is_literal() || last.value() < 1 || last.value() > static_cast<std::int64_t>(sizes->size())) {
    return draft.refuse("it is not known how many axes the indices are about");
  }
  const Ints about(sizes->begin(), sizes->begin() + last.value());
  std::int64_t places = 1;
  std::int64_t rest = 1;
  std::int64_t updates = 1;
  for (std::size_t i = 0; i < sizes->size(); ++i) (i < about.size() ? places : rest) *= sizes->at(i);
  for (const Dim dim : draft.in_shape(1).dims) updates *= dim.is_literal() ? std::max<std::int64_t>(dim.value(), 1) : 1;
  updates /= last.value();
  if (places * rest == 0) return false;
  if (updates > kMostElements / (places * rest)) return refuse_size(draft, places * rest, updates);

  const Name flat = flat_indices(w, about, index_type);
  Name numbers = w.counting(places);
  if (index_type != DataType::int64) numbers = w.cast(numbers, index_type);
  // [updates, 1] and [places] make [updates, places]; with a last axis for the slices that are updated.
  const Name belongs = w.unsqueeze(w.op("Equal", {flat, numbers}), {2});
  const Name table = w.reshape(draft.in(0), {places, rest});
  const Name rows = w.reshape(draft.in(2), {-1, 1, rest});
  const Name result = reduced(w, form, belongs, rows, table, table, 0, type);
  draft.becomes(0, w.reshape(result, *sizes));
  return true;
}

bool make(Draft& draft, const Finding& /*finding*/) {
  const std::string reduction = draft.text_attribute("reduction", "none");
  if (reduction == "none") {
    if (draft.node().attribute("reduction") == nullptr) return false;
    draft.title("drop `reduction` = \"none\", which is what happens without it");
    draft.drop_attribute("reduction");
    draft.promises(CureClass::proven);
    return true;
  }
  const std::optional<Form> form = form_of(reduction);
  const std::optional<DataType> type = draft.type(draft.node().input(0));
  const std::optional<DataType> index_type = draft.type(draft.node().input(1));
  if (!form) return false;
  if (!type || !index_type) return draft.refuse("element types are not known");
  if (!is_float(*type) && !is_integer(*type)) return draft.refuse("only numbers can be reduced");
  draft.title(fmt::format("compare places with indices, and {} what belongs there", form->combine == "Add" ? "add"
                                                                                    : form->combine == "Mul"
                                                                                        ? "multiply"
                                                                                        : "keep the extreme of"));
  // Whole numbers have no rounding, the largest of several numbers neither.
  if (is_integer(*type) || keeps_itself(*form)) draft.promises(CureClass::proven);
  Writer w(draft);
  const bool is_made = draft.node().op_type == "ScatterND" ? scatter_nd(w, *form, *type, *index_type)
                                                           : scatter_elements(w, *form, *type, *index_type);
  if (is_made) draft.remove();
  return is_made;
}

constexpr std::string_view kOps[] = {"ScatterElements", "ScatterND"};
constexpr std::string_view kFindings[] = {"OPS401:scatterelements-no-reduction",
                                          "OPS401:scatternd-no-reduction",
                                          "OPS412:scatterelements-reduction-unread",
                                          "OPS412:scatternd-reduction-unread",
                                          "OPS414:scatterelements-plugin-data",
                                          "OPS414:scatterelements-plugin-indices",
                                          "OPS305"};

}  // namespace

extern constinit const Cure cure{
    .name = "scatter-reduction",
    .kind = CureClass::rounding,
    .summary = "a scatter with a reduction becomes a comparison of places with indices; reduction \"none\" is dropped",
    .findings = kFindings,
    .ops = kOps,
    .make = make,
};

}  // namespace trtcheck::cure::scatter_reduction
