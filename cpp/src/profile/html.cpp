// A proposal as a part of a page: the sizes with their reasons, what the check says of them, the commands.
#include <fmt/core.h>

#include "profile/wording.hpp"
#include "report/html_parts.hpp"
#include "text/printable.hpp"

namespace trtcheck::profiles {
namespace {

std::string sizes_html(const ProfileProposal& proposal) {
  if (proposal.choices.empty()) return "";
  std::string out =
      "<div class=\"models sizes stacked\"><table>\n<thead><tr><th scope=\"col\">Size</th><th scope=\"col\" "
      "class=\"number\">Min</th><th scope=\"col\" class=\"number\">Opt</th><th scope=\"col\" "
      "class=\"number\">Max</th><th scope=\"col\">Why</th></tr></thead>\n<tbody>\n";
  for (const SizeChoice& choice : proposal.choices) {
    out += fmt::format(
        "<tr><th scope=\"row\"><code>{}</code></th><td class=\"number\" data-label=\"min\">{}</td><td class=\"number\" "
        "data-label=\"opt\">{}</td><td class=\"number\" data-label=\"max\">{}</td><td data-label=\"why\">{} <span "
        "class=\"soft\">({})</span></td></tr>\n",
        escape_markup(choice.name, kMaxName), choice.min, choice.opt, choice.max, report::html_prose(choice.why),
        report::html_prose(axes_text(choice)));
  }
  return out + "</tbody>\n</table></div>\n";
}

std::string fit_html(const ProfileProposal& proposal) {
  if (proposal.inputs.empty()) return "";
  const Fit fit = fit_of(proposal);
  std::string out = fmt::format("<p><span class=\"badge {}\">{}</span></p>\n", to_string(fit.verdict), fit.text);
  if (proposal.findings.empty()) return out;
  out += "<ul>\n";
  for (const Finding& finding : proposal.findings) {
    out += fmt::format("<li>{} <span class=\"mono\">{}</span> {}</li>\n", to_string(finding.severity),
                       escape_markup(finding.rule->code), report::html_prose(finding.message));
  }
  return out + "</ul>\n";
}

}  // namespace

std::string html_part(const ProfileProposal& proposal) {
  std::string out;
  for (const std::string& line : left_to_write(proposal)) out += "<p>" + report::html_prose(line) + "</p>\n";
  if (out.empty() && proposal.inputs.empty()) out = "<p>No input is dynamic, no profile is needed.</p>\n";
  out += sizes_html(proposal) + fit_html(proposal);
  for (const ProfileCommand& command : proposal.commands) {
    out += fmt::format("<h3>{}</h3>\n<pre class=\"signature\">{}</pre>\n", escape_markup(command.tool),
                       escape_markup(command.text, command.text.size()));
  }
  return out;
}

}  // namespace trtcheck::profiles
