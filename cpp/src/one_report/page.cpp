// The page of `trtcheck report`: the document of `check` with what the other commands say around it.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "matrix/formats.hpp"
#include "one_report/one_report.hpp"
#include "one_report/quantization_html.hpp"
#include "one_report/shapes_rows.hpp"
#include "profile/wording.hpp"
#include "report/formats.hpp"
#include "report/html_parts.hpp"
#include "report/surroundings.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::one_report {
namespace {

// A page of more rows takes a browser seconds.
constexpr std::size_t kMostShapes = 20'000;
constexpr std::size_t kMostCasts = 200;

std::string section(std::string_view id, std::string_view heading, std::string_view html) {
  return fmt::format(
      "<section class=\"part\" id=\"{0}\" aria-labelledby=\"{0}-name\">\n<h2 id=\"{0}-name\">{1}</h2>\n{2}"
      "</section>\n",
      id, heading, html);
}

std::string list_of(const std::vector<std::string>& lines) {
  std::string out = "<ul>\n";
  for (const std::string& line : lines) out += "<li>" + report::html_prose(line) + "</li>\n";
  return out + "</ul>\n";
}

std::string fit_line(const ProfileProposal& proposal) {
  const std::vector<std::string> left = profiles::left_to_write(proposal);
  if (!left.empty()) return left.front();
  if (proposal.inputs.empty()) return "no input is dynamic";
  return fmt::format("{}, {}", counted(proposal.choices.size(), "dynamic size"), profiles::fit_of(proposal).text);
}

/// "INT8 96.6 %, FLOAT 3.4 % of the multiply-accumulates"; without shares the layers of each type.
std::string types_line(const LayersOfModel& of) {
  const bool has_shares =
      std::ranges::all_of(of.shares(), [](const TypeShare& share) { return share.share.has_value(); });
  std::string out;
  for (const TypeShare& share : of.shares()) {
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", type_name(share.type),
                       has_shares ? percent(*share.share) : std::to_string(share.layers));
  }
  if (out.empty()) return "no Conv, ConvTranspose, Gemm or MatMul";
  return out + (has_shares ? " of the multiply-accumulates" : " of the layers with weights");
}

std::string entry(std::string_view id, std::string_view name, std::string_view html) {
  return fmt::format("<dt><a href=\"#{}\">{}</a></dt><dd>{}</dd>\n", id, name, html);
}

/// Everything in a line each, with links to where it is said in full.
std::string glance(const OneReport& one, std::size_t values) {
  const std::string_view verdict = to_string(one.report.verdict());
  std::string releases;
  for (const std::string& line : matrix_formats::taken_texts(one.matrix)) {
    releases += (releases.empty() ? "" : "<br>") + escape_markup(line);
  }
  return "<dl class=\"glance\">\n" +
         entry("m1", "Verdict",
               fmt::format("<span class=\"badge {0}\">{0}</span> for {1}: {2}", verdict,
                           escape_markup(one.of.release()), report::counts_text(report::count_all(one.report)))) +
         entry("releases", "Releases", releases) +
         entry("profile", "Profile", report::html_prose(fit_line(one.profile))) +
         entry("types", "Element types", types_line(one.of)) + entry("shapes", "Shapes", counted(values, "tensor")) +
         entry("not-looked-at", "Not looked at", counted(one.not_looked.size(), "thing")) + "</dl>\n";
}

std::string casts_html(const OneReport& one) {
  if (one.casts.empty()) return "<p>No Cast between floating point types.</p>\n";
  std::string out =
      fmt::format("<details class=\"set-aside\"><summary>{} between floating point types</summary>\n<ul>\n",
                  counted(one.casts.size(), "Cast"));
  for (std::size_t i = 0; i < std::min(one.casts.size(), kMostCasts); ++i) {
    const TypeBorder& cast = one.casts[i];
    out += fmt::format("<li><code>{}</code>: {} to {}</li>\n",
                       escape_markup(one.of.model().node_label(cast.node), kMaxName), type_name(cast.from),
                       type_name(cast.to));
  }
  if (one.casts.size() > kMostCasts) out += fmt::format("<li>and {} more</li>\n", one.casts.size() - kMostCasts);
  return out + "</ul></details>\n";
}

std::string types_html(const OneReport& one) {
  std::string out = "<p>" + report::html_prose(quantization_summary(one.of)) + "</p>\n" + shares_html(one.of);
  if (!one.of.layers().empty()) {
    out += fmt::format("<details class=\"wide long\"><summary>{}</summary>\n{}</details>\n",
                       counted(one.of.layers().size(), "layer"), layers_html(one.of));
  }
  out += casts_html(one);
  if (const std::string_view flags = about_flags(one.of); !flags.empty()) out += fmt::format("<p>{}</p>\n", flags);
  const std::string picture = one.of.layers().empty() ? "" : layers_picture(one.of);
  if (picture.empty()) return out;
  return out + "<details class=\"wide long\"><summary>Picture of the graph with its element types</summary>\n" +
         picture + "</details>\n";
}

/// The first tensors, graph by graph.
std::string shapes_html(const OneReport& one, std::span<const GraphValues> graphs, std::size_t count) {
  std::string rows;
  std::size_t left = kMostShapes;
  const UnknownNames unknowns(one.of.model(), one.of.shapes());
  DimTexts texts(one.of.shapes(), unknowns);
  for (const GraphValues& entry : graphs) {
    for (const ValueId id : std::span(entry.values).first(std::min(left, entry.values.size()))) {
      rows += row_html(one.of.model(), one.of.shapes(), unknowns, texts, id);
    }
    left -= std::min(left, entry.values.size());
  }
  std::string out;
  if (count > kMostShapes) {
    out =
        fmt::format("<p>The first {} of {}; the search finds only these. <code>trtcheck shapes</code> lists all.</p>\n",
                    kMostShapes, counted(count, "tensor"));
  }
  return out + fmt::format("<details class=\"wide long\"><summary>{}</summary>\n{}</details>\n",
                           counted(std::min(count, kMostShapes), "tensor"),
                           report::html_searchable("tensors", kRowsHead, rows));
}

}  // namespace

std::string report_page(const OneReport& one) {
  const std::vector<GraphValues> graphs = values_by_graph(one.of.model());
  std::size_t values = 0;
  for (const GraphValues& entry : graphs) values += entry.values.size();
  const report::Surroundings around = report::surroundings();
  const RenderOptions how{.format = Format::html, .folder = around.folder, .root = around.root};
  return report::html_document(
      one.report, how,
      {.glance = glance(one, values),
       .sections = section("releases", "Releases",
                           fmt::format("<p>{}</p>\n", escape_markup(matrix_formats::asked_text(one.matrix))) +
                               matrix_formats::html_table(one.matrix)) +
                   section("profile", "Optimization profile", profiles::html_part(one.profile)) +
                   section("types", "Element types", types_html(one)) +
                   section("shapes", "Shapes", shapes_html(one, graphs, values)) +
                   section("not-looked-at", "Not looked at", list_of(one.not_looked))});
}

}  // namespace trtcheck::one_report
