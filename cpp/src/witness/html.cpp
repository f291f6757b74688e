// One page: a table of all models, and below it what was said of each.
#include <fmt/core.h>

#include "report/formats.hpp"
#include "report/html_parts.hpp"
#include "text/printable.hpp"
#include "witness/wording.hpp"

namespace trtcheck::witness {
namespace {

using report::html_prose;

constexpr std::string_view kStyle =
    ":root{color-scheme:light dark}"
    "body{max-width:70rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}"
    "code,pre{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9em}"
    "pre{overflow-x:auto;white-space:pre-wrap;padding:.75rem;background:rgba(128,128,128,.12);border-radius:4px}"
    "table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3rem .6rem;vertical-align:top;"
    "border-bottom:1px solid rgba(128,128,128,.4)}h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:1.75rem}";

std::string path_of(const Confirmation& c) { return escape_markup(report::display_path(c.report)); }

std::string row(const Confirmation& c, std::size_t number) {
  return fmt::format("<tr><td><a href=\"#m{}\"><code>{}</code></a></td><td><b>{}</b></td><td>{}</td><td>{}</td></tr>\n",
                     number, path_of(c), to_string(c.agreement), html_prose(outcome_text(c)),
                     escape_markup(measured_text(c)));
}

std::string message_html(const WitnessMessage& message) {
  std::string out = fmt::format("<p>{}:</p>\n<pre>{}</pre>\n", message.stage, escape_markup(message.text));
  for (const std::string& text : {node_text(message), source_text(message), rule_text(message)}) {
    if (!text.empty()) out += fmt::format("<p>{}</p>\n", html_prose(text));
  }
  return out;
}

std::string section(const Confirmation& c, std::size_t number) {
  std::string out = fmt::format("<h2 id=\"m{}\"><code>{}</code></h2>\n<p>{}</p>\n<p>Predicted: {}</p>\n", number,
                                path_of(c), html_prose(outcome_text(c)), html_prose(prediction_text(c)));
  const std::vector<std::string> findings = finding_texts(c);
  if (!findings.empty()) {
    out += "<ul>\n";
    for (const std::string& text : findings) out += fmt::format("<li>{}</li>\n", html_prose(text));
    out += "</ul>\n";
  }
  for (const WitnessMessage& message : c.messages) out += message_html(message);
  for (const std::string& warning : c.warnings) out += fmt::format("<p>warning: {}</p>\n", escape_markup(warning));
  if (const std::string text = profile_text(c); !text.empty()) {
    out += fmt::format("<p>Profile: <code>{}</code></p>\n", escape_markup(text));
  }
  return out;
}

}  // namespace

std::string render_html(std::span<const Confirmation> all, const RenderOptions& options) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>trtcheck confirm</title>\n"
      "<style>{}</style>\n</head>\n<body>\n<h1>trtcheck confirm</h1>\n<p>{}</p>\n",
      kStyle, summary_text(all, options.failures));
  for (const Failure& failure : options.failures) {
    out += fmt::format("<p><code>{}</code>: not checked: {}</p>\n", escape_markup(failure.path),
                       html_prose(failure.cause));
  }
  out += "<table>\n<tr><th>model</th><th>agreement</th><th>witness</th><th>measured</th></tr>\n";
  for (std::size_t i = 0; i < all.size(); ++i) out += row(all[i], i);
  out += "</table>\n";
  for (std::size_t i = 0; i < all.size(); ++i) out += section(all[i], i);
  return out + "</body>\n</html>\n";
}

}  // namespace trtcheck::witness
