// Positions to SVG. Plain strokes and texts have the colour of the page's text, so that the same picture is right on
// any background; the marks have colours that stand out from white and from black (3:1 at least), shapes and words.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>

#include <trtcheck/picture.hpp>

#include "picture/boxes.hpp"
#include "picture/layout.hpp"
#include "picture/svg.hpp"
#include "text/printable.hpp"

namespace trtcheck {
namespace picture {
namespace {

using Style = TextLine::Style;
using Form = Box::Form;

constexpr double kMargin = 6;
constexpr double kArrow = 8;
constexpr std::size_t kDescribed = 40;
// Vermilion and blue stay apart for every common kind of colour blindness (Okabe and Ito).
constexpr std::string_view kVictim = "var(--trtcheck-victim,#e5484d)";
constexpr std::string_view kCulprit = "var(--trtcheck-culprit,#3b82f6)";
constexpr std::string_view kInk = "currentColor";

std::string_view ink_of(Mark::Tint tint) {
  switch (tint) {
    case Mark::Tint::quantized:
      return "var(--trtcheck-quantized,#12805c)";
    case Mark::Tint::half:
      return "var(--trtcheck-half,#7c5cd6)";
    case Mark::Tint::real:
      return "var(--trtcheck-float,#b45f06)";
    case Mark::Tint::none:
      break;
  }
  return kInk;
}

constexpr std::string_view kStandaloneStyle =
    "<style>svg{color:#1f2328;background:#fff}@media (prefers-color-scheme:dark){svg{color:#e6e9ee;background:#15181d}}"
    "</style>";

class Svg {
 public:
  explicit Svg(std::string& out) : out_(&out) {}

  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(*out_), format, std::forward<Args>(args)...);
  }

  void box(const Box& box, const Point& center) {
    put("<g class=\"trtcheck-{}{}\">", class_of(box.form), box.at_fault ? " trtcheck-at-fault" : "");
    if (!box.tooltip.empty()) put("<title>{}</title>", escape_markup(box.tooltip));
    outline(box, center);
    double y = center.y - box.size.height / 2 + (is_flat(box.form) ? 3 : kPadding);
    for (const TextLine& line : box.lines) {
      text(line, box, center.x, y);
      y += line_height(line.style);
    }
    put("</g>");
  }

  void line(const Line& line, const std::vector<Layout::Curve>& curves) {
    const std::string_view ink = line.at_fault ? kVictim : kInk;
    const double width = line.at_fault ? 2.2 : 1.2;
    for (std::size_t i = 0; i < curves.size(); ++i) {
      Layout::Curve curve = curves[i];
      if (curve.size() < 4) continue;
      const bool arrow = line.arrow && i + 1 == curves.size();
      const Point tip = curve.back();
      const Point back = arrow ? drawn_back(curve) : tip;
      put("<path d=\"M{:.1f} {:.1f}C", curve[0].x, curve[0].y);
      for (std::size_t k = 1; k < curve.size(); ++k) put("{}{:.1f} {:.1f}", k == 1 ? "" : " ", curve[k].x, curve[k].y);
      put("\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>", ink, width,
          line.at_fault ? "" : " stroke-opacity=\".6\"");
      if (arrow) head(back, tip, ink, line.at_fault);
    }
  }

 private:
  static bool is_flat(Form form) { return form == Form::tensor || form == Form::more; }

  static std::string_view class_of(Form form) {
    switch (form) {
      case Form::node:
        return "node";
      case Form::victim:
        return "victim";
      case Form::culprit:
        return "culprit";
      case Form::center:
        return "center";
      case Form::input:
        return "input";
      case Form::output:
        return "output";
      case Form::initializer:
        return "constant";
      case Form::more:
        return "more";
      case Form::tensor:
        break;
    }
    return "tensor";
  }

  /// Where the head starts; the curve ends there.
  static Point drawn_back(Layout::Curve& curve) {
    const Point tip = curve.back();
    Point from = curve[curve.size() - 2];
    if (std::hypot(tip.x - from.x, tip.y - from.y) < 0.01) from = curve[curve.size() - 3];
    const double length = std::hypot(tip.x - from.x, tip.y - from.y);
    if (length < 0.01) return {tip.x, tip.y - kArrow};
    const double part = kArrow / length;
    curve.back() = {tip.x - (tip.x - from.x) * part, tip.y - (tip.y - from.y) * part};
    return curve.back();
  }

