// A partition as a page, with the graph in the colours of its pieces.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <trtcheck/error.hpp>

#include "partition/text.hpp"
#include "picture/boxes.hpp"
#include "picture/svg.hpp"
#include "report/html_parts.hpp"
#include "report/wording.hpp"
#include "text/bytes_text.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"

namespace trtcheck::partitioning {
namespace {

using picture::Mark;

/// Neighbours differ: a node that runs elsewhere stands between two pieces.
Mark::Tint tint_of_piece(std::size_t number) {
  constexpr std::array kTints{Mark::Tint::quantized, Mark::Tint::half, Mark::Tint::real};
  return kTints[number % kTints.size()];
}

std::string picture_of(const PartitionReport& made) {
  Neighbourhood drawn;
  std::vector<Mark> marks;
  std::string words;
  for (const PartitionBox& box : made.graph.boxes) {
    const bool runs = box.piece > 0 && box.piece <= made.pieces.size() && made.pieces[box.piece - 1].runs;
    drawn.nodes.push_back({Neighbourhood::Kind::node, Neighbourhood::Role::plain, printable(box.op_type, kMaxName),
                           printable(box.name, kMaxName)});
    marks.push_back(runs ? Mark{tint_of_piece(box.piece), fmt::format("piece {}", box.piece)}
                         : Mark{Mark::Tint::none, box.piece == 0 ? "elsewhere" : "does not run"});
    words += fmt::format("{} `{}`: {}. ", printable(box.op_type, kMaxName), printable(box.name, kMaxName),
                         marks.back().text);
  }
  for (const PartitionLink& link : made.graph.links) {
    // A pickled one may say anything.
    if (std::max(link.maker, link.reader) >= drawn.nodes.size()) continue;
    drawn.edges.push_back({static_cast<std::uint32_t>(link.maker), static_cast<std::uint32_t>(link.reader),
                           printable(link.value, kMaxName), printable(link.type, kMaxName), false, ""});
  }
  if (drawn.nodes.empty()) return {};
  try {
    const std::string svg = picture::svg_of(picture::boxes_of(drawn, false, marks),
                                            {"The graph in the colours of its pieces", words}, false);
    std::string caption = made.graph.is_condensed ? "each piece is one box" : "";
    if (made.graph.left_out > 0) {
      caption += fmt::format("{}{} not drawn", caption.empty() ? "" : "; ", counted(made.graph.left_out, "box"));
    }
    return fmt::format(
        "<h2>Graph</h2>\n<figure><div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"picture of the "
        "graph\">{}</div><figcaption>{}</figcaption></figure>\n",
        svg, escape_markup(caption));
  } catch (const Error& error) {
    return fmt::format("<h2>Graph</h2>\n<p class=\"soft\">{}</p>\n", report::html_prose(error.what()));
  }
}

std::string cell(std::string_view label, const std::string& html, bool is_number = true) {
  return fmt::format("<td{} data-label=\"{}\">{}</td>", is_number ? " class=\"number\"" : "", label, html);
}

std::string pieces_html(const PartitionReport& made) {
  if (made.pieces.empty()) return {};
  std::string out =
      "<h2>Pieces</h2>\n<div class=\"models sizes stacked\"><table>\n<thead><tr><th scope=\"col\">Piece</th><th "
      "scope=\"col\" class=\"number\">Nodes</th><th scope=\"col\" class=\"number\">Work</th><th scope=\"col\" "
      "class=\"number\">In</th><th scope=\"col\" class=\"number\">Out</th><th scope=\"col\">Operators</th></tr></thead>"
      "\n<tbody>\n";
  for (const GraphPiece& piece : made.pieces) {
    std::string what = report::html_prose(operators_text(piece, 6));
    if (piece.graph != "main") what += "<br>" + report::html_prose("in " + piece.graph);
    if (!piece.runs) what += "<br>" + report::html_prose("does not run: " + piece.why_not);
    for (const std::string& node : piece.not_built) what += "<br>" + report::html_prose("no engine: " + node);
    out += fmt::format("<tr><th scope=\"row\">{}</th>{}{}{}{}{}</tr>\n", piece.number,
                       cell("nodes", std::to_string(piece.nodes.size())), cell("work", share_text(piece.share)),
                       cell("in", bytes_text(piece.bytes_in)), cell("out", bytes_text(piece.bytes_out)),
                       cell("operators", what, false));
  }
  return out + "</tbody>\n</table></div>\n";
}

std::string items(std::string_view heading, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string out = fmt::format("<h2>{}</h2>\n<ul>\n", heading);
  for (const std::string& line : lines) out += fmt::format("<li>{}</li>\n", report::html_prose(line));
  return out + "</ul>\n";
}

std::vector<std::string> crossing_lines(const PartitionReport& made) {
  constexpr std::size_t kMost = 200;
  std::vector<std::string> lines;
  const auto add = [&](const GraphPiece& piece, std::string_view word, const std::vector<CrossingTensor>& tensors) {
    for (const CrossingTensor& tensor : tensors) {
      if (tensor.is_of_model || lines.size() == kMost) continue;
      lines.push_back(fmt::format("{} piece {}: `{}` {}, {}", word, piece.number, tensor.name, tensor.type,
                                  tensor.bytes ? bytes_text(*tensor.bytes) : "of unknown size"));
    }
  };
  for (const GraphPiece& piece : made.pieces) {
    if (!piece.runs) continue;
    add(piece, "into", piece.inputs);
    add(piece, "out of", piece.outputs);
  }
  return lines;
}

std::vector<std::string> refused_lines(const PartitionReport& made) {
  constexpr std::size_t kMost = 500;
  std::vector<std::string> lines;
  for (const RefusedNode& node : made.refused) {
    if (lines.size() == kMost) {
      lines.push_back(fmt::format("and {} more", made.refused.size() - kMost));
      break;
    }
    lines.push_back(
        fmt::format("{}: {}{}", node_text(node), node.message, node.code.empty() ? "" : " [" + node.code + "]"));
  }
  return lines;
}

std::vector<std::string> cause_lines(const PartitionReport& made) {
  std::vector<std::string> lines;
  for (const PartitionCause& cause : made.causes) {
    lines.push_back(fmt::format("{} {}: {}; alone {}", cause.count, cause.op_type,
                                outcome_text(cause.after, made.nodes), outcome_text(cause.alone, made.nodes)));
  }
  return lines;
}

std::string options_html(const PartitionReport& made) {
  if (made.options.empty()) return {};
  std::string code;
  for (const std::string& line : options_lines(made)) code += report::html_code_line(line);
  std::string out = fmt::format("<h2>Options of the provider</h2>\n<pre><code>{}</code></pre>\n", code);
  if (made.advised) out += fmt::format("<p>With them {}.</p>\n", outcome_text(*made.advised, made.nodes));
  return out;
}

}  // namespace

std::string html_of(const PartitionReport& made) {
  const std::string path = made.path.empty() ? "model" : made.path;
  std::string main = fmt::format("<p>{}</p>\n", report::html_prose(outcome_text(made.now, made.nodes)));
  std::vector<std::string> whole;
  for (const Finding& finding : made.whole_model) whole.push_back(finding.message);
  main += items("Nothing runs in TensorRT", whole);
  main += pieces_html(made) + picture_of(made);
  main += items("Tensors that cross", crossing_lines(made));
  main += items("What runs elsewhere", refused_lines(made)) + items("What it is worth to repair", cause_lines(made));
  main += options_html(made) + items("Notes", made.notes);
  return report::html_page(
      {.title = escape_markup(path) + " partition",
       .heading = "trtcheck partition",
       .header = "<p>" + report::html_path(path) + "</p>\n<p>" + report::html_prose(who_text(made)) + "</p>\n",
       .main = std::move(main)});
}

}  // namespace trtcheck::partitioning
