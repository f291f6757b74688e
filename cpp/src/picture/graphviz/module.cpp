// The only file that sees Graphviz. Nodes go in as sizes, edges as pairs of numbers, and positions come out: no text
// of a model is ever given to Graphviz, no DOT is written or read, no font is asked for.
#include "picture/graphviz/module.hpp"

#include <graphviz/gvc.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

extern "C" {
// Defined by the layout plugin, which this module is linked with: nothing is looked for at run time.
extern gvplugin_library_t gvplugin_dot_layout_LTX_library;  // NOLINT: Graphviz's name
}

namespace {

constexpr double kPointsPerInch = 72;  // a pixel of ours is a point of Graphviz

// Graphviz has global state, and reports through a plain function. However many programs and libraries of one process
// opened this module, it is there once.
std::mutex one_at_a_time;      // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::string* heard = nullptr;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

int listen(char* text) {
  if (heard != nullptr && heard->size() < 200) *heard += text;
  return 0;
}

/// For the time of one layout: Graphviz's messages go to `text` instead of standard error.
class Listening {
 public:
  explicit Listening(std::string& text) : before_(agseterrf(listen)) { heard = &text; }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
  ~Listening() {
    agseterrf(before_);
    heard = nullptr;
  }

 private:
  agusererrf before_;
};

struct CloseGraph {
  void operator()(Agraph_t* graph) const { agclose(graph); }
};
struct FreeContext {
  void operator()(GVC_t* context) const { gvFreeContext(context); }
};
using Graph = std::unique_ptr<Agraph_t, CloseGraph>;
using Context = std::unique_ptr<GVC_t, FreeContext>;

/// cgraph takes char* and copies what it is given.
void set(void* object, const char* name, const std::string& value) {
  agsafeset(object, const_cast<char*>(name), const_cast<char*>(value.c_str()), const_cast<char*>(""));
}

std::string inches(double pixels) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", pixels / kPointsPerInch);
  // A process may have set a locale with another decimal point; Graphviz reads with the same one.
  return text;
}

Agnode_t* add_node(Agraph_t* graph, const double* size) {
  Agnode_t* node = agnode(graph, nullptr, 1);
  if (node == nullptr) return nullptr;
  set(node, "shape", "box");
  set(node, "label", "");
  set(node, "fixedsize", "true");
  set(node, "width", inches(size[0]));
  set(node, "height", inches(size[1]));
  return node;
}

/// Graphviz has y upwards and may start anywhere.
struct Frame {
  double left;
  double top;
  [[nodiscard]] double x(const pointf& p) const { return p.x - left; }
  [[nodiscard]] double y(const pointf& p) const { return top - p.y; }
};

void tell_curves(Agedge_t* edge, std::uint32_t index, const Frame& frame, trtcheck_layout_result& result) {
  const splines* routed = ED_spl(edge);
  if (routed == nullptr) return;
  for (int i = 0; i < routed->size; ++i) {
    const bezier& curve = routed->list[i];
    std::vector<double> points;
    for (int k = 0; k < curve.size; ++k) {
      points.push_back(frame.x(curve.list[k]));
      points.push_back(frame.y(curve.list[k]));
    }
    result.curve(result.state, index, points.data(), points.size() / 2);
  }
}

struct Drawn {
  std::vector<Agnode_t*> nodes;
  std::vector<Agedge_t*> edges;
};

bool fill(Agraph_t* graph, const trtcheck_layout_request& request, Drawn& drawn) {
  set(graph, "ranksep", inches(request.rank_gap));
  set(graph, "nodesep", inches(request.node_gap));
  for (std::uint32_t i = 0; i < request.node_count; ++i) {
    drawn.nodes.push_back(add_node(graph, request.sizes + 2 * std::size_t{i}));
    if (drawn.nodes.back() == nullptr) return false;
  }
  for (std::uint32_t i = 0; i < request.edge_count; ++i) {
    const std::uint32_t from = request.edges[2 * std::size_t{i}];
    const std::uint32_t to = request.edges[2 * std::size_t{i} + 1];
    if (from >= request.node_count || to >= request.node_count) return false;
    drawn.edges.push_back(agedge(graph, drawn.nodes[from], drawn.nodes[to], nullptr, 1));
    if (drawn.edges.back() == nullptr) return false;
    // Ends are drawn by us: the curve reaches the border of the node.
    set(drawn.edges.back(), "dir", "none");
  }
  return true;
}

void read(Agraph_t* graph, const Drawn& drawn, trtcheck_layout_result& result) {
  const boxf box = GD_bb(graph);
  const Frame frame{box.LL.x, box.UR.y};
  result.width = box.UR.x - box.LL.x;
  result.height = box.UR.y - box.LL.y;
  for (std::size_t i = 0; i < drawn.nodes.size(); ++i) {
    result.centers[2 * i] = frame.x(ND_coord(drawn.nodes[i]));
    result.centers[2 * i + 1] = frame.y(ND_coord(drawn.nodes[i]));
  }
  for (std::size_t i = 0; i < drawn.edges.size(); ++i) {
    tell_curves(drawn.edges[i], static_cast<std::uint32_t>(i), frame, result);
  }
}

int fail(trtcheck_layout_result& result, std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  std::snprintf(result.message, sizeof result.message, "%s", text.c_str());
  return 1;
}

int lay_out(const trtcheck_layout_request& request, trtcheck_layout_result& result) {
  std::string messages;
  const Listening listening(messages);
  const lt_symlist_t builtins[] = {{"gvplugin_dot_layout_LTX_library", &gvplugin_dot_layout_LTX_library},
                                   {nullptr, nullptr}};
  const Context context(gvContextPlugins(builtins, 0));
  if (!context) return fail(result, "no context: " + messages);
  char name[] = "g";
  const Graph graph(agopen(name, Agdirected, nullptr));
  Drawn drawn;
  if (!graph || !fill(graph.get(), request, drawn)) return fail(result, "no graph: " + messages);
  if (gvLayout(context.get(), graph.get(), "dot") != 0) return fail(result, "no layout: " + messages);
  read(graph.get(), drawn, result);
  gvFreeLayout(context.get(), graph.get());
  return 0;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int TRTCHECK_LAYOUT_ENTRY(const trtcheck_layout_request* request,
                                                                            trtcheck_layout_result* result) {
  // Nothing may be thrown across the border.
  try {
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    return lay_out(*request, *result);
  } catch (const std::exception& error) {
    return fail(*result, error.what());
  }
}
