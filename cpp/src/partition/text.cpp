#include "partition/text.hpp"

#include <algorithm>
#include <ranges>

#include <fmt/format.h>

#include <trtcheck/error.hpp>

#include "report/style.hpp"
#include "report/wording.hpp"
#include "text/bytes_text.hpp"
#include "text/columns.hpp"
#include "text/plural.hpp"
#include "text/printable.hpp"
#include "text/python_text.hpp"

namespace trtcheck {
namespace partitioning {

std::string share_text(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f}%", 100 * *share) : std::string("?");
}

std::string outcome_text(const PartitionOutcome& outcome, std::size_t nodes) {
  std::string text =
      fmt::format("{} with {} of {}", counted(outcome.engines, "engine"), outcome.nodes, counted(nodes, "node"));
  if (outcome.share) text += fmt::format(", {} of the multiply-accumulates", share_text(outcome.share));
  return text;
}

std::string operators_text(const GraphPiece& piece, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, piece.operators.size()); ++i) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", piece.operators[i].count, piece.operators[i].op_type);
  }
  return piece.operators.size() > most ? text + ", ..." : text;
}

std::string node_text(const RefusedNode& node) {
  std::string text = fmt::format("{} `{}`", node.op_type, node.node);
  if (!node.inner.empty()) text += fmt::format(", in it `{}`", node.inner);
  return text + report::line_in_brackets(node.source);
}

std::string who_text(const PartitionReport& made) {
  const std::string product =
      made.release.starts_with("rtx-") ? "TensorRT-RTX " + made.release.substr(4) : "TensorRT " + made.release;
  if (made.provider == "parser") return fmt::format("the parser of {}", product);
  return fmt::format("ONNX Runtime with {} ({})", product, made.provider);
}

std::vector<std::string> options_lines(const PartitionReport& made) {
  if (made.options.empty()) return {};
  std::vector<std::string> lines{fmt::format("provider_options = {{  # of {}", made.provider)};
  for (const ProviderOption& option : made.options) {
    lines.push_back(fmt::format("    {}: {},", python_text(option.name), python_text(option.value)));
  }
  lines.emplace_back("}");
  return lines;
}

namespace {

using Align = Columns::Align;

constexpr std::size_t kRefusedShown = 20;
constexpr std::size_t kTensorsShown = 5;
constexpr std::size_t kOperatorsShown = 4;

std::string pieces_text(const PartitionReport& made) {
  Columns columns({Align::left, Align::right, Align::right, Align::left, Align::left});
  for (const GraphPiece& piece : made.pieces) {
    std::string what = piece.runs ? "" : "does not run: " + piece.why_not;
    if (!piece.not_built.empty()) what = "no engine is made of it: " + piece.not_built.front();
    if (piece.graph != "main") what = "in " + piece.graph + (what.empty() ? "" : "; " + what);
    if (!piece.file.empty()) what += (what.empty() ? "" : "; ") + piece.file;
    columns.add({fmt::format("piece {}", piece.number), counted(piece.nodes.size(), "node"), share_text(piece.share),
                 printable(operators_text(piece, kOperatorsShown)), printable(what, 400)});
  }
  return columns.text();
}

std::string tensors_text(const GraphPiece& piece) {
  Columns columns({Align::left, Align::right, Align::left, Align::left});
  const auto add = [&](std::string_view word, const std::vector<CrossingTensor>& tensors) {
    std::size_t left = kTensorsShown;
    for (const CrossingTensor& tensor : tensors) {
      if (tensor.is_of_model) continue;
      if (left-- == 0) {
        columns.add({"", "", "...", ""});
        return;
      }
      columns.add({std::string(word), tensor.bytes ? bytes_text(*tensor.bytes) : "?", printable(tensor.name, kMaxName),
                   printable(tensor.type)});
    }
  };
  add("in", piece.inputs);
  add("out", piece.outputs);
  const std::string rows = columns.text();
  if (rows.empty()) return {};
  return fmt::format("piece {}: {} in, {} out\n{}", piece.number, bytes_text(piece.bytes_in),
                     bytes_text(piece.bytes_out), rows);
}

std::string refused_text(const PartitionReport& made) {
  if (made.refused.empty()) return {};
  std::string out = fmt::format(
      "\n{} elsewhere:\n", made.refused.size() == 1 ? "1 node runs" : counted(made.refused.size(), "node") + " run");
  for (const RefusedNode& node : made.refused | std::views::take(kRefusedShown)) {
    out += fmt::format("  {}: {}{}\n", printable(node_text(node)), printable(node.message, 400),
                       node.code.empty() ? "" : " [" + node.code + "]");
  }
  if (made.refused.size() > kRefusedShown) {
    out += fmt::format("  and {} more, all of them in JSON\n", made.refused.size() - kRefusedShown);
  }
  return out;
}

std::string causes_text(const PartitionReport& made) {
  if (made.causes.empty()) return {};
  std::string out = "\nwhat would come of repairing them, the most useful first:\n";
  for (const PartitionCause& cause : made.causes) {
    out += fmt::format("  {} {}{}: {}\n", cause.count, printable(cause.op_type),
                       cause.code.empty() ? "" : " [" + cause.code + "]", outcome_text(cause.after, made.nodes));
  }
  return out;
}

std::string text_of(const PartitionReport& made, const report::Style& style) {
  std::string out = style.bold(printable(made.path.empty() ? "model" : made.path)) + "\n";
  out += fmt::format("{}: {}\n", who_text(made), outcome_text(made.now, made.nodes));
  if (made.is_consolidated) {
    out += fmt::format("ONNX Runtime makes one engine of {}: what stands between them needs none of it\n",
                       counted(made.pieces_found, "piece"));
  }
  for (const Finding& finding : made.whole_model) {
    out += fmt::format("{} nothing runs in TensorRT: {} [{}]\n", style.severity(Severity::error, "error:"),
                       printable(finding.message, 400), report::code_text(finding));
  }
  if (!made.pieces.empty()) out += "\n" + pieces_text(made);
  std::string crossing;
  for (const GraphPiece& piece : made.pieces) {
    if (piece.runs) crossing += tensors_text(piece);
  }
  if (!crossing.empty()) out += "\ntensors that cross\n" + crossing;
  out += refused_text(made) + causes_text(made);
  if (!made.options.empty()) {
    out += "\noptions to paste";
    out += made.advised ? fmt::format(", with them {}\n", outcome_text(*made.advised, made.nodes)) : "\n";
    for (const std::string& line : options_lines(made)) out += line + "\n";
    for (const ProviderOption& option : made.options) {
      if (option.name.find("profile") == std::string::npos) {
        out += fmt::format("{}: {}\n", option.name, printable(option.why, 400));
      }
    }
  }
  if (!made.notes.empty()) out += "\n";
  for (const std::string& note : made.notes) out += fmt::format("note: {}\n", printable(note, 400));
  return out;
}

}  // namespace
}  // namespace partitioning

std::string render(const PartitionReport& made, const RenderOptions& options) {
  using namespace partitioning;
  if (options.format == Format::json) return json_of(made);
  if (options.format == Format::html) return html_of(made);
  if (options.format == Format::full) return text_of(made, report::Style(options.color));
  throw Error("", "a partition is printed as full, json or html");
}

}  // namespace trtcheck
