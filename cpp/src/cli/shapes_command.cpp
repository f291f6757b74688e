// `trtcheck shapes`: every value of every graph with its element type, dims and known contents.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string>

#include <trtcheck/trtcheck.hpp>

#include "cli/annotated_model.hpp"
#include "cli/commands.hpp"
#include "cli/open_model.hpp"
#include "cli/shapes_options.hpp"
#include "cli/terminal.hpp"
#include "one_report/parts.hpp"
#include "one_report/shapes_json.hpp"
#include "one_report/shapes_rows.hpp"
#include "report/style.hpp"
#include "text/printable.hpp"
#include "view/inference_options.hpp"

namespace trtcheck::cli {
namespace {

using namespace one_report;
/// The first rows are made twice rather than kept: a file of a few megabytes may have a million.
void write_rows(Parts& out, const Model& model, const Shapes& shapes, std::span<const ValueId> values,
                const report::Style& style) {
  // One very long name or dim must not push all other rows to the right.
  constexpr std::array<std::size_t, 4> kMaxColumn{48, 20, 72, 24};
  std::array<std::size_t, 4> width{};
  DimTexts texts(shapes);
  // Nobody sees more of them side by side.
  constexpr std::size_t kMeasured = 10'000;
  for (const ValueId id : values.first(std::min(values.size(), kMeasured))) {
    const Cells columns = cells_of(model, shapes, texts, id);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      width[i] = std::max(width[i], std::min(display_width(columns[i]), kMaxColumn[i]));
    }
  }
  for (const ValueId id : values) {
    const Cells columns = cells_of(model, shapes, texts, id);
    std::string line = "  ";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::size_t taken = display_width(columns[i]);
      line += i == 0 ? style.bold(columns[i]) : columns[i];
      line.append((width[i] > taken ? width[i] - taken : 0) + 2, ' ');
    }
    line += style.dim(remark(model, shapes, id));
    line.erase(line.find_last_not_of(' ') + 1);
    out.text += line + "\n";
    out.may_pass();
  }
}

void write_table(Parts& out, const Model& model, const Shapes& shapes, const report::Style& style) {
  for (const GraphValues& entry : values_by_graph(model)) {
    out.text += style.frame(printable(model.graph_path(entry.graph))) + "\n";
    write_rows(out, model, shapes, entry.values, style);
  }
}

void write_concise(Parts& out, const Model& model, const Shapes& shapes) {
  for (const GraphValues& entry : values_by_graph(model)) {
    for (const ValueId id : entry.values) {
      fmt::format_to(std::back_inserter(out.text), "{}: {} {}\n", printable(model.graph_path(entry.graph)),
                     printable(model.value(id).name, kMaxName), printable(shapes.text(id)));
      out.may_pass();
    }
  }
}

void write_document(Parts& out, const Model& model, const Shapes& shapes, const OutputRequest& request) {
  switch (request.format) {
    case Format::json:
      return write_shapes_json(out, model, shapes);
    case Format::concise:
      return write_concise(out, model, shapes);
    default:
      return write_table(out, model, shapes, report::Style(use_color(request)));
  }
}

}  // namespace

int run(const ShapesRequest& request) {
  if (asks_for_model(request)) return write_annotated(request);
  const Model model = open_model(request.path);
  const Shapes shapes = infer(model, inference_options(model, request.target));
  const auto make = [&](const Sink& sink) {
    Parts parts(sink);
    write_document(parts, model, shapes, request.output);
    parts.pass();
  };
  write_output(request.output, make, std::span(&request.path, 1));
  return kExitClean;
}

}  // namespace trtcheck::cli
