// Pieces as models of their own.
#include <trtcheck/partition.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include <trtcheck/error.hpp>
#include <trtcheck/extract.hpp>

#include "bytes/bytes.hpp"
#include "bytes/real_path.hpp"
#include "edit/edited.hpp"
#include "edit/write.hpp"
#include "model/fetch.hpp"
#include "model/graphs.hpp"
#include "subgraph/lift.hpp"
#include "view/inference_options.hpp"

namespace trtcheck {
namespace partitioning {
namespace {

std::vector<std::string> names_of(const std::vector<CrossingTensor>& tensors) {
  std::vector<std::string> names;
  for (const CrossingTensor& tensor : tensors) names.push_back(tensor.name);
  return names;
}

bool is_written(const GraphPiece& piece) { return piece.runs && !piece.outputs.empty(); }

/// A file to be: its model reads what the pieces hold.
struct Part {
  edit::Pieces pieces;
  std::optional<Model> model{};
};

class Cutter {
 public:
  Cutter(const std::string& path, const CheckOptions& check)
      : file_(File::open(path)),
        old_(readable(file_)),
        folder_(folder_of(path)),
        limits_(check.limits),
        known_(symbolic_options(check.target)),
        model_(read_model(file_, path, folder_, limits_)),
        shapes_(infer(model_, known_)) {}

  /// @throws Error  it cannot be cut out
  [[nodiscard]] std::unique_ptr<Part> part(const GraphPiece& piece) {
    const ExtractOptions options{
        .inputs = names_of(piece.inputs), .outputs = names_of(piece.outputs), .limits = limits_};
    if (piece.graph == model_.graph_path(kMainGraph)) {
      return read(edit::edited(model_, plan_extract(model_, shapes_, options).edits));
    }
    if (!body_ || body_->path != piece.graph) body_.emplace(body_at(piece.graph));
    const Model& body = *body_->part->model;
    return read(edit::edited(body, plan_extract(body, body_->shapes, options).edits).over(body_->part->pieces));
  }

  /// @throws Error  it cannot be written
  void write(const Part& part, const std::string& output) const {
    edit::put(*part.model, part.pieces, {old_, &file_}, output, edit::DataPlace::kept,
              edit::same_model(*part.model, output, limits_));
  }

 private:
  struct Body {
    std::string path;
    std::unique_ptr<Part> part;
    Shapes shapes;
  };

  [[nodiscard]] Body body_at(const std::string& path) const {
    const auto lifted = subgraph::lifted(model_, shapes_, body_called(path));
    if (!lifted) throw Error(model_.path(), fmt::format("`{}` has no nodes", path));
    std::unique_ptr<Part> part = read(edit::edited(model_, lifted->edits));
    Shapes shapes = infer(*part->model, known_);
    return {path, std::move(part), std::move(shapes)};
  }

  [[nodiscard]] std::unique_ptr<Part> read(edit::Pieces pieces) const {
    auto made = std::make_unique<Part>(Part{std::move(pieces)});
    made->model.emplace(read_model(edit::readable(made->pieces, old_), folder_, limits_));
    return made;
  }

  [[nodiscard]] GraphId body_called(const std::string& path) const {
    GraphId found;
    for (std::uint32_t g = 1; g < model_.graph_count(); ++g) {
      if (!is_of_main_graph(model_, GraphId{g}) || model_.graph_path(GraphId{g}) != path) continue;
      if (found) throw Error(model_.path(), fmt::format("several bodies are called `{}`", path));
      found = GraphId{g};
    }
    if (!found) throw Error(model_.path(), fmt::format("there is no body `{}`", path));
    return found;
  }

  File file_;
  Readable old_;
  std::string folder_;
  Limits limits_;
  InferOptions known_;
  Model model_;
  Shapes shapes_;
  std::optional<Body> body_;  ///< of the last piece: those of one body follow each other
};

}  // namespace
}  // namespace partitioning

void write_pieces(const std::string& path, PartitionReport& report, const std::string& folder,
                  const CheckOptions& check) {
  namespace fs = std::filesystem;
  using namespace partitioning;
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
  Cutter cutter(path, check);
  for (GraphPiece& piece : report.pieces) {
    if (!is_written(piece)) continue;
    std::unique_ptr<Part> part;
    try {
      part = cutter.part(piece);
    } catch (const Error& error) {
      report.notes.push_back(fmt::format("piece {} is not written: {}", piece.number, error.cause()));
      continue;
    }
    cutter.write(*part, place_of(piece));
    piece.file = place_of(piece);
  }
}

}  // namespace trtcheck
