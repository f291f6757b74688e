// `trtcheck shapes`: every value of every graph with its element type, dims and known contents, and why they are so.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string>

#include <trtcheck/trtcheck.hpp>

#include "cli/annotated_model.hpp"
#include "cli/check_source.hpp"
#include "cli/commands.hpp"
#include "cli/open_model.hpp"
#include "cli/shapes_options.hpp"
#include "cli/terminal.hpp"
#include "one_report/parts.hpp"
#include "one_report/shapes_listing.hpp"
#include "report/style.hpp"
#include "text/printable.hpp"
#include "view/inference_options.hpp"

namespace trtcheck::cli {
namespace {

using namespace one_report;
/// The first rows are made twice rather than kept: a file of a few megabytes may have a million.
void write_rows(Parts& out, const ShapesListing& listing, std::span<const ValueId> values, const report::Style& style) {
  // One very long name or dim must not push all other rows to the right.
  constexpr std::array<std::size_t, 4> kMaxColumn{48, 20, 72, 24};
  std::array<std::size_t, 4> width{};
  DimTexts texts(listing.shapes, listing.unknowns);
  const auto cells = [&](ValueId id) { return cells_of(listing.model, listing.shapes, texts, id); };
  // Nobody sees more of them side by side.
  constexpr std::size_t kMeasured = 10'000;
  for (const ValueId id : values.first(std::min(values.size(), kMeasured))) {
    const Cells columns = cells(id);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      width[i] = std::max(width[i], std::min(display_width(columns[i]), kMaxColumn[i]));
    }
  }
  for (const ValueId id : values) {
    const Cells columns = cells(id);
    std::string line = "  ";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::size_t taken = display_width(columns[i]);
      line += i == 0 ? style.bold(columns[i]) : columns[i];
      line.append((width[i] > taken ? width[i] - taken : 0) + 2, ' ');
    }
    line += style.dim(remark(listing.model, listing.shapes, listing.unknowns, id));
    line.erase(line.find_last_not_of(' ') + 1);
    out.text += line + "\n";
    out.may_pass();
  }
}

void write_table(Parts& out, const ShapesListing& listing, const report::Style& style) {
  for (const GraphValues& entry : listing.graphs) {
    out.text += style.frame(printable(listing.model.graph_path(entry.graph))) + "\n";
    write_rows(out, listing, entry.values, style);
  }
  out.text += shapes_notes(listing);
}

void write_concise(Parts& out, const ShapesListing& listing) {
  for (const GraphValues& entry : listing.graphs) {
    for (const ValueId id : entry.values) {
      fmt::format_to(std::back_inserter(out.text), "{}: {} {}\n", printable(listing.model.graph_path(entry.graph)),
                     printable(listing.model.value(id).name, kMaxName),
                     printable(listing.unknowns.text(listing.shapes, id)));
      out.may_pass();
    }
  }
}

void write_document(Parts& out, const ShapesListing& listing, const OutputRequest& request) {
  switch (request.format) {
    case Format::json:
      return write_shapes_json(out, listing);
    case Format::concise:
      return write_concise(out, listing);
    case Format::markdown:
      return write_shapes_markdown(out, listing);
    case Format::html:
      out.text += shapes_page(listing);
      return;
    default:
      return write_table(out, listing, report::Style(use_color(request)));
  }
}

}  // namespace

int run(const ShapesRequest& request) {
  if (asks_for_model(request)) return write_annotated(request);
  Target target = request.target;
  target.shape_functions = shape_functions_of(request.config, request.overrides, request.path);
  const Model model = open_model(request.path);
  ListingOptions options{.infer = inference_options(model, target),
                         .only = request.only,
                         .why = request.why,
                         .with_ways = request.output.format == Format::json};
  options.infer.assume = request.assume;
  const Shapes shapes = told_of(request.path, [&] { return infer(model, options.infer); });
  const ShapesListing listing = told_of(request.path, [&] { return list_shapes(model, shapes, options); });
  const auto make = [&](const Sink& sink) {
    Parts parts(sink);
    write_document(parts, listing, request.output);
    parts.pass();
  };
  write_output(request.output, make, std::span(&request.path, 1));
  return kExitClean;
}

}  // namespace trtcheck::cli
