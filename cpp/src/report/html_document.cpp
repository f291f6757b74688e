// The HTML report: one file, no network, readable without its script.
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trtcheck/version.hpp>

#include "html_assets.inc"
#include "report/formats.hpp"
#include "report/groups.hpp"
#include "report/html_finding.hpp"
#include "report/html_parts.hpp"
#include "report/repairs.hpp"
#include "report/rule_html.hpp"
#include "report/wording.hpp"
#include "target/releases.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::report {
namespace {

// Of one model, this many causes are told in full, and this many in a line; the rest is counted.
constexpr std::size_t kMaxFull = 500;
constexpr std::size_t kMaxBrief = 5000;
// Of one model, and of one document.
constexpr std::size_t kMaxPicturesOfModel = 50;
constexpr std::size_t kMaxPicturesInAll = 300;
constexpr std::size_t kMaxSuppressions = 1000;
// On a page with more findings, those of a model with few stay folded, too.
constexpr std::size_t kShortPage = 20;

struct Summary {
  std::size_t refused = 0;
  std::size_t uncertain = 0;
  std::size_t clean = 0;
  std::size_t findings = 0;                    ///< as they are told
  std::map<Severity, std::size_t> severities;  ///< of findings, not of consequences
  std::map<std::string_view, std::pair<const Rule*, std::size_t>> rules;
};

void count_rules(const std::vector<Finding>& findings, Summary& summary) {
  for (const Finding& finding : findings) {
    auto& entry = summary.rules[finding.rule->code];
    entry.first = finding.rule;
    ++entry.second;
    count_rules(finding.consequences, summary);
  }
}

Summary summary_of(std::span<const Report> reports, const RenderOptions& options) {
  Summary summary;
  for (const Report& report : reports) {
    const Verdict verdict = report.verdict();
    ++(verdict == Verdict::refused     ? summary.refused
       : verdict == Verdict::uncertain ? summary.uncertain
                                       : summary.clean);
    summary.findings += told(report, options).size();
    for (const Finding& finding : report.findings) ++summary.severities[finding.severity];
    count_rules(report.findings, summary);
  }
  return summary;
}

std::string releases(std::span<const Report> reports) {
  std::string out;
  for (const Report& report : reports) {
    const std::string release = to_string(report.target.release);
    if (out.empty()) out = release;
    if (out != release) return "several releases of TensorRT";
  }
  return out.empty() ? "TensorRT" : "TensorRT " + out;
}

/// The headings of a rule stand below "Rules".
std::string below_headings(std::string html) {
  for (const auto& [from, to] : {std::pair{"<h2>", "<h3>"}, std::pair{"</h2>", "</h3>"}}) {
    for (std::size_t at = html.find(from); at != std::string::npos; at = html.find(from, at + 1)) {
      html.replace(at, std::string_view(from).size(), to);
    }
  }
  return html;
}

/// Places of the reports: refused ones, uncertain ones, clean ones; those of one verdict as they came.
std::vector<std::size_t> worst_first(std::span<const Report> reports) {
  std::vector<std::size_t> order(reports.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>{}, [&](std::size_t i) { return reports[i].verdict(); });
  return order;
}

class Document {
 public:
  explicit Document(const RenderOptions& options) : options_(options), left_pictures_(kMaxPicturesInAll) {}

  /// The whole document.
  std::string write(std::span<const Report> reports, const HtmlMore& more) {
    const std::string title =
        reports.size() == 1 ? escape_markup(display_path(reports[0])) : counted(reports.size(), "model");
    return html_shell({title, html_style(), {kScript, kScriptHash}}, body(reports, more));
  }

 private:
  std::string body(std::span<const Report> reports, const HtmlMore& more) {
    const Summary summary = summary_of(reports, options_);
    top(reports, summary, more.glance);
    put("<main id=\"findings\" tabindex=\"-1\">\n");
    const std::vector<std::size_t> order = worst_first(reports);
    const auto first_clean =
        std::ranges::find(order, Verdict::clean, [&](std::size_t i) { return reports[i].verdict(); });
    for (auto i = order.begin(); i != first_clean; ++i) model(reports[*i], *i, summary.findings <= kShortPage);
    const auto clean = static_cast<std::size_t>(order.end() - first_clean);
    const bool is_folded = reports.size() > 1 && clean > 0;
    if (is_folded) put("<details class=\"clean-models\"><summary>{}</summary>\n", counted(clean, "clean model"));
    for (auto i = first_clean; i != order.end(); ++i) model(reports[*i], *i, summary.findings <= kShortPage);
    if (is_folded) put("</details>\n");
    out_ += more.sections;
    rules(summary);
    put("</main>\n");
    foot();
    return std::move(out_);
  }

  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void top(std::span<const Report> reports, const Summary& summary, const std::string& glance) {
    put("<a class=\"skip\" href=\"#findings\">Skip to the findings</a>\n<header>\n<h1>trtcheck report</h1>\n<p "
        "class=\"tally\">{} for {}: {} refused, {} uncertain, {} clean{}</p>\n",
        asked_models(reports.size(), options_.failures), releases(reports), summary.refused, summary.uncertain,
        summary.clean, escape_markup(not_checked(options_.failures)));
    out_ += glance;
    out_ += html_failures("Could not be checked", options_.failures);
    table(reports);
    filters(summary);
    put("</header>\n");
  }