  void head(const Point& back, const Point& tip, std::string_view ink, bool at_fault) {
    const double dx = (tip.x - back.x) * 0.45;
    const double dy = (tip.y - back.y) * 0.45;
    put("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f} {:.1f} {:.1f}z\" fill=\"{}\"{}/>", tip.x, tip.y, back.x - dy,
        back.y + dx, back.x + dy, back.y - dx, ink, at_fault ? "" : " fill-opacity=\".7\"");
  }

  void rectangle(const Box& box, const Point& center, double grow, double radius, std::string_view attributes) {
    put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{:.1f}\" {}/>",
        center.x - box.size.width / 2 - grow, center.y - box.size.height / 2 - grow, box.size.width + 2 * grow,
        box.size.height + 2 * grow, radius, attributes);
  }

  /// A rectangle with its corners cut off: nothing else in the picture has this shape.
  void octagon(const Box& box, const Point& center, double grow, std::string_view attributes) {
    const double w = box.size.width / 2 + grow;
    const double h = box.size.height / 2 + grow;
    const double cut = 9;
    put("<path d=\"M{:.1f} {:.1f}h{:.1f}l{} {}v{:.1f}l-{} {}h-{:.1f}l-{} -{}v-{:.1f}z\" {}/>", center.x - w + cut,
        center.y - h, 2 * (w - cut), cut, cut, 2 * (h - cut), cut, cut, 2 * (w - cut), cut, cut, 2 * (h - cut),
        attributes);
  }

  void outline(const Box& box, const Point& center) {
    constexpr std::string_view kPlain =
        "fill=\"currentColor\" fill-opacity=\".05\" stroke=\"currentColor\" stroke-opacity=\".6\"";
    if (box.tint != Mark::Tint::none) {
      const std::string_view ink = ink_of(box.tint);
      return rectangle(box, center, 0, 4,
                       fmt::format("fill=\"{0}\" fill-opacity=\".16\" stroke=\"{0}\" stroke-width=\"2\"", ink));
    }
    switch (box.form) {
      case Form::victim:
        octagon(box, center, 0,
                fmt::format("fill=\"{0}\" fill-opacity=\".13\" stroke=\"{0}\" stroke-width=\"3\"", kVictim));
        return;
      case Form::culprit:
        rectangle(box, center, 0, 6,
                  fmt::format("fill=\"{0}\" fill-opacity=\".13\" stroke=\"{0}\" stroke-width=\"2.5\" "
                              "stroke-dasharray=\"7 3\"",
                              kCulprit));
        return;
      case Form::center:
        rectangle(box, center, 0, 6,
                  "fill=\"currentColor\" fill-opacity=\".1\" stroke=\"currentColor\" stroke-width=\"2.5\"");
        return;
      case Form::input:
      case Form::output:
        rectangle(box, center, 0, std::min(box.size.height / 2, 18.0), kPlain);
        return;
      case Form::more:
        rectangle(box, center, 0, box.size.height / 2,
                  "fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".6\" stroke-dasharray=\"1.5 2.5\"");
        return;
      case Form::tensor:
        rectangle(box, center, 0, box.at_fault ? 4 : std::min(box.size.height / 2, 12.0),
                  box.at_fault
                      ? fmt::format("fill=\"{0}\" fill-opacity=\".10\" stroke=\"{0}\" stroke-width=\"2\"", kVictim)
                      : "fill=\"currentColor\" fill-opacity=\".03\" stroke=\"currentColor\" stroke-opacity=\".25\"");
        return;
      case Form::initializer:
        rectangle(box, center, 0, 1, kPlain);
        return;
      case Form::node:
        rectangle(box, center, 0, 6, kPlain);
        return;
    }
  }

  void text(const TextLine& line, const Box& box, double x, double top) {
    const double size = font_size(line.style);
    const double baseline = top + line_height(line.style) / 2 + size * 0.36;
    const bool is_badge = line.style == Style::badge;
    if (is_badge) {
      const double half = static_cast<double>(display_width(line.text)) * size * 0.605 / 2;
      icon(box, {x - half - 1, top + line_height(line.style) / 2});
      x += 6;
    }
    put("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\"{}>{}</text>", x, baseline, size,
        is_badge || line.style == Style::title ? " font-weight=\"600\"" : "", escape_markup(line.text));
  }

