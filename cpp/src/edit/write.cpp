#include "edit/write.hpp"

#include <filesystem>
#include <system_error>

#include <trtcheck/error.hpp>

#include "model/location.hpp"

namespace trtcheck::edit {
namespace {

std::filesystem::path folder_of(const std::string& file) {
  std::error_code ignored;
  const std::filesystem::path whole = std::filesystem::absolute(file, ignored);
  return std::filesystem::weakly_canonical(whole.parent_path(), ignored);
}

}  // namespace

void write(StagedFile& staged, const Pieces& pieces, const File& old) {
  staged.write_ranges([&](const FileSink& sink) {
    for (const Pieces::Piece& piece : pieces.all()) {
      const int code = piece.is_new ? sink.write(pieces.text(piece)) : sink.copy(old, {piece.from, piece.length});
      if (code != 0) return code;
    }
    return 0;
  });
  if (!old.is_pipe() && old.state_now() != old.state()) throw Error(old.path(), "was written to while it was copied");
}

bool same_folder(const std::string& a, const std::string& b) { return folder_of(a) == folder_of(b); }

std::string moved_location(const std::string& from, const std::string& to, std::string_view location) {
  if (location.empty() || !escape_by_text(location).empty()) return std::string(location);
  const std::filesystem::path data = folder_of(from) / std::string(location);
  return data.lexically_relative(folder_of(to)).string();
}

}  // namespace trtcheck::edit
