// The border between trtcheck and the module that holds Graphviz: plain C, so that both sides may be built apart.
//
// The module is a shared object of its own, opened when the first picture is drawn. Graphviz and the libraries behind
// it would otherwise be loaded by every run of a program that has to start in milliseconds, and the program of a wheel,
// which lies in `bin` by itself, could not be linked with them at all.
#pragma once

#include <cstddef>
#include <cstdint>

// Part of the entry's name: a module with another idea of these structures is not taken.
#define TRTCHECK_LAYOUT_ENTRY trtcheck_layout_v1
#define TRTCHECK_LAYOUT_ENTRY_NAME "trtcheck_layout_v1"

extern "C" {

// All lengths in pixels; y grows downwards; 0,0 is the corner at the top left.
struct trtcheck_layout_request {
  std::uint32_t node_count;
  const double* sizes;  // width, height of each node
  std::uint32_t edge_count;
  const std::uint32_t* edges;  // from, to of each edge: below node_count
  double rank_gap;             // between rows
  double node_gap;             // within a row
};

struct trtcheck_layout_result {
  double* centers;  // x, y of each node: room for 2 * node_count, the caller's
  double width;
  double height;
  void* state;  // handed to `curve`
  // Called for each piece of each edge that was routed: a Bezier curve of 3 n + 1 points, x and y of each, which are
  // valid during the call. Must not throw.
  void (*curve)(void* state, std::uint32_t edge, const double* points, std::size_t count);
  char message[256];  // what went wrong
};

// 0, or something else with `message` filled in. Calls of several threads wait for each other.
using trtcheck_layout_function = int (*)(const trtcheck_layout_request*, trtcheck_layout_result*);
}
