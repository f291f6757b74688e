// `trtcheck shapes` as a page, and as Markdown.
#include <algorithm>

#include <fmt/format.h>

#include "one_report/shapes_lines.hpp"
#include "one_report/shapes_listing.hpp"
#include "report/escape.hpp"
#include "report/html_parts.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::one_report {
namespace {

// A page of more rows takes a browser seconds; a comment on a pull request has less room.
constexpr std::size_t kMostOnPage = 20'000;
constexpr std::size_t kMostInMarkdown = 1'000;

std::size_t count_of(const std::vector<GraphValues>& graphs) {
  std::size_t count = 0;
  for (const GraphValues& entry : graphs) count += entry.values.size();
  return count;
}

std::string path_of(const Model& model) { return model.path().empty() ? "model" : model.path(); }

/// Lines of the parts below the rows, each with its heading.
struct Section {
  std::string heading;
  std::vector<std::string> lines;
  bool is_numbered = false;
};

std::vector<Section> sections(const ShapesListing& listing) {
  std::vector<Section> made;
  for (const Why& why : listing.whys) {
    Section& section = made.emplace_back(Section{why_heading(why), {}, true});
    section.heading[0] = 'W';
    for (std::size_t i = 0; i < why.steps.size(); ++i) section.lines.push_back(why_line(why.steps, i));
  }
  Section unknowns{"Sizes that are known when the model runs", {}};
  for (const NamedUnknown& each : listing.unknowns.all()) unknowns.lines.push_back(unknown_line(listing.model, each));
  Section demands{"Must hold", {}};
  for (const SizeDemand& each : listing.facts.demands) demands.lines.push_back(demand_line(each));
  Section conflicts{"Cannot hold", {}};
  for (const SizeConflict& each : listing.facts.conflicts) {
    conflicts.lines.push_back(conflict_line(each));
    conflicts.lines.insert(conflicts.lines.end(), each.sides.begin(), each.sides.end());
  }
  for (Section* section : {&unknowns, &demands, &conflicts}) {
    if (!section->lines.empty()) made.push_back(std::move(*section));
  }
  return made;
}

std::string html_of(const Section& section) {
  const std::string_view list = section.is_numbered ? "ol" : "ul";
  std::string out = fmt::format("<h2>{}</h2>\n<{}>\n", report::html_prose(section.heading), list);
  for (const std::string& line : section.lines) out += "<li>" + report::html_prose(line) + "</li>\n";
  return out + fmt::format("</{}>\n", list);
}

std::string header_of(const ShapesListing& listing) {
  std::string out = "<p>" + report::html_path(path_of(listing.model)) + "</p>\n";
  for (const std::string& each : listing.assumed) {
    out += fmt::format("<p>Assumed: <code>{}</code></p>\n", escape_markup(each));
  }
  return out;
}

std::string table_of(const ShapesListing& listing) {
  std::string rows;
  std::size_t left = kMostOnPage;
  DimTexts texts(listing.shapes, listing.unknowns);
  for (const GraphValues& entry : listing.graphs) {
    for (const ValueId id : std::span(entry.values).first(std::min(left, entry.values.size()))) {
      rows += row_html(listing.model, listing.shapes, listing.unknowns, texts, id);
    }
    left -= std::min(left, entry.values.size());
  }
  const std::size_t count = count_of(listing.graphs);
  std::string out;
  if (count > kMostOnPage) {
    out =
        fmt::format("<p>The first {} of {}; the search finds only these.</p>\n", kMostOnPage, counted(count, "tensor"));
  }
  return out + report::html_searchable("tensors", kRowsHead, rows);
}

void add_rows(Parts& out, const ShapesListing& listing, const GraphValues& entry, DimTexts& texts, std::size_t most) {
  out.text += fmt::format("\n### {}\n\n| tensor | type | dims | from | remark |\n|---|---|---|---|---|\n",
                          report::markdown_code(listing.model.graph_path(entry.graph)));
  for (const ValueId id : std::span(entry.values).first(std::min(most, entry.values.size()))) {
    const Cells cells = cells_of(listing.model, listing.shapes, texts, id);
    const auto code = [](const std::string& text) { return text.empty() ? "" : report::markdown_code(text); };
    out.text += fmt::format("| {} | {} | {} | {} | {} |\n", code(cells[0]), report::markdown_prose(cells[1]),
                            code(cells[2]), report::markdown_prose(cells[3]),
                            report::markdown_prose(remark(listing.model, listing.shapes, listing.unknowns, id)));
    out.may_pass();
  }
}

}  // namespace

std::string shapes_page(const ShapesListing& listing) {
  std::string main;
  for (const Section& section : sections(listing)) main += html_of(section);
  main += fmt::format("<h2>{}</h2>\n", counted(count_of(listing.graphs), "tensor")) + table_of(listing);
  return report::html_page({.title = escape_markup(path_of(listing.model)) + " shapes",
                            .heading = "trtcheck shapes",
                            .header = header_of(listing),
                            .main = std::move(main),
                            .has_search = true});
}

void write_shapes_markdown(Parts& out, const ShapesListing& listing) {
  out.text += fmt::format("## trtcheck shapes: {}\n", report::markdown_code(path_of(listing.model)));
  for (const std::string& each : listing.assumed) {
    out.text += fmt::format("\nAssumed: {}\n", report::markdown_code(each));
  }
  for (const Section& section : sections(listing)) {
    out.text += fmt::format("\n### {}\n\n", report::markdown_prose(section.heading));
    for (const std::string& line : section.lines) {
      out.text += fmt::format("{} {}\n", section.is_numbered ? "1." : "-", report::markdown_prose(line));
    }
  }
  DimTexts texts(listing.shapes, listing.unknowns);
  std::size_t left = kMostInMarkdown;
  for (const GraphValues& entry : listing.graphs) {
    if (left > 0) add_rows(out, listing, entry, texts, left);
    left -= std::min(left, entry.values.size());
  }
  const std::size_t count = count_of(listing.graphs);
  if (count > kMostInMarkdown) out.text += fmt::format("\nand {}\n", counted(count - kMostInMarkdown, "more tensor"));
}

}  // namespace trtcheck::one_report
