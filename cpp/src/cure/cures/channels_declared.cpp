// A graph input that leaves open what a convolution behind it demands: the number of channels is declared.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"
#include "edit/declared_dim.hpp"

namespace trtcheck::cure::channels_declared {
namespace {

std::optional<std::int64_t> wanted_channels(const Draft& draft) {
  const auto sizes = draft.sizes(draft.node().input(1));
  const std::string_view op = draft.node().op_type;
  if (!sizes || sizes->empty()) return std::nullopt;
  if (op == "BatchNormalization" || op == "ConvTranspose") return sizes->front();
  if (op != "Conv" || sizes->size() < 2) return std::nullopt;
  return (*sizes)[1] * draft.int_attribute("group", 1);
}

/// The declared type with numbers where the dim is the one that is asked for; nothing: it is not among them.
std::optional<edit::TypeValue> declared_with(const Draft& draft, ValueId input, Dim dim, std::int64_t number) {
  const Type& type = draft.model().type(draft.model().value(input).declared);
  const ValueShape& shape = draft.shapes()[input];
  if (type.kind != Type::Kind::tensor || !type.has_shape || !shape.has_rank) return std::nullopt;
  edit::TypeValue value{.type = type.element, .dims = std::vector<edit::DimValue>{}};
  bool is_here = false;
  for (std::size_t axis = 0; axis < type.dims.size() && axis < shape.rank(); ++axis) {
    edit::DimValue made = edit::as_declared(type.dims[axis]);
    if (!shape.dims[axis].is_literal() && shape.dims[axis].same(dim)) {
      made = number;
      is_here = true;
    }
    value.dims->push_back(made);
  }
  return is_here ? std::optional(value) : std::nullopt;
}

bool make(Draft& draft, const Finding& finding) {
  const ValueShape& data = draft.in_shape(0);
  const auto number = wanted_channels(draft);
  if (finding.fix && finding.fix->node_id) return false;
  if (!data.has_rank || data.rank() < 2 || data.dims[1].is_literal() || !number) return false;
  std::string names;
  for (const ValueId input : draft.model().graph().inputs) {
    if (!draft.model().is_network_input(input)) continue;
    const auto declared = declared_with(draft, input, data.dims[1], *number);
    if (!declared) continue;
    const std::string name(draft.model().value(input).name);
    draft.add(edit::DeclareType{{}, name, *declared});
    names += (names.empty() ? "`" : ", `") + name + "`";
  }
  draft.title(fmt::format("declare {} channels for {}", *number, names));
  return true;
}

constexpr std::string_view kFindings[] = {"WGT101", "WGT102", "WGT206"};

}  // namespace

extern constinit const Cure cure{
    .name = "channels-declared",
    .kind = CureClass::interface,
    .summary = "a graph input declares the number of channels that a convolution after it requires",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::channels_declared
