// What stands below the rows of `trtcheck shapes`, as text.
#include <algorithm>

#include <fmt/format.h>

#include "one_report/shapes_lines.hpp"
#include "one_report/shapes_listing.hpp"
#include "report/wording.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::one_report {
namespace {

/// Longer runs of nodes that hand a size on as it is are cut in the middle.
constexpr std::size_t kLongRun = 8;
constexpr std::size_t kShownOfRun = 2;
constexpr std::size_t kMostLines = 200;

std::string node_text(const WhyStep& step) {
  return fmt::format("{} `{}`{}", step.op_type, step.node, report::line_in_brackets(step.source));
}

std::string made_by(const WhyStep& step) {
  switch (step.kind) {
    case WhyStep::Kind::input:
      return step.reason.empty() ? "input of the model" : "input of the model: " + step.reason;
    case WhyStep::Kind::constant:
      return "constant of the model";
    case WhyStep::Kind::computed:
      // A parameter of a body is made by no node.
      return step.node.empty() ? "handed to the body" : node_text(step);
    case WhyStep::Kind::decided:
      return step.node.empty() ? "decided by the node around the body" : node_text(step) + " decides it by itself";
    case WhyStep::Kind::claimed:
      return (step.node.empty() ? "" : node_text(step) + ", ") + "as the file declares";
    case WhyStep::Kind::unknown:
      return fmt::format("{}: unknown from here on, {}", node_text(step), step.reason);
  }
  return {};
}

/// "from 3 and 4"; the one on the next line is not named.
std::string from_text(const WhyStep& step, std::size_t at) {
  if (step.from.empty() || (step.from.size() == 1 && step.from[0] == at + 1)) return {};
  std::string out;
  for (std::size_t i = 0; i < step.from.size(); ++i) {
    const std::string_view between = i == 0 ? "" : i + 1 == step.from.size() ? " and " : ", ";
    out += fmt::format("{}{}", between, step.from[i] + 1);
  }
  return ", from " + out;
}

/// The step hands the size of the next line on.
bool hands_on(const std::vector<WhyStep>& steps, std::size_t at) {
  const WhyStep& step = steps[at];
  return step.kind == WhyStep::Kind::computed && step.from.size() == 1 && step.from[0] == at + 1 &&
         steps[at + 1].size == step.size;
}

std::string place_text(const WhyStep& step) {
  return step.graph == "main" ? step.text : fmt::format("{} in {}", step.text, step.graph);
}

template <class Fact>
std::string at_node(const Fact& fact) {
  return fmt::format("{} `{}`{}", fact.op_type, fact.node, report::line_in_brackets(fact.source));
}

std::string section(std::string_view heading, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string out = fmt::format("{}:\n", heading);
  for (const std::string& line : lines) out += printable(line) + "\n";
  return out;
}

}  // namespace

std::string unknown_line(const Model& model, const NamedUnknown& unknown) {
  return fmt::format("{}: {} ({} `{}`)", bounds_text(unknown), unknown.origin.reason, model.node(unknown.node).op_type,
                     model.node_label(unknown.node));
}

std::string demand_line(const SizeDemand& demand) {
  const std::string others = demand.others == 0 ? "" : fmt::format(" and {}", counted(demand.others, "other node"));
  return fmt::format("{}: forced by {}{}", demand.text, at_node(demand), others);
}

std::string conflict_line(const SizeConflict& conflict) {
  const std::string taken = conflict.taken_as.empty() ? "" : fmt::format(" (TensorRT: {})", conflict.taken_as);
  return fmt::format("{}: {}{}", at_node(conflict), conflict.message, taken);
}

std::string why_heading(const Why& why) {
  const std::string place = why.axis ? fmt::format("axis {} of ", *why.axis) : "";
  return fmt::format("why {}`{}` is {}", place, why.value, why.axis ? why.steps[0].size : why.shape);
}

std::string why_line(const std::vector<WhyStep>& steps, std::size_t at) {
  const WhyStep& step = steps[at];
  return fmt::format("{} = {}: {}{}", place_text(step), step.size, made_by(step), from_text(step, at));
}

std::vector<std::size_t> shown_steps(const std::vector<WhyStep>& steps) {
  std::vector<std::size_t> shown;
  for (std::size_t at = 0; at < steps.size();) {
    std::size_t end = at;
    while (end + 1 < steps.size() && hands_on(steps, end)) ++end;
    const bool is_long = end - at > kLongRun;
    for (std::size_t i = at; i <= end; ++i) {
      if (!is_long || i < at + kShownOfRun || i + kShownOfRun > end) shown.push_back(i);
    }
    at = end + 1;
  }
  return shown;
}

std::string why_text(const Why& why) {
  std::string out = printable(why_heading(why)) + "\n";
  const std::vector<std::size_t> shown = shown_steps(why.steps);
  const std::size_t width = std::to_string(why.steps.size()).size();
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (i == kMostLines) {
      out += fmt::format("  and {}: `--output-format json` has all\n", counted(shown.size() - i, "more step"));
      break;
    }
    if (i > 0 && shown[i] > shown[i - 1] + 1) {
      out += fmt::format("  {:>{}}  {} pass it on as it is\n", "...", std::max<std::size_t>(width, 3),
                         counted(shown[i] - shown[i - 1] - 1, "node"));
    }
    out += fmt::format("  {:>{}}  {}\n", shown[i] + 1, width, printable(why_line(why.steps, shown[i])));
  }
  if (why.is_cut) out += "  and more: the way is longer than this\n";
  return out;
}

std::string shapes_notes(const ShapesListing& listing) {
  std::vector<std::string> unknown, demands, conflicts;
  for (const NamedUnknown& each : listing.unknowns.all()) unknown.push_back("  " + unknown_line(listing.model, each));
  for (const SizeDemand& each : listing.facts.demands) demands.push_back("  " + demand_line(each));
  for (const SizeConflict& each : listing.facts.conflicts) {
    conflicts.push_back("  " + conflict_line(each));
    for (const std::string& side : each.sides) conflicts.push_back("    " + side);
  }
  std::string out;
  for (const Why& why : listing.whys) out += why_text(why);
  return out + section("sizes that are known when the model runs", unknown) + section("must hold", demands) +
         section("cannot hold", conflicts);
}

}  // namespace trtcheck::one_report
