#include "cli/graph_options.hpp"

#include <charconv>

namespace trtcheck::cli {
namespace {

constexpr std::uint32_t kMaxDepth = 20;

std::uint32_t parse_depth(const std::string& word) {
  std::uint32_t depth = 0;
  const char* const end = word.data() + word.size();
  const auto [last, failed] = std::from_chars(word.data(), end, depth);
  if (failed != std::errc{} || last != end || depth > kMaxDepth) {
    refuse(fmt::format("--depth: `{}` is no number from 0 to {}", word, kMaxDepth));
  }
  return depth;
}

}  // namespace

void GraphWords::add_to(Options& options) {
  options.add_argument("MODEL", path, "ONNX file").required();
  options.add("--around", around, "label of a node, name of a tensor, or code of a finding").required().value("NODE");
  options.add("--depth", depth, "edges to go from there (default: 2)").value("N");
  options.add("-o,--output", file, "SVG file to write (default: standard output)").value("FILE");
  settings.add_to(options);
  options.remove("--fail-on");  // a picture does not fail
}

GraphRequest GraphWords::request() const {
  return {path, around, parse_depth(depth), file, settings.choice(), settings.overrides()};
}

}  // namespace trtcheck::cli
