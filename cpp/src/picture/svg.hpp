// Boxes and lines as an SVG document.
#pragma once

#include <string>

#include "picture/boxes.hpp"

namespace trtcheck::picture {

/// For those who do not see the picture. Any bytes.
struct Words {
  std::string title;
  std::string description;
};

/// @throws Error  as draw() does
[[nodiscard]] std::string svg_of(const Boxes& boxes, const Words& words, bool standalone);

}  // namespace trtcheck::picture
