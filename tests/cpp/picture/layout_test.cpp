// The layout library behind its border: what every layout has to be, whatever the graph.
#include "picture/layout.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <thread>

#include "picture/module_file.hpp"

using namespace trtcheck::picture;

namespace {

struct Rectangle {
  double left, top, right, bottom;
};

Rectangle place(const Sketch& sketch, const Layout& layout, std::size_t i) {
  const Size size = sketch.boxes[i];
  const Point at = layout.centers[i];
  return {at.x - size.width / 2, at.y - size.height / 2, at.x + size.width / 2, at.y + size.height / 2};
}

bool overlap(const Rectangle& a, const Rectangle& b) {
  return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
}

double distance_to(const Rectangle& box, const Point& point) {
  const double dx = std::max({box.left - point.x, 0.0, point.x - box.right});
  const double dy = std::max({box.top - point.y, 0.0, point.y - box.bottom});
  return std::hypot(dx, dy);
}

Sketch random_sketch(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
  Sketch sketch;
  const unsigned boxes = 1 + below(40);
  for (unsigned i = 0; i < boxes; ++i) sketch.boxes.push_back({20.0 + below(300), 14.0 + below(60)});
  const unsigned links = below(80);
  for (unsigned i = 0; i < links; ++i) sketch.links.push_back({below(boxes), below(boxes)});
  return sketch;
}

}  // namespace

TEST_CASE("boxes do not overlap, lie in the picture, and lines run from border to border") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const Sketch sketch = random_sketch(seed);
    const Layout layout = lay_out(sketch);
    REQUIRE(layout.centers.size() == sketch.boxes.size());
    REQUIRE(layout.curves.size() == sketch.links.size());
    std::size_t overlaps = 0;
    for (std::size_t i = 0; i < sketch.boxes.size(); ++i) {
      const Rectangle box = place(sketch, layout, i);
      CHECK((box.left >= -1 && box.top >= -1 && box.right <= layout.width + 1 && box.bottom <= layout.height + 1));
      for (std::size_t k = 0; k < i; ++k) overlaps += overlap(box, place(sketch, layout, k)) ? 1U : 0U;
    }
    CHECK(overlaps == 0);
    for (std::size_t i = 0; i < sketch.links.size(); ++i) {
      REQUIRE(!layout.curves[i].empty());
      for (const Layout::Curve& curve : layout.curves[i]) REQUIRE(curve.size() % 3 == 1);
      if (sketch.links[i].from == sketch.links[i].to) continue;
      const Rectangle from = place(sketch, layout, sketch.links[i].from);
      const Rectangle to = place(sketch, layout, sketch.links[i].to);
      CHECK(distance_to(from, layout.curves[i].front().front()) + distance_to(to, layout.curves[i].back().back()) < 4);
    }
  }
}

TEST_CASE("who makes is above who reads") {
  const Sketch sketch{{{50, 20}, {60, 30}, {70, 40}}, {{0, 1}, {1, 2}, {0, 2}}};
  const Layout layout = lay_out(sketch);
  CHECK(layout.centers[0].y < layout.centers[1].y);
  CHECK(layout.centers[1].y < layout.centers[2].y);
}

TEST_CASE("the same sketch gives the same layout, from several threads, too") {
  const Sketch sketch = random_sketch(7);
  const Layout expected = lay_out(sketch);
  std::vector<int> differ(4, 0);
  std::vector<std::thread> threads;
  for (int& wrong : differ) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        const Layout layout = lay_out(sketch);
        for (std::size_t k = 0; k < layout.centers.size(); ++k) {
          const Point& at = layout.centers[k];
          wrong += at.x < expected.centers[k].x || at.x > expected.centers[k].x ? 1 : 0;
          wrong += at.y < expected.centers[k].y || at.y > expected.centers[k].y ? 1 : 0;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(differ == std::vector<int>(4, 0));
}

TEST_CASE("nothing to lay out") {
  CHECK(lay_out({}).centers.empty());
  CHECK(lay_out({{{10, 10}}, {}}).centers.size() == 1);
}

TEST_CASE("the module is looked for beside the program") {
  const std::vector<std::string> places = module_places();
  REQUIRE(!places.empty());
  for (const std::string& place : places) CHECK(place.starts_with("/"));
  CHECK(std::find(places.begin(), places.end(), find_module()) != places.end());
}