  void table(std::span<const Report> reports) {
    if (reports.size() < 2) return;
    put("<div class=\"models stacked scroll\" tabindex=\"0\" role=\"group\" "
        "aria-label=\"models\"><table>\n<thead><tr><th "
        "scope=\"col\">Model</th><th scope=\"col\">Verdict</th><th scope=\"col\" class=\"number\">Errors</th><th "
        "scope=\"col\" class=\"number\">Warnings</th><th scope=\"col\" class=\"number\">Infos</th><th scope=\"col\" "
        "class=\"number\">Nodes</th></tr></thead>\n<tbody>\n");
    for (const std::size_t i : worst_first(reports)) {
      const Report& report = reports[i];
      const Counts counts = count_all(report);
      put("<tr><th scope=\"row\"><a href=\"#m{}\">{}</a></th><td><span class=\"badge {}\">{}</span></td>", i + 1,
          html_path(display_path(report)), to_string(report.verdict()), to_string(report.verdict()));
      const std::pair<const char*, std::size_t> numbers[] = {{"errors", counts.errors},
                                                             {"warnings", counts.warnings},
                                                             {"infos", counts.infos},
                                                             {"nodes", report.node_count}};
      for (const auto& [label, number] : numbers) {
        put("<td class=\"number\" data-label=\"{}\">{}</td>", label, number);
      }
      put("</tr>\n");
    }
    put("</tbody>\n</table></div>\n");
  }

  /// Hidden until the script runs: without it they would do nothing.
  void filters(const Summary& summary) {
    if (summary.findings == 0) return;
    put("<form class=\"filters\" id=\"filters\" role=\"search\" aria-label=\"Findings\" hidden>\n<label "
        "class=\"text\">Text <input type=\"search\" name=\"text\" autocomplete=\"off\" placeholder=\"node, message, "
        "file ...\"></label>\n<fieldset><legend class=\"visually-hidden\">Severity</legend>\n");
    for (const Severity severity : {Severity::error, Severity::warning, Severity::info}) {
      const auto it = summary.severities.find(severity);
      put("<label><input type=\"checkbox\" name=\"severity\" value=\"{0}\" checked> {0} ({1})</label>\n",
          to_string(severity), it == summary.severities.end() ? 0 : it->second);
    }
    put("</fieldset>\n<label class=\"which\">Rule <select name=\"rule\"><option value=\"\">all rules</option>\n");
    for (const auto& [code, entry] : summary.rules) {
      put("<option value=\"{0}\">{0} {1} ({2})</option>\n", escape_markup(code), escape_markup(entry.first->name),
          entry.second);
    }
    put("</select></label>\n<button type=\"reset\">Reset</button>\n<button type=\"button\" id=\"open-all\">Open "
        "all</button>\n<output id=\"count\" aria-live=\"polite\"></output>\n</form>\n");
  }

