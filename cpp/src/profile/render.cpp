// A proposal as text and as JSON.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include <trtcheck/error.hpp>
#include <trtcheck/profile.hpp>

#include "profile/wording.hpp"
#include "report/envelope.hpp"
#include "report/json_values.hpp"
#include "report/style.hpp"
#include "target/profile_text.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck {
namespace {

using report::Json;
using report::json_value;

std::string range_text(const SizeChoice& choice) { return fmt::format("{}:{}:{}", choice.min, choice.opt, choice.max); }

}  // namespace

std::string profiles::axes_text(const SizeChoice& choice) {
  constexpr std::size_t kShown = 4;
  const std::span all(choice.axes);
  const std::string text = fmt::format("{}", fmt::join(all.first(std::min(all.size(), kShown)), ", "));
  return all.size() <= kShown ? text : fmt::format("{} and {} more", text, all.size() - kShown);
}

namespace {

/// Where nobody asked for a size, all that could be tried were.
std::string_view misfit_text(const ProfileProposal& proposal) {
  const bool is_given = std::ranges::any_of(
      proposal.choices, [](const SizeChoice& choice) { return choice.why.find("given by ") != std::string::npos; });
  return is_given ? "it does not fit: no command would work" : "no size fits: no command would work";
}

}  // namespace

profiles::Fit profiles::fit_of(const ProfileProposal& proposal) noexcept {
  if (proposal.findings.empty()) return {Verdict::clean, "it fits"};
  if (proposal.fits()) return {Verdict::uncertain, "it fits, with this to know"};
  return {Verdict::refused, misfit_text(proposal)};
}

std::vector<std::string> profiles::left_to_write(const ProfileProposal& proposal) {
  std::vector<std::string> lines;
  for (const std::string& name : proposal.shapeless) {
    lines.push_back(fmt::format("input `{}` states no shape: write its sizes yourself", name));
  }
  for (const std::string& name : proposal.valued) {
    lines.push_back(fmt::format(
        "input `{}` holds a shape: the builder needs its values in the profile, write them yourself", name));
  }
  return lines;
}

namespace {

std::string verdict_text(const ProfileProposal& proposal, const report::Style& style) {
  const profiles::Fit fit = profiles::fit_of(proposal);
  std::string out = style.verdict(fit.verdict, fit.text) + "\n";
  for (const Finding& finding : proposal.findings) {
    out += fmt::format(
        "  {} {}\n",
        style.severity(finding.severity, fmt::format("{}[{}]", to_string(finding.severity), finding.rule->code)),
        printable(finding.message));
  }
  return out;
}

std::string commands_text(const ProfileProposal& proposal) {
  std::string out;
  for (const ProfileCommand& command : proposal.commands) out += "\n" + printable(command.text) + "\n";
  return out;
}

std::string text_of(const ProfileProposal& proposal, const report::Style& style) {
  const std::string path = printable(proposal.path.empty() ? "model" : proposal.path);
  std::string out;
  for (const std::string& line : profiles::left_to_write(proposal)) out += printable(line) + "\n";
  if (proposal.inputs.empty()) {
    if (out.empty()) out = path + ": no input is dynamic, no profile is needed\n";
    return out + commands_text(proposal);
  }
  out += fmt::format("{}: {}\n", style.bold(path), counted(proposal.choices.size(), "dynamic size"));
  std::size_t name_width = 0;
  std::size_t range_width = 0;
  for (const SizeChoice& choice : proposal.choices) {
    name_width = std::max(name_width, std::min<std::size_t>(display_width(printable(choice.name)), 24));
    range_width = std::max(range_width, range_text(choice).size());
  }
  for (const SizeChoice& choice : proposal.choices) {
    const std::string name = printable(choice.name);
    const std::size_t taken = display_width(name);
    out += "  " + style.bold(name) + std::string(name_width > taken ? name_width - taken : 0, ' ');
    out += fmt::format("  {:<{}}  {}  ", range_text(choice), range_width, printable(choice.why));
    out += style.dim(fmt::format("({})", printable(profiles::axes_text(choice)))) + "\n";
  }
  out += "\n" + verdict_text(proposal, style);
  return out + commands_text(proposal);
}

std::string json_of(const ProfileProposal& proposal) {
  Json profile = Json::array();
  for (const ProfileInput& input : proposal.inputs) {
    profile.push_back({{"name", valid_utf8(input.name)}, {"min", input.min}, {"opt", input.opt}, {"max", input.max}});
  }
  Json choices = Json::array();
  for (const SizeChoice& choice : proposal.choices) {
    Json axes = Json::array();
    for (const std::string& axis : choice.axes) axes.push_back(valid_utf8(axis));
    choices.push_back({{"name", valid_utf8(choice.name)},
                       {"axes", std::move(axes)},
                       {"min", choice.min},
                       {"opt", choice.opt},
                       {"max", choice.max},
                       {"why", valid_utf8(choice.why)}});
  }
  Json shapeless = Json::array();
  for (const std::string& name : proposal.shapeless) shapeless.push_back(valid_utf8(name));
  Json valued = Json::array();
  for (const std::string& name : proposal.valued) valued.push_back(valid_utf8(name));
  Json commands = Json::array();
  for (const ProfileCommand& command : proposal.commands) {
    commands.push_back({{"tool", command.tool}, {"text", valid_utf8(command.text)}});
  }
  return report::document_text(report::enveloped(
      {{"path", valid_utf8(proposal.path)},
       {"needs_profile", !proposal.inputs.empty() || !proposal.shapeless.empty() || !proposal.valued.empty()},
       {"fits", proposal.fits()},
       {"profile", std::move(profile)},
       {"dims", std::move(choices)},
       {"shapeless", std::move(shapeless)},
       {"valued", std::move(valued)},
       {"findings", json_value(proposal.findings)},
       {"commands", std::move(commands)}}));
}

}  // namespace

std::string render(const ProfileProposal& proposal, const RenderOptions& options) {
  if (options.format == Format::json) return json_of(proposal);
  if (options.format == Format::full) return text_of(proposal, report::Style(options.color));
  throw Error("", "a proposed profile is printed as full or json");
}

}  // namespace trtcheck
