// What is drawn: boxes with lines of text in them, measured, and links between them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/neighbourhood.hpp>

#include "picture/layout.hpp"

namespace trtcheck::picture {

struct TextLine {
  enum class Style : std::uint8_t { badge, title, name, type, kind };
  Style style = Style::name;
  std::string text;  ///< printable, short enough
};

/// The element type that a node computes in.
struct Mark {
  enum class Tint : std::uint8_t { none, quantized, half, real };
  Tint tint = Tint::none;
  std::string text;  ///< "INT8"; "" = no mark
};

struct Box {
  enum class Form : std::uint8_t { node, victim, culprit, center, input, output, initializer, more, tensor };
  Form form = Form::node;
  bool at_fault = false;
  Mark::Tint tint = Mark::Tint::none;
  std::vector<TextLine> lines;
  std::string tooltip;  ///< everything in full, printable; "" = nothing more to say
  Size size;
};

struct Line {
  std::uint32_t from = 0;  ///< index into boxes
  std::uint32_t to = 0;
  bool arrow = false;
  bool at_fault = false;
};

/// Every value that a shown node makes is a box of its own between its maker and its readers; type and contents of
/// inputs and initializers stand in their box.
struct Boxes {
  std::vector<Box> boxes;
  std::vector<Line> lines;
};

/// @param marks  of its nodes, by index; empty = none has one
[[nodiscard]] Boxes boxes_of(const Neighbourhood& neighbourhood, bool is_finding = true,
                             std::span<const Mark> marks = {});

/// Pixels of one line of that style, and pixels of one column of a monospaced font at that size.
[[nodiscard]] double line_height(TextLine::Style style) noexcept;
[[nodiscard]] double font_size(TextLine::Style style) noexcept;
/// Space between the border of a box and its text.
inline constexpr double kPadding = 7;

/// At most `columns` columns: what is too much is left out of the middle, the end counts more than the start.
/// @pre `text` is printable()
[[nodiscard]] std::string shorten(std::string_view text, std::size_t columns);

}  // namespace trtcheck::picture
