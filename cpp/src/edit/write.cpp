#include "edit/write.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <trtcheck/error.hpp>

#include "bytes/real_path.hpp"
#include "edit/document.hpp"
#include "edit/edited.hpp"
#include "model/fetch.hpp"
#include "model/location.hpp"

namespace trtcheck::edit {
namespace {

// As PyTorch and onnx call it: "net.onnx.data".
constexpr std::string_view kDataEnding = ".data";

std::filesystem::path real_folder_of(const std::string& file) {
  std::error_code ignored;
  const std::filesystem::path whole = std::filesystem::absolute(file, ignored);
  return std::filesystem::weakly_canonical(whole.parent_path(), ignored);
}

int write_read(const FileSink& sink, const Readable& old, ByteRange range) {
  constexpr std::uint64_t kBlock = std::uint64_t{1} << 20;
  std::vector<std::byte> block(static_cast<std::size_t>(std::min(kBlock, range.length)));
  while (range.length > 0) {
    const auto part =
        std::span(block).first(static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), range.length)));
    old.read(range.offset, part);
    if (const int code = sink.write({reinterpret_cast<const char*>(part.data()), part.size()}); code != 0) return code;
    range.offset += part.size();
    range.length -= part.size();
  }
  return 0;
}

/// Copies from other files, of which the last one stays open.
class OtherFilesCopier {
 public:
  explicit OtherFilesCopier(const OtherFiles& files) : files_(&files) {}

  int copy(const FileSink& sink, std::uint64_t offset, std::uint64_t length) {
    const OtherFiles::Place place = files_->at(offset);
    if (!file_ || file_->path() != place.path) file_.emplace(File::open(place.path, File::Links::refused));
    const int code = sink.copy(*file_, place.offset, length);
    if (file_->state_now() != place.state) throw Error(place.path, "was written to while it was copied");
    return code;
  }

 private:
  const OtherFiles* files_;
  std::optional<File> file_;
};

/// Writes next to the place of `staged`, without putting it there.
void write(StagedFile& staged, const Pieces& pieces, const Origin& origin, const OtherFiles& others) {
  OtherFilesCopier copier(others);
  staged.write_ranges([&](const FileSink& sink) {
    for (const Pieces::Piece& piece : pieces.all()) {
      int code = 0;
      if (piece.is_new) {
        code = sink.write(pieces.text(piece));
      } else if (piece.from >= Pieces::kOtherFiles) {
        code = copier.copy(sink, piece.from, piece.length);
      } else if (origin.file != nullptr) {
        code = sink.copy(*origin.file, piece.from, piece.length);
      } else {
        code = write_read(sink, origin.old, {piece.from, piece.length});
      }
      if (code != 0) return code;
    }
    return 0;
  });
  if (origin.file != nullptr && origin.file->state_now() != origin.file->state())
    throw Error(origin.old.path, "was written to while it was copied");
}

/// A model as it will be written, and its data file, which mostly is none.
struct Placed {
  Pieces model;
  Pieces data;
  OtherFiles others;
};

Placed placed(const Model& model, const Pieces& pieces, const Origin& origin, const std::string& output,
              DataPlace data) {
  if (data == DataPlace::kept) {
    if (origin.file == nullptr || same_folder(origin.old.path, output)) return {pieces, {}, {}};
    const auto moved = [&](std::string_view location) { return moved_location(origin.old.path, output, location); };
    return {with_tensors(model, [&](Message& tensor, bool) { relocate(tensor, moved); }).over(pieces), {}, {}};
  }
  DataMover mover(model, data, std::filesystem::path(output).filename().string() + std::string(kDataEnding));
  Pieces made = with_tensors(model, std::ref(mover)).over(pieces);
  return {std::move(made), mover.data().over(pieces), mover.files()};
}

void refuse_large(const Pieces& pieces, const std::string& output) {
  // Protobuf counts in 32 bits with a sign.
  constexpr std::uint64_t kMost = (std::uint64_t{1} << 31) - 1;
  if (pieces.size() <= kMost) return;
  throw Error(output, fmt::format("cannot write: with its data it has {} bytes, and ONNX reads files below 2 GB; move "
                                  "large tensors out (--external-data)",
                                  pieces.size()));
}

}  // namespace

void put(const Model& model, const Pieces& pieces, const Origin& origin, const std::string& output, DataPlace data,
         const std::function<void(const File& written)>& look) {
  const Placed made = placed(model, pieces, origin, output, data);
  if (data == DataPlace::inlined) refuse_large(made.model, output);
  StagedFile staged(output, {});
  if (staged.is_special()) throw Error(output, "cannot write: it is not a regular file");
  std::optional<StagedFile> beside;
  if (made.data.size() > 0) {
    const std::string path = output + std::string(kDataEnding);
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
      throw Error(path, "cannot write: it is there already, and may be the data of another model");
    }
    beside.emplace(path, std::span<const std::string>{});
    write(*beside, made.data, origin, made.others);
    // The model is looked at with its data in place; until then it is taken away again.
    beside->put_for_now();
  }
  write(staged, made.model, origin, made.others);
  if (look) look(File::open(staged.temporary()));
  if (!beside) return staged.put();
  // From here on the model may be in place, which a signal must not leave without its data.
  beside->keep();
  try {
    staged.put();
  } catch (...) {
    beside->take_away();
    throw;
  }
}

bool same_folder(const std::string& a, const std::string& b) { return real_folder_of(a) == real_folder_of(b); }

std::string moved_location(const std::string& from, const std::string& to, std::string_view location) {
  if (location.empty() || !escape_by_text(location).empty()) return std::string(location);
  const std::filesystem::path data = real_folder_of(from) / std::string(location);
  std::string moved = data.lexically_relative(real_folder_of(to)).string();
  if (!escape_by_text(moved).empty()) {
    throw Error(to,
                fmt::format("cannot write: external data `{}` would be outside of its folder, where neither ONNX nor "
                            "TensorRT reads it; copy it too (--copy-data), or write the model next to its data",
                            location));
  }
  return moved;
}

std::function<void(const File& written)> same_model(const Model& made, const std::string& output,
                                                    const Limits& limits) {
  return [&made, output, limits](const File& file) {
    const Model written = read_model(file, output, folder_of(output), limits);
    const bool is_same = written.node_count() == made.node_count() && written.value_count() == made.value_count() &&
                         written.tensor_count() == made.tensor_count();
    if (!is_same) throw Error(output, "cannot write: the file is another model when it is read again");
  };
}

}  // namespace trtcheck::edit
