// A Scan over a known, small number of rows: its body as often, one after the other.
#include <algorithm>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/inlining.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::scan_unrolled {
namespace {

constexpr std::int64_t kMostTurns = 64;
constexpr std::int64_t kMostNodes = 2000;
constexpr std::int64_t kWithoutBatch = 9;
constexpr std::int64_t kAxesAsInput = 13;

/// A Scan, and what its attributes say about it.
struct Scanned {
  std::size_t states = 0;
  std::vector<std::int64_t> axes;      ///< of each scanned input
  std::vector<std::int64_t> backward;  ///< of each scanned input: 1
  std::int64_t turns = 0;
};

bool is_default(const Draft& draft, std::string_view name) {
  const auto numbers = draft.ints_attribute(name);
  return !numbers || std::ranges::all_of(*numbers, [](std::int64_t number) { return number == 0; });
}

std::optional<Scanned> scanned(const Draft& draft, const Graph& body) {
  const std::size_t inputs = draft.node().inputs.size();
  const auto rows = static_cast<std::size_t>(draft.int_attribute("num_scan_inputs", 0));
  if (draft.opset() < kWithoutBatch || rows == 0 || rows > inputs || body.inputs.size() != inputs) return std::nullopt;
  if (!is_default(draft, "scan_output_axes") || !is_default(draft, "scan_output_directions")) return std::nullopt;
  Scanned made{.states = inputs - rows,
               .axes = draft.ints_attribute("scan_input_axes").value_or(std::vector<std::int64_t>(rows, 0)),
               .backward = draft.ints_attribute("scan_input_directions").value_or(std::vector<std::int64_t>(rows, 0))};
  if (made.axes.size() != rows || made.backward.size() != rows || body.outputs.size() < made.states)
    return std::nullopt;
  for (std::size_t i = 0; i < rows; ++i) {
    const ValueShape& shape = draft.in_shape(made.states + i);
    if (!shape.has_rank || shape.rank() == 0) return std::nullopt;
    if (made.axes[i] < 0) made.axes[i] += static_cast<std::int64_t>(shape.rank());
    const Dim length = shape.dims[static_cast<std::size_t>(made.axes[i])];
    if (!length.is_literal()) return std::nullopt;
    made.turns = length.value();
  }
  const bool is_small = made.turns > 0 && made.turns <= kMostTurns && made.turns * body.node_count <= kMostNodes;
  return is_small ? std::optional(made) : std::nullopt;
}

void write_collected(Draft& draft, const std::string& name, const std::vector<std::string>& parts) {
  Draft::Inputs lifted;
  for (const std::string& part : parts) {
    lifted.push_back(draft.opset() >= kAxesAsInput
                         ? draft.op("Unsqueeze", {part, draft.ints_constant({0}, "axes")})
                         : draft.op("Unsqueeze", {part}, {{"axes", std::vector<std::int64_t>{0}}}));
  }
  draft.op_to({name}, "Concat", lifted, {{"axis", std::int64_t{0}}});
}

/// The Scan that the finding is about: the node, or the innermost one around it.
NodeId scan_of(const Draft& draft) {
  const Model& model = draft.model();
  NodeId id = draft.id();
  while (id && model.node(id).op_type != "Scan") id = model.graph(model.node(id).graph).parent;
  return id;
}

bool unroll(Draft& draft) {
  const Attribute* attribute = draft.node().attribute("body");
  if (attribute == nullptr || !attribute->g()) return false;
  const Graph& body = draft.model().graph(attribute->g());
  const auto scan = scanned(draft, body);
  if (!scan) return draft.refuse("the number of rows of the Scan is not a known small one");
  if (const std::string why = Inlining(draft, attribute->g(), false).why_not(); !why.empty()) return draft.refuse(why);
  std::vector<std::string> states;
  for (std::size_t i = 0; i < scan->states; ++i) states.push_back(draft.in(i));
  std::vector<std::vector<std::string>> collected(body.outputs.size() - scan->states);
  for (std::int64_t turn = 0; turn < scan->turns; ++turn) {
    NamesOf given;
    for (std::size_t i = 0; i < states.size(); ++i) given[body.inputs[i]] = states[i];
    for (std::size_t i = 0; i < scan->axes.size(); ++i) {
      const std::string row = draft.int_constant(scan->backward[i] != 0 ? scan->turns - 1 - turn : turn, "row");
      given[body.inputs[scan->states + i]] =
          draft.op("Gather", {draft.in(scan->states + i), row}, {{"axis", scan->axes[i]}});
    }
    Inlining copy(draft, attribute->g(), false);
    copy.write(std::move(given), {});
    const auto first_row = copy.outputs().begin() + static_cast<std::ptrdiff_t>(scan->states);
    states.assign(copy.outputs().begin(), first_row);
    for (std::size_t i = 0; i < collected.size(); ++i) collected[i].push_back(copy.outputs()[scan->states + i]);
  }
  for (std::size_t i = 0; i < draft.node().outputs.size(); ++i) {
    const std::string name = draft.out(i);
    if (name.empty()) continue;
    if (i < states.size()) {
      draft.op_to({name}, "Identity", {states[i]});
    } else {
      write_collected(draft, name, collected[i - states.size()]);
    }
  }
  draft.remove();
  draft.title(fmt::format("write the {} turns of Scan `{}` one after the other", scan->turns,
                          draft.model().node_label(draft.id())));
  return true;
}

bool make(Draft& draft, const Finding& finding) {
  const NodeId id = scan_of(draft);
  // Facts about nodes inside have cures of their own.
  if (!id || (!finding.fact.empty() && id != draft.id())) return false;
  Draft there = draft.at(id);
  if (!unroll(there)) return draft.refuse(there.refusal());
  draft.join(there);
  draft.title(there.title());
  return true;
}

constexpr std::string_view kFindings[] = {"CTL101", "CTL103", "CTL108", "OPS401"};

}  // namespace

extern constinit const Cure cure{
    .name = "scan-unrolled",
    .kind = CureClass::proven,
    .summary = "a Scan over a known small number of rows is replaced by its turns",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::scan_unrolled
