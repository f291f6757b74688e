#include "cli/graph_options.hpp"

#include <CLI/CLI.hpp>
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

void GraphWords::add_to(CLI::App& app) {
  app.add_option("MODEL", path, "ONNX file")->required()->type_name("");
  app.add_option("--around", around, "label of a node, name of a tensor, or code of a finding")
      ->required()
      ->type_name("NODE");
  app.add_option("--depth", depth, "edges to go from there (default: 2)")->type_name("N");
  app.add_option("-o,--output", file, "SVG file to write (default: standard output)")->type_name("FILE");
  settings.add_to(app);
  app.remove_option(app.get_option("--fail-on"));  // a picture does not fail
}

GraphRequest GraphWords::request() const {
  return {path, around, parse_depth(depth), file, settings.choice(), settings.overrides()};
}

}  // namespace trtcheck::cli
