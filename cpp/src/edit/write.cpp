#include "edit/write.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <trtcheck/error.hpp>

#include "model/location.hpp"

namespace trtcheck::edit {
namespace {

std::filesystem::path folder_of(const std::string& file) {
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

}  // namespace

void write(StagedFile& staged, const Pieces& pieces, const Readable& old, const File* file) {
  staged.write_ranges([&](const FileSink& sink) {
    for (const Pieces::Piece& piece : pieces.all()) {
      int code = 0;
      if (piece.is_new) {
        code = sink.write(pieces.text(piece));
      } else if (file != nullptr) {
        code = sink.copy(*file, piece.from, piece.length);
      } else {
        code = write_read(sink, old, {piece.from, piece.length});
      }
      if (code != 0) return code;
    }
    return 0;
  });
  if (file != nullptr && file->state_now() != file->state())
    throw Error(old.path, "was written to while it was copied");
}

bool same_folder(const std::string& a, const std::string& b) { return folder_of(a) == folder_of(b); }

std::string moved_location(const std::string& from, const std::string& to, std::string_view location) {
  if (location.empty() || !escape_by_text(location).empty()) return std::string(location);
  const std::filesystem::path data = folder_of(from) / std::string(location);
  std::string moved = data.lexically_relative(folder_of(to)).string();
  if (!escape_by_text(moved).empty()) {
    throw Error(to,
                fmt::format("cannot write: external data `{}` would be outside of its folder, where neither ONNX nor "
                            "TensorRT reads it; write the model next to its data",
                            location));
  }
  return moved;
}

}  // namespace trtcheck::edit
