// Pieces as models of their own.
#include <trtcheck/partition.hpp>

#include <filesystem>
#include <system_error>

#include <fmt/core.h>

#include <trtcheck/error.hpp>
#include <trtcheck/extract.hpp>

namespace trtcheck {
namespace {

std::vector<std::string> names_of(const std::vector<CrossingTensor>& tensors) {
  std::vector<std::string> names;
  for (const CrossingTensor& tensor : tensors) names.push_back(tensor.name);
  return names;
}

bool is_written(const GraphPiece& piece) { return piece.runs && piece.graph == "main" && !piece.outputs.empty(); }

}  // namespace

void write_pieces(const std::string& path, PartitionReport& report, const std::string& folder, const Limits& limits) {
  namespace fs = std::filesystem;
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw Error(folder, "cannot make the folder: " + failed.message());
  const std::string stem = fs::path(path).stem().string();
  const auto place_of = [&](const GraphPiece& piece) {
    return fmt::format("{}/{}.piece{}.onnx", folder, stem.empty() ? "model" : stem, piece.number);
  };
  // All or nothing: what is there already is seen before anything is written.
  for (const GraphPiece& piece : report.pieces) {
    if (is_written(piece) && fs::exists(place_of(piece), failed)) {
      throw Error(place_of(piece), "is there already: name another folder");
    }
  }
  for (GraphPiece& piece : report.pieces) {
    if (!is_written(piece)) continue;
    ExtractOptions options{.inputs = names_of(piece.inputs), .outputs = names_of(piece.outputs), .limits = limits};
    std::optional<Extracted> part;
    try {
      part = extract(path, options);
    } catch (const Error& error) {
      report.notes.push_back(fmt::format("piece {} is not written: {}", piece.number, error.cause()));
      continue;
    }
    part->write(place_of(piece));
    piece.file = place_of(piece);
  }
}

}  // namespace trtcheck
