// A Loop of a known, small number of turns: its body as often, one after the other.
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/cures/inlining.hpp"
#include "cure/draft.hpp"
#include "model/walk.hpp"

namespace trtcheck::cure::loop_unrolled {
namespace {

constexpr std::int64_t kMostTurns = 64;
constexpr std::int64_t kMostNodes = 2000;

/// The Loop that the finding is about: the node, or the innermost one around it.
NodeId loop_of(const Draft& draft) {
  const Model& model = draft.model();
  NodeId id = draft.id();
  while (id && model.node(id).op_type != "Loop") id = model.graph(model.node(id).graph).parent;
  return id;
}

GraphId body_of(const Node& loop) {
  const Attribute* body = loop.attribute("body");
  return body != nullptr ? body->g() : GraphId{};
}

bool is_true(Draft& draft, ValueId value) {
  const auto numbers = draft.ints(value);
  return numbers && numbers->size() == 1 && numbers->front() != 0;
}

/// Whether nothing but the trip count ends it.
bool runs_to_its_count(Draft& there, const Graph& body) {
  if (there.node().input(1) && !is_true(there, there.node().input(1))) return false;
  const ValueId goes_on = passed_on(there.model(), body.outputs[0]);
  return goes_on == body.inputs[1] || is_true(there, goes_on);
}

/// One turn. @returns names of the values that go into the next one
std::vector<std::string> write_turn(Draft& there, const Graph& body, GraphId id, std::int64_t turn,
                                    const std::vector<std::string>& carried,
                                    std::vector<std::vector<std::string>>& collected) {
  NamesOf given;
  const auto is_read = [&](ValueId value) {
    const auto collected_ones = std::span(body.outputs).subspan(1);
    return !there.model().value(value).users.empty() ||
           std::ranges::find(collected_ones, value) != collected_ones.end();
  };
  given[body.inputs[0]] = is_read(body.inputs[0]) ? there.int_constant(turn, "turn") : std::string();
  given[body.inputs[1]] = is_read(body.inputs[1]) ? there.scalar(1, DataType::boolean, "goes_on") : std::string();
  for (std::size_t i = 0; i < carried.size(); ++i) given[body.inputs[i + 2]] = carried[i];
  Inlining copy(there, id, false);
  copy.write(std::move(given), {});
  const std::vector<std::string>& outputs = copy.outputs();
  for (std::size_t i = 0; i < collected.size(); ++i) collected[i].push_back(outputs[1 + carried.size() + i]);
  return {outputs.begin() + 1, outputs.begin() + 1 + static_cast<std::ptrdiff_t>(carried.size())};
}

void write_collected(Draft& there, const std::string& name, const std::vector<std::string>& parts) {
  constexpr std::int64_t kAxesAsInput = 13;
  const bool is_input = there.opset() >= kAxesAsInput;
  Draft::Inputs lifted;
  for (const std::string& part : parts) {
    lifted.push_back(is_input ? there.op("Unsqueeze", {part, there.ints_constant({0}, "axes")})
                              : there.op("Unsqueeze", {part}, {{"axes", std::vector<std::int64_t>{0}}}));
  }
  there.op_to({name}, "Concat", lifted, {{"axis", std::int64_t{0}}});
}

/// @returns the number of turns; nothing: it is not known or too large, or the body is not what ONNX demands
std::optional<std::int64_t> turns(Draft& there, const Graph& body) {
  const Node& loop = there.node();
  if (loop.inputs.size() < 2 || body.inputs.size() != loop.inputs.size() ||
      body.outputs.size() + 1 < body.inputs.size())
    return std::nullopt;
  const auto count = there.ints(loop.input(0));
  if (!count || count->size() != 1 || !runs_to_its_count(there, body)) return std::nullopt;
  const bool collects = body.outputs.size() + 1 > body.inputs.size();
  if (count->front() < (collects ? 1 : 0) || count->front() > kMostTurns) return std::nullopt;
  if (count->front() * body.node_count > kMostNodes) return std::nullopt;
  return count->front();
}

bool make(Draft& draft, const Finding& finding) {
  const NodeId id = loop_of(draft);
  // Facts about nodes inside have cures of their own.
  if (!id || (!finding.fact.empty() && id != draft.id())) return false;
  Draft there = draft.at(id);
  const GraphId body_id = body_of(there.node());
  const Graph& body = draft.model().graph(body_id);
  const auto count = turns(there, body);
  if (!count) return draft.refuse("the number of turns of the Loop is not a known small one");
  if (const std::string why = Inlining(there, body_id, false).why_not(); !why.empty()) return draft.refuse(why);
  std::vector<std::string> carried;
  for (std::size_t i = 2; i < there.node().inputs.size(); ++i) carried.push_back(there.in(i));
  std::vector<std::vector<std::string>> collected(body.outputs.size() - 1 - carried.size());
  for (std::int64_t turn = 0; turn < *count; ++turn) {
    carried = write_turn(there, body, body_id, turn, carried, collected);
  }
  for (std::size_t i = 0; i < there.node().outputs.size(); ++i) {
    const std::string name = there.out(i);
    if (name.empty()) continue;
    if (i < carried.size()) {
      there.op_to({name}, "Identity", {carried[i]});
    } else if (i - carried.size() < collected.size()) {
      write_collected(there, name, collected[i - carried.size()]);
    }
  }
  there.remove();
  draft.join(there);
  draft.title(fmt::format("write the {} {} of Loop `{}` one after the other", *count,
                          *count == 1 ? "iteration" : "iterations", draft.model().node_label(id)));
  return true;
}

constexpr std::string_view kFindings[] = {"CTL101", "CTL103", "CTL105", "CTL108", "OPS401", "OPS411"};
}  // namespace

extern constinit const Cure cure{
    .name = "loop-unrolled",
    .kind = CureClass::proven,
    .summary = "a Loop of a known small number of turns is replaced by its turns",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::loop_unrolled
