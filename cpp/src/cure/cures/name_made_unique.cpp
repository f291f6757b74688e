// Two nodes that make values of one name: what the first one makes gets another name, up to the second one.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::name_made_unique {
namespace {

/// The node in the graph of `of` that `user` is, or stands in.
std::uint32_t position_in(const Model& model, NodeId user, GraphId graph) {
  while (user && model.node(user).graph != graph) user = model.graph(model.node(user).graph).parent;
  return model.node(user).position;
}

bool make(Draft& draft, const Finding& finding) {
  const Model& model = draft.model();
  if (!draft.id()) return draft.refuse("which of the two is meant, the file does not say");
  for (std::uint32_t i = 0; i < model.value_count(); ++i) {
    const Value& value = model.value(ValueId{i});
    if (value.graph != draft.node().graph || value.name != finding.value) continue;
    if (!value.producer || value.producer == draft.id()) {
      return draft.refuse("which of the two is meant, the file does not say");
    }
    Draft first = draft.at(value.producer);
    const std::string name = draft.fresh(value.name);
    first.set_output(value.output, name);
    for (const Use& use : value.users) {
      if (position_in(model, use.node, value.graph) <= draft.node().position)
        first.set_input_of(use.node, use.input, name);
    }
    draft.join(first);
    draft.title(fmt::format("name the first `{}` `{}`, as far as the second one", value.name, name));
    return true;
  }
  return false;
}

constexpr std::string_view kFindings[] = {"MDL101"};

}  // namespace

extern constinit const Cure cure{
    .name = "name-made-unique",
    .kind = CureClass::choice,
    .summary = "of two values with one name the first gets another one, where it is read before the second is made",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::name_made_unique
