#include "why/explainer.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <trtcheck/error.hpp>

namespace trtcheck {

std::string_view to_string(WhyStep::Kind kind) noexcept {
  constexpr std::array<std::string_view, 6> kNames{"input", "constant", "computed", "decided", "claimed", "unknown"};
  return kNames[static_cast<std::size_t>(kind)];
}

namespace whys {
namespace {

using Part = TracePlace::Part;

/// A way may lead through every node of a model.
constexpr std::size_t kLongestWay = 2000;
constexpr std::size_t kBriefNodes = 6;

std::string place_text(const Model& model, const TracePlace& place) {
  const std::string_view name = model.value(place.value).name;
  if (place.part == Part::axis) return fmt::format("`{}` axis {}", name, place.index);
  if (place.part == Part::element) return fmt::format("`{}` element {}", name, place.index);
  return fmt::format("`{}`", name);
}

bool is_constant(const Model& model, ValueId id) {
  const NodeId producer = model.value(id).producer;
  return static_cast<bool>(model.constant(id)) || (producer && model.node(producer).op_type == "Constant");
}

}  // namespace

std::string Explainer::begins_here(const TracePlace& place) const {
  const NodeId producer = model_->value(place.value).producer;
  if (place.part == Part::shape) {
    const ValueShape& shape = tracer_.shapes()[place.value];
    return shape.has_rank || (shape.reason_node && shape.reason_node != producer) ? "" : std::string(shape.reason);
  }
  const std::optional<Dim> dim = tracer_.at(place);
  if (!dim) return {};
  for (const Origin& origin : tracer_.shapes().dims().origins(*dim)) {
    const bool is_own = producer ? origin.node == producer.index : origin.node == Origin::kNone;
    // What the file leaves open has no node.
    if (is_own || origin.node == Origin::kNone) return std::string(origin.reason);
  }
  return {};
}

WhyStep Explainer::step(const TracePlace& place) {
  const Value& value = model_->value(place.value);
  WhyStep made{
      .value = std::string(value.name), .graph = model_->graph_path(value.graph), .text = place_text(*model_, place)};
  if (place.part == Part::axis) made.axis = place.index;
  if (place.part == Part::element) made.element = place.index;
  if (const std::optional<Dim> dim = tracer_.at(place)) {
    made.size = tracer_.shapes().dims().text(*dim);
  } else {
    made.size = "?";
  }
  if (value.producer) {
    const rules::Provenance& from = lines_.of(value.producer);
    made.node = model_->node_label(value.producer);
    made.op_type = model_->node(value.producer).op_type;
    made.module = from.module;
    made.source = from.lines.source;
  }
  return made;
}

std::vector<TracePlace> Explainer::followed(const TracePlace& place, WhyStep& made) {
  const Value& value = model_->value(place.value);
  if (is_constant(*model_, place.value)) {
    made.kind = WhyStep::Kind::constant;
    return {};
  }
  if (value.is_input && value.graph == GraphId{0}) {
    made.kind = WhyStep::Kind::input;
    made.reason = begins_here(place);
    return {};
  }
  if (std::string reason = begins_here(place); !reason.empty()) {
    made.kind = WhyStep::Kind::unknown;
    made.reason = std::move(reason);
    return {};
  }
  std::vector<TracePlace> sources = tracer_.sources(place);
  std::erase(sources, place);
  if (sources.empty()) {
    made.kind = tracer_.shapes()[place.value].assumed ? WhyStep::Kind::claimed : WhyStep::Kind::decided;
    return {};
  }
  // Handed on as it is: one input says it all.
  const std::optional<Dim> dim = tracer_.at(place);
  const std::optional<Dim> first = tracer_.at(sources.front());
  const bool is_body = model_->value(sources.front().value).graph != value.graph;
  if (dim && first && first->same(*dim) && !is_body) sources.resize(1);
  return sources;
}

std::vector<WhyStep> Explainer::steps(std::vector<TracePlace> starts, std::size_t most, bool& is_cut) {
  std::vector<TracePlace> places = std::move(starts);
  std::vector<WhyStep> made;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const TracePlace place = places[i];
    WhyStep next = step(place);
    for (const TracePlace& source : followed(place, next)) {
      const auto known = std::ranges::find(places, source);
      if (known == places.end() && places.size() >= most) {
        is_cut = true;
        continue;
      }
      next.from.push_back(static_cast<std::size_t>(known - places.begin()));
      if (known == places.end()) places.push_back(source);
    }
    made.push_back(std::move(next));
  }
  return made;
}

Why Explainer::of(ValueId value, std::optional<std::size_t> axis) {
  const ValueShape& shape = tracer_.shapes()[value];
  const Value& of = model_->value(value);
  Why made{.value = std::string(of.name),
           .graph = model_->graph_path(of.graph),
           .axis = axis,
           .shape = tracer_.shapes().text(value)};
  std::vector<TracePlace> starts;
  if (axis && (!shape.has_rank || *axis >= shape.rank())) {
    throw Error("", shape.has_rank ? fmt::format("`{}` has no axis {}: it has {}", of.name, *axis, shape.rank())
                                   : fmt::format("`{}` has no axis {}: its rank is not known", of.name, *axis));
  }
  if (axis) {
    starts.push_back({value, Part::axis, static_cast<std::uint32_t>(*axis)});
  } else if (shape.has_rank) {
    for (std::uint32_t i = 0; i < shape.rank(); ++i) starts.push_back({value, Part::axis, i});
  } else {
    starts.push_back({value, Part::shape, 0});
  }
  for (std::size_t i = 0; i < starts.size(); ++i) made.starts.push_back(i);
  made.steps = steps(std::move(starts), kLongestWay, made.is_cut);
  return made;
}

std::string brief(std::span<const WhyStep> steps, std::size_t start) {
  std::vector<std::string> through;
  std::size_t at = start;
  for (std::size_t count = 0; count < steps.size() && !steps[at].from.empty(); ++count) {
    if (!steps[at].node.empty()) through.push_back(fmt::format("{} `{}`", steps[at].op_type, steps[at].node));
    at = steps[at].from.front();
  }
  const WhyStep& last = steps[at];
  std::string out = fmt::format("{} is {}", steps[start].text, steps[start].size);
  switch (last.kind) {
    case WhyStep::Kind::input:
      out += at == start ? ", an input of the model" : fmt::format(": input {}", last.text);
      break;
    case WhyStep::Kind::constant:
      out += at == start ? ", a constant of the model" : fmt::format(": constant {}", last.text);
      break;
    case WhyStep::Kind::unknown:
      out += fmt::format(": {} (at `{}`)", last.reason, last.node);
      break;
    case WhyStep::Kind::claimed:
      out += ": the file declares it";
      break;
    default:
      out += fmt::format(": decided by {} `{}`", last.op_type, last.node);
  }
  if (through.empty()) return out;
  std::ranges::reverse(through);
  const std::size_t left_out = through.size() > kBriefNodes ? through.size() - kBriefNodes : 0;
  through.resize(through.size() - left_out);
  return out + fmt::format(", through {}{}", fmt::join(through, ", "),
                           left_out > 0 ? fmt::format(" and {} more", left_out) : "");
}

}  // namespace whys

Why why(const Model& model, const InferOptions& options, ValueId value, std::optional<std::size_t> axis) {
  whys::Explainer explainer(model, options);
  return explainer.of(value, axis);
}

}  // namespace trtcheck
