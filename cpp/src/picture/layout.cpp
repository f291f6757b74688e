#include "picture/layout.hpp"

#include <dlfcn.h>

#include <memory>
#include <string>
#include <vector>

#include <trtcheck/error.hpp>

#include "picture/graphviz/module.hpp"
#include "picture/module_file.hpp"

namespace trtcheck::picture {
namespace {

constexpr double kRankGap = 26;
constexpr double kNodeGap = 20;

struct CloseModule {
  void operator()(void* module) const noexcept { ::dlclose(module); }
};
using Module = std::unique_ptr<void, CloseModule>;

[[noreturn]] void fail(const std::string& cause) { throw Error("picture", cause); }

std::string dl_error() {
  const char* const text = ::dlerror();  // NOLINT(concurrency-mt-unsafe): glibc keeps one for each thread
  return text == nullptr ? "unknown error" : text;
}

Module open_module() {
  const std::string path = find_module();
  // Stays in the process once it is there: opening it for the next picture costs nothing.
  Module module(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE));
  if (!module) fail("cannot open the layout module: " + dl_error());
  return module;
}

using Curves = std::vector<std::vector<Layout::Curve>>;

void keep_curve(void* state, std::uint32_t edge, const double* points, std::size_t count) {
  Layout::Curve curve(count);
  for (std::size_t i = 0; i < count; ++i) curve[i] = {points[2 * i], points[2 * i + 1]};
  static_cast<Curves*>(state)->at(edge).push_back(std::move(curve));
}

}  // namespace

Layout lay_out(const Sketch& sketch) {
  Layout layout;
  if (sketch.boxes.empty()) return layout;
  const Module module = open_module();
  const auto entry = reinterpret_cast<trtcheck_layout_function>(::dlsym(module.get(), TRTCHECK_LAYOUT_ENTRY_NAME));
  if (entry == nullptr) fail("the layout module is of another version: " + dl_error());

  std::vector<double> sizes;
  for (const Size& box : sketch.boxes) sizes.insert(sizes.end(), {box.width, box.height});
  std::vector<std::uint32_t> ends;
  for (const Link& link : sketch.links) ends.insert(ends.end(), {link.from, link.to});
  const trtcheck_layout_request request{.node_count = static_cast<std::uint32_t>(sketch.boxes.size()),
                                        .sizes = sizes.data(),
                                        .edge_count = static_cast<std::uint32_t>(sketch.links.size()),
                                        .edges = ends.data(),
                                        .rank_gap = kRankGap,
                                        .node_gap = kNodeGap};
  std::vector<double> centers(sizes.size());
  layout.curves.resize(sketch.links.size());
  trtcheck_layout_result result{};
  result.centers = centers.data();
  result.state = &layout.curves;
  result.curve = keep_curve;
  if (entry(&request, &result) != 0) fail(std::string("the layout failed: ") + result.message);

  layout.width = result.width;
  layout.height = result.height;
  for (std::size_t i = 0; i < centers.size(); i += 2) layout.centers.push_back({centers[i], centers[i + 1]});
  return layout;
}

}  // namespace trtcheck::picture
