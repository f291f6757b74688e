// One page in the style of the HTML report, no script: a table of all models, and below it a card for each.
#include <utility>

#include <fmt/core.h>

#include "report/formats.hpp"
#include "report/html_parts.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"
#include "witness/wording.hpp"

namespace trtcheck::witness {
namespace {

using report::html_prose;

std::string path_of(const Confirmation& c) { return escape_markup(report::display_path(c.report)); }

std::string_view class_of(Agreement agreement) {
  if (agreement == Agreement::not_judged) return "uncertain";
  return agreement == Agreement::agree ? "clean" : "refused";
}

std::string badge(const Confirmation& c) {
  return fmt::format("<span class=\"badge {}\">{}</span>", class_of(c.agreement), to_string(c.agreement));
}

std::string row(const Confirmation& c, std::size_t number) {
  const std::string requested =
      c.requested ? fmt::format("<br><span class=\"soft\">{}: {}</span>", release_text(c.requested->target.release),
                                html_prose(requested_text(c)))
                  : "";
  return fmt::format(
      "<tr><th scope=\"row\"><a href=\"#m{}\">{}</a></th><td>{}</td><td class=\"said\">{}</td><td>{}</td></tr>\n",
      number, path_of(c), badge(c), html_prose(outcome_text(c)) + requested, escape_markup(measured_text(c)));
}

std::string table(std::span<const Confirmation> all) {
  if (all.empty()) return "";
  std::string out =
      "<div class=\"models answers stacked\"><table>\n<thead><tr><th scope=\"col\">Model</th><th "
      "scope=\"col\">Agreement</th><th scope=\"col\">Witness</th><th "
      "scope=\"col\">Measured</th></tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < all.size(); ++i) out += row(all[i], i + 1);
  return out + "</tbody>\n</table></div>\n";
}

/// Of several witnesses: what each says of each model.
std::string html_side_by_side(std::span<const Confirmation> all) {
  const std::vector<Witness> witnesses = witnesses_of(all);
  if (witnesses.size() < 2) return "";
  std::string out = "<div class=\"models stacked\"><table>\n<thead><tr><th scope=\"col\">Model</th>";
  for (const Witness& each : witnesses) {
    out += fmt::format("<th scope=\"col\">{}</th>", escape_markup(branch_text(each)));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const std::span<const Confirmation> of_model : by_model(all)) {
    out += fmt::format("<tr><th scope=\"row\">{}</th>", path_of(of_model.front()));
    for (const Witness& each : witnesses) out += fmt::format("<td>{}</td>", answer_text(of_model, each));
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table></div>\n";
}

/// A term of the list, and what is said of it; nothing where there is nothing. Both are HTML.
std::string item(std::string_view term, std::string_view html) {
  return html.empty() ? "" : fmt::format("<dt>{}</dt><dd>{}</dd>\n", term, html);
}

std::string list_of(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) {
    if (!text.empty()) out += fmt::format("<li>{}</li>", html_prose(text));
  }
  return out.empty() ? out : "<ul>" + out + "</ul>";
}

std::string requested(const Confirmation& c) {
  if (!c.requested) return "";
  return item(release_text(c.requested->target.release),
              html_prose(requested_text(c)) + list_of(finding_texts(*c.requested)));
}

std::string message_html(const WitnessMessage& message) {
  const std::string module = message.module.empty() ? "" : "module: " + message.module;
  return item(message.stage, fmt::format("<pre class=\"signature\">{}</pre>", escape_markup(message.text)) +
                                 list_of({node_text(message), source_text(message), module, rule_text(message)}));
}

std::string section(const Confirmation& c, std::size_t number) {
  std::string out = fmt::format(
      "<section class=\"model\" aria-labelledby=\"m{0}\">\n<h2 id=\"m{0}\">{1} {2}</h2>\n<p>{3}</p>\n"
      "<div class=\"answer\"><dl>\n",
      number, path_of(c), badge(c), html_prose(outcome_text(c)));
  out += item("predicted", html_prose(prediction_text(c.report)) + list_of(finding_texts(c.report)));
  out += requested(c);
  for (const WitnessMessage& message : c.messages) out += message_html(message);
  if (c.unlisted_messages > 0) out += item("errors", fmt::format("and {} more", c.unlisted_messages));
  for (const std::string& warning : c.warnings) out += item("warning", escape_markup(warning));
  if (c.unlisted_warnings > 0) out += item("warnings", fmt::format("and {} more", c.unlisted_warnings));
  const std::string profile = escape_markup(profile_text(c));
  out += item("profile", profile.empty() ? "" : "<code>" + profile + "</code>");
  out += item("measured", escape_markup(measured_text(c)));
  return out + "</dl></div>\n</section>\n";
}

std::string failures(std::span<const Failure> all) {
  const auto cause = [](const Failure& failure) { return "not checked: " + html_prose(failure.cause); };
  return report::html_failures("Could not be asked about", all, cause);
}

}  // namespace

std::string render_html(std::span<const Confirmation> all, const RenderOptions& options) {
  std::string header = fmt::format("<p class=\"tally\">{}</p>\n", escape_markup(summary_text(all, options.failures)));
  if (const std::string caution = caution_text(all); !caution.empty()) {
    header += fmt::format("<p class=\"tally\">{}</p>\n", escape_markup(caution));
  }
  header += failures(options.failures);
  std::string main = html_side_by_side(all) + table(all);
  for (std::size_t i = 0; i < all.size(); ++i) main += section(all[i], i + 1);
  const std::size_t models = by_model(all).size();
  const std::string name = models == 1 ? path_of(all[0]) : counted(models + options.failures.size(), "model");
  return report::html_page({name + " asked", "trtcheck confirm", std::move(header), std::move(main),
                            "NVIDIA's own parser and builder were asked, no GPU was."});
}

}  // namespace trtcheck::witness