  void icon(const Box& box, const Point& at) {
    if (box.form == Form::victim) {
      put("<path d=\"M{:.1f} {:.1f}l7 7m0 -7l-7 7\" stroke=\"{}\" stroke-width=\"2.4\" fill=\"none\"/>", at.x - 4,
          at.y - 3.5, kVictim);
    } else {
      put("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.8\" fill=\"{}\"/>", at.x - 1, at.y,
          box.tint != Mark::Tint::none ? ink_of(box.tint)
          : box.form == Form::center   ? kInk
                                       : kCulprit);
    }
  }

  std::string* out_;
};

Layout arranged(const Boxes& boxes) {
  Sketch sketch;
  for (const Box& box : boxes.boxes) sketch.boxes.push_back(box.size);
  for (const Line& line : boxes.lines) sketch.links.push_back({line.from, line.to});
  return lay_out(sketch);
}

/// "Conv `a`, marked as the place of the failure; ...": for those who do not see the picture.
std::string description(const Neighbourhood& neighbourhood, bool is_finding) {
  const auto called = [&](std::uint32_t i) {
    const Neighbourhood::Node& node = neighbourhood.nodes[i];
    if (node.kind == Neighbourhood::Kind::more) return std::string("nodes not shown");
    return printable(node.op_type, kMaxName) + (node.op_type.empty() ? "`" : " `") + printable(node.name, kMaxName) +
           "`";
  };
  std::string out;
  for (std::uint32_t i = 0; i < neighbourhood.nodes.size(); ++i) {
    const Neighbourhood::Role role = neighbourhood.nodes[i].role;
    if (role == Neighbourhood::Role::victim && is_finding) out += "The finding is about " + called(i) + ". ";
    if (role == Neighbourhood::Role::culprit) out += "It comes from " + called(i) + ". ";
  }
  for (std::size_t i = 0; i < std::min(neighbourhood.edges.size(), kDescribed); ++i) {
    const Neighbourhood::Edge& edge = neighbourhood.edges[i];
    const std::string contents = edge.contents.empty() ? "" : " = " + printable(edge.contents, kMaxName);
    out += called(edge.from) + " gives " + printable(edge.type, kMaxName) + contents + " to " + called(edge.to) + ". ";
  }
  if (!out.empty()) out.pop_back();
  return out;
}

std::string title_of(const Neighbourhood& neighbourhood) {
  for (const Neighbourhood::Node& node : neighbourhood.nodes) {
    if (node.role == Neighbourhood::Role::victim) return "The nodes around " + node.op_type + " " + node.name;
  }
  return "A part of the graph";
}

}  // namespace

std::string svg_of(const Boxes& boxes, const Words& words, bool standalone) {
  const Layout layout = arranged(boxes);
  std::string out;
  Svg svg(out);
  const double width = std::ceil(layout.width + 2 * kMargin);
  const double height = std::ceil(layout.height + 2 * kMargin);
  svg.put(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"trtcheck-picture\" role=\"img\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"{2} {2} {0} {1}\" font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,&quot;DejaVu Sans "
      "Mono&quot;,monospace\" text-anchor=\"middle\" fill=\"currentColor\">",
      width, height, -kMargin);
  svg.put("<title>{}</title><desc>{}</desc>", escape_markup(words.title, 2 * kMaxName),
          escape_markup(words.description, 4 * kMaxMessage));
  if (standalone) svg.put("{}", kStandaloneStyle);
  for (std::size_t i = 0; i < boxes.lines.size(); ++i) svg.line(boxes.lines[i], layout.curves[i]);
  for (std::size_t i = 0; i < boxes.boxes.size(); ++i) svg.box(boxes.boxes[i], layout.centers[i]);
  return out + "</svg>\n";
}

}  // namespace picture

std::string draw(const Neighbourhood& neighbourhood, const DrawOptions& options) {
  if (neighbourhood.empty()) return "";
  const std::string title = options.title.empty() ? picture::title_of(neighbourhood) : options.title;
  return picture::svg_of(picture::boxes_of(neighbourhood, options.is_finding),
                         {title, picture::description(neighbourhood, options.is_finding)}, options.standalone);
}

}  // namespace trtcheck
