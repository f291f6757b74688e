// An attribute in the spelling that the parser reads: sizes that follow from the inputs, axes counted from the front,
// lists as long as they are read.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::attribute_written {
namespace {

bool write_hidden_size(Draft& draft) {
  const ValueShape& recurrence = draft.in_shape(2);
  if (!recurrence.has_rank || recurrence.rank() != 3 || !recurrence.dims[2].is_literal()) {
    return draft.refuse(fmt::format("the sizes of `{}` are not known", draft.in(2)));
  }
  draft.set_attribute("hidden_size", recurrence.dims[2].value());
  draft.title(fmt::format("write `hidden_size` as {}, the last size of `{}`", recurrence.dims[2].value(), draft.in(2)));
  return true;
}

/// ONNX counts as many for each direction as the cell has.
bool cut_activations(Draft& draft) {
  const Attribute* given = draft.node().attribute("activations");
  if (given == nullptr || given->type != AttributeType::strings) return false;
  const std::string_view op = draft.node().op_type;
  std::size_t count = op == "LSTM" ? 3 : op == "GRU" ? 2 : 1;
  if (draft.text_attribute("direction", "forward") == "bidirectional") count *= 2;
  if (given->strings().size() <= count) return false;
  std::vector<std::string> kept;
  for (const std::string_view name : given->strings().first(count)) kept.emplace_back(name);
  draft.set_attribute("activations", kept);
  draft.title(fmt::format("keep {} activations", count));
  return true;
}

bool write_batch_axis(Draft& draft) {
  const auto rank = draft.rank(draft.node().input(0));
  if (!rank) return false;
  for (const std::string_view name : {"batch_axis", "time_axis"}) {
    const std::int64_t axis = draft.int_attribute(name, 0);
    if (axis < 0) draft.set_attribute(name, axis + static_cast<std::int64_t>(*rank));
  }
  draft.title("count the axes from the front");
  return true;
}

bool drop_axis(Draft& draft) {
  const auto scales = draft.sizes(draft.node().input(1));
  if (!scales || std::ranges::any_of(*scales, [](std::int64_t size) { return size != 1; })) return false;
  draft.drop_attribute("axis");
  draft.title("drop `axis`: there is one scale");
  return true;
}

bool make(Draft& draft, const Finding& finding) {
  const std::string_view fact = finding.fact;
  if (fact.starts_with("rnn-hidden-size")) return write_hidden_size(draft);
  if (fact == "rnn-activations-many") return cut_activations(draft);
  if (fact == "reversesequence-negative-axis") return write_batch_axis(draft);
  if (fact == "dq-axis-range" || fact == "q-axis-range") return drop_axis(draft);
  const std::string_view unread = fact == "q-precision" ? "precision" : "stash_type";
  if (draft.node().attribute(unread) == nullptr) return false;
  draft.drop_attribute(unread);
  draft.promises(CureClass::rounding);
  draft.title(fmt::format("drop `{}`: it is computed in FLOAT", unread));
  return true;
}

constexpr std::string_view kFindings[] = {"OPS401:dq-axis-range",      "OPS401:q-axis-range",
                                          "OPS401:q-precision",        "OPS401:reversesequence-negative-axis",
                                          "OPS401:rmsnorm-stash-type", "OPS401:rnn-activations-many",
                                          "OPS401:rnn-hidden-size",    "OPS401:rnn-hidden-size-negative"};

}  // namespace

extern constinit const Cure cure{
    .name = "attribute-written",
    .kind = CureClass::proven,
    .summary = "an attribute is written as the parser reads it: hidden sizes, axes from the front",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::attribute_written
