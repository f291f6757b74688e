// Where boxes go and how lines run between them: a layered layout, from top to bottom.
#pragma once

#include <cstdint>
#include <vector>

namespace trtcheck::picture {

struct Size {
  double width = 0;
  double height = 0;
};

struct Point {
  double x = 0;
  double y = 0;
};

struct Link {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

/// What is to be laid out. Lengths in pixels.
struct Sketch {
  std::vector<Size> boxes;
  std::vector<Link> links;  ///< indices into boxes; a box may be linked with itself
};

struct Layout {
  using Curve = std::vector<Point>;  ///< Bezier: the start, then three points for each piece
  double width = 0;
  double height = 0;
  std::vector<Point> centers;              ///< of boxes
  std::vector<std::vector<Curve>> curves;  ///< of links, from border to border
};

/// Same sketch, same layout. Threads wait for each other.
/// @throws Error  the module that holds the layout library is missing or damaged, or the library gave up
[[nodiscard]] Layout lay_out(const Sketch& sketch);

}  // namespace trtcheck::picture