  void model(const Report& report, std::size_t index, bool is_short_page) {
    const std::string_view verdict = to_string(report.verdict());
    put("<section class=\"model\" id=\"m{0}\" aria-labelledby=\"m{0}-name\">\n<h2 id=\"m{0}-name\">{1} <span "
        "class=\"badge {2}\">{2}</span></h2>\n",
        index + 1, html_path(display_path(report)), verdict);
    put("<p>for {}: {} in {}{}</p>\n", full_name(report.target.release), counts_text(count_all(report)),
        counted(report.node_count, "node"),
        report.suppressed > 0 ? fmt::format(", {} left out", report.suppressed) : "");
    if (const RepairClaim claim = repair_claim(report); !claim.text.empty()) {
      put("<p>{}{}{}</p>\n", escape_markup(claim.text),
          claim.command.empty() ? "" : fmt::format(": <code>{}</code>", escape_markup(claim.command)),
          claim.more.empty() ? "" : fmt::format(" ({})", escape_markup(claim.more)));
    }
    if (const std::string_view hint = missing_lines(report); !hint.empty()) put("<p>{}</p>\n", html_prose(hint));
    if (report.findings.empty()) put("<p class=\"none\">Nothing found.</p>\n");
    const std::vector<FindingGroup> groups = told(report, options_);
    const bool is_open = is_short_page && groups.size() <= kOpenWhenFew;
    Pictures pictures(std::min(kMaxPicturesOfModel, left_pictures_));
    std::size_t left = report.findings.size();
    for (std::size_t i = 0; i < groups.size() && i < kMaxFull + kMaxBrief; ++i) {
      out_ += i < kMaxFull ? html_finding(groups[i], {fmt::format("m{}-f{}", index + 1, i + 1), is_open}, pictures)
                           : html_brief_finding(groups[i]);
      left -= groups[i].size();
    }
    if (left > 0) put("<p class=\"none\">And {} more, which this page does not show.</p>\n", counted(left, "finding"));
    left_pictures_ -= std::min(left_pictures_, pictures.drawn());
    if (!pictures.failure().empty()) picture_failure_ = pictures.failure();
    suppressions(report);
    unmatched(report);
    put("</section>\n");
  }

  void suppressions(const Report& report) {
    if (report.suppressions.empty()) return;
    put("<details class=\"set-aside\"><summary>{} suppressed</summary>\n<ul>\n",
        counted(report.suppressions.size(), "finding"));
    const std::size_t shown = std::min(report.suppressions.size(), kMaxSuppressions);
    for (std::size_t i = 0; i < shown; ++i) {
      const Suppressed& entry = report.suppressions[i];
      const std::string node = html_node(entry.finding);
      put("<li>{} <span class=\"mono\">{}</span> {}{} <span class=\"soft\">by {}{}</span></li>\n",
          to_string(entry.finding.severity), escape_markup(entry.finding.rule->code), html_prose(entry.finding.message),
          node.empty() ? "" : " (" + node + ")", to_string(entry.by),
          entry.reason.empty() ? "" : ": " + escape_markup(entry.reason));
    }
    if (shown < report.suppressions.size()) put("<li>and {} more</li>\n", report.suppressions.size() - shown);
    put("</ul></details>\n");
  }

  void unmatched(const Report& report) {
    if (report.unmatched.empty()) return;
    put("<details class=\"set-aside\"><summary>{} without effect</summary>\n<ul>\n",
        counted(report.unmatched.size(), "option"));
    for (const std::string& line : report.unmatched) put("<li>{}</li>\n", html_prose(line));
    put("</ul></details>\n");
  }

  /// Once for each rule that found something, however often.
  void rules(const Summary& summary) {
    if (summary.rules.empty()) return;
    put("<section class=\"rules\">\n<h2>Rules</h2>\n");
    for (const auto& [code, entry] : summary.rules) {
      const Rule& rule = *entry.first;
      // The browser opens the <details> around the target of a link.
      put("<details class=\"rule\"><summary><span class=\"mono\">{}</span> {}: {}</summary>\n<div class=\"text\" "
          "id=\"rule-{}\">{}</div></details>\n",
          escape_markup(code), escape_markup(rule.name), html_prose(rule.summary), escape_markup(code),
          below_headings(rule_html(rule)));
    }
    put("</section>\n");
  }

  void foot() {
    put("<footer>\n<p>Made by trtcheck {}. Neither TensorRT nor a GPU was needed.</p>\n", version());
    if (!picture_failure_.empty()) put("<p>No pictures: {}</p>\n", escape_markup(picture_failure_));
    put("</footer>\n");
  }

  const RenderOptions& options_;
  std::string out_;
  std::size_t left_pictures_;
  std::string picture_failure_;
};

}  // namespace

HtmlStyle html_style() noexcept { return {kStyle, kStyleHash}; }

std::string html_page(const HtmlPage& page) {
  const HtmlStyle script = page.has_search ? HtmlStyle{kScript, kScriptHash} : HtmlStyle{};
  return html_shell({page.title, html_style(), script},
                    fmt::format("<header>\n<h1>{}</h1>\n{}</header>\n<main>\n{}</main>\n<footer>\n"
                                "<p>Made by trtcheck {}. {}</p>\n</footer>\n",
                                page.heading, page.header, page.main, version(), page.asked));
}

std::string render_html_document(std::span<const Report> reports, const RenderOptions& options) {
  return Document(options).write(reports, {});
}

std::string html_document(const Report& report, const RenderOptions& options, const HtmlMore& more) {
  return Document(options).write({&report, 1}, more);
}

}  // namespace trtcheck::report
