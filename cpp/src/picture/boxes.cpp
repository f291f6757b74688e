#include "picture/boxes.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "text/printable.hpp"

namespace trtcheck::picture {
namespace {

using Kind = Neighbourhood::Kind;
using Role = Neighbourhood::Role;
using Style = TextLine::Style;

constexpr std::size_t kNameColumns = 30;
constexpr std::size_t kTypeColumns = 36;
// Advance of a monospaced font in parts of its size; Menlo and DejaVu Sans Mono are the widest in use.
constexpr double kAdvance = 0.605;
constexpr double kBadgeIcon = 14;

std::string full(std::string_view text) { return printable(text, 2 * kMaxName); }

Box::Form form_of(const Neighbourhood::Node& node, bool is_finding) {
  switch (node.kind) {
    case Kind::input:
      return Box::Form::input;
    case Kind::initializer:
      return Box::Form::initializer;
    case Kind::output:
      return Box::Form::output;
    case Kind::more:
      return Box::Form::more;
    case Kind::node:
      break;
  }
  switch (node.role) {
    case Role::victim:
      return is_finding ? Box::Form::victim : Box::Form::center;
    case Role::culprit:
      return Box::Form::culprit;
    case Role::plain:
      break;
  }
  return Box::Form::node;
}

std::string_view kind_word(Box::Form form) {
  switch (form) {
    case Box::Form::victim:
      return "found here";
    case Box::Form::culprit:
      return "comes from here";
    case Box::Form::center:
      return "here";
    case Box::Form::input:
      return "input";
    case Box::Form::output:
      return "output";
    case Box::Form::initializer:
      return "constant";
    default:
      return "";
  }
}

void measure(Box& box) {
  double width = 0;
  double height = 0;
  for (const TextLine& line : box.lines) {
    const double columns = static_cast<double>(display_width(line.text));
    const double icon = line.style == Style::badge ? kBadgeIcon : 0;
    width = std::max(width, columns * font_size(line.style) * kAdvance + icon);
    height += line_height(line.style);
  }
  const bool flat = box.form == Box::Form::tensor || box.form == Box::Form::more;
  const bool round = box.form == Box::Form::input || box.form == Box::Form::output;
  box.size = {width + 2 * kPadding + (round ? 14 : flat ? 2 : 6), height + (flat ? 6 : 2 * kPadding)};
}

Box box_of(const Neighbourhood::Node& node, bool is_finding, const Mark& mark) {
  Box box;
  box.form = form_of(node, is_finding);
  box.tint = mark.tint;
  if (!mark.text.empty()) box.lines.push_back({Style::badge, full(mark.text)});
  const std::string_view word = kind_word(box.form);
  if (!word.empty()) box.lines.push_back({node.kind == Kind::node ? Style::badge : Style::kind, std::string(word)});
  if (!node.op_type.empty()) box.lines.push_back({Style::title, shorten(full(node.op_type), kNameColumns)});
  const std::string name = node.kind == Kind::more && node.name.empty() ? "..." : full(node.name);
  const Style style = node.kind == Kind::node ? Style::name : node.kind == Kind::more ? Style::kind : Style::title;
  if (!name.empty()) box.lines.push_back({style, shorten(name, kNameColumns)});
  if (node.kind != Kind::more) box.tooltip = full(node.op_type) + (node.op_type.empty() ? "" : " ") + name;
  return box;
}

/// Where a type too long for one line is broken: behind the last comma between two dims that still fits.
std::size_t break_of(std::string_view type) {
  std::size_t found = std::string_view::npos;
  int depth = 0;
  for (std::size_t i = 0; i < type.size() && i < kTypeColumns; ++i) {
    depth += type[i] == '(' || type[i] == '[' ? 1 : type[i] == ')' || type[i] == ']' ? -1 : 0;
    if (type[i] == ',' && depth == 1) found = i + 1;
  }
  return found;
}

/// In as many as two lines.
void add_long(Box& box, const std::string& text) {
  const std::size_t end = display_width(text) > kTypeColumns ? break_of(text) : std::string_view::npos;
  const std::string_view first = std::string_view(text).substr(0, end);
  box.lines.push_back({Style::type, shorten(first, kTypeColumns)});
  if (end != std::string_view::npos) {
    box.lines.push_back({Style::type, shorten(std::string_view(text).substr(end), kTypeColumns)});
  }
}

/// "INT64[4]", and below it "= [N,-1,H,W]" where the contents are known.
void add_type(Box& box, const Neighbourhood::Edge& edge) {
  add_long(box, full(edge.type));
  box.tooltip += ": " + full(edge.type);
  if (edge.contents.empty()) return;
  add_long(box, "= " + full(edge.contents));
  box.tooltip += " = " + full(edge.contents);
}

Box tensor_box(const Neighbourhood::Edge& edge) {
  Box box;
  box.form = Box::Form::tensor;
  box.at_fault = edge.at_fault;
  if (edge.at_fault) box.lines.push_back({Style::name, shorten(full(edge.value), kNameColumns)});
  box.tooltip = full(edge.value);
  add_type(box, edge);
  return box;
}

bool is_end(Kind kind) { return kind == Kind::input || kind == Kind::initializer; }

}  // namespace

double font_size(Style style) noexcept { return style == Style::title ? 13 : style == Style::name ? 11.5 : 11; }
double line_height(Style style) noexcept { return style == Style::title ? 17 : 15; }

std::string shorten(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  constexpr std::string_view kGap = "\xe2\x80\xa6";  // one column
  const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; };
  const std::size_t head_columns = (columns - 1) * 2 / 5;
  std::size_t head = 0;
  for (std::size_t i = 1; i <= text.size(); ++i) {
    if (i < text.size() && !is_start(text[i])) continue;
    if (display_width(text.substr(0, i)) > head_columns) break;
    head = i;
  }
  std::size_t tail = text.size();
  for (std::size_t i = text.size(); i-- > head;) {
    if (!is_start(text[i])) continue;
    if (display_width(text.substr(i)) + head_columns + 1 > columns) break;
    tail = i;
  }
  return std::string(text.substr(0, head)).append(kGap).append(text.substr(tail));
}

Boxes boxes_of(const Neighbourhood& neighbourhood, bool is_finding, std::span<const Mark> marks) {
  Boxes out;
  for (std::size_t i = 0; i < neighbourhood.nodes.size(); ++i) {
    out.boxes.push_back(box_of(neighbourhood.nodes[i], is_finding, i < marks.size() ? marks[i] : Mark{}));
  }
  std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> tensors;
  for (const Neighbourhood::Edge& edge : neighbourhood.edges) {
    if (is_end(neighbourhood.nodes.at(edge.from).kind)) {
      Box& end = out.boxes[edge.from];
      if (end.lines.back().style != Style::type) add_type(end, edge);
      end.at_fault = end.at_fault || edge.at_fault;
      out.lines.push_back({edge.from, edge.to, true, edge.at_fault});
      continue;
    }
    const auto [it, is_new] =
        tensors.try_emplace({edge.from, edge.value}, static_cast<std::uint32_t>(out.boxes.size()));
    if (is_new) {
      out.boxes.push_back(tensor_box(edge));
      out.lines.push_back({edge.from, it->second, false, edge.at_fault});
    }
    out.lines.push_back({it->second, edge.to, true, edge.at_fault});
  }
  for (Box& box : out.boxes) measure(box);
  return out;
}

}  // namespace trtcheck::picture
