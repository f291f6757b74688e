#include <string>

#include <trtcheck/edit.hpp>
#include <trtcheck/error.hpp>

#include "bytes/bytes.hpp"
#include "bytes/staged_file.hpp"
#include "edit/edited.hpp"
#include "edit/write.hpp"
#include "model/fetch.hpp"

namespace trtcheck::edit {

void apply(const std::string& path, std::span<const Edit> edits, const std::string& output, const Limits& limits) {
  const File file = File::open(path);
  if (file.is_pipe()) throw Error(path, "is a pipe, a file is required to be edited");
  const Model model = read_model(file, path, std::string(), limits);
  Relocate new_location;
  if (!same_folder(path, output)) {
    new_location = [&](std::string_view location) { return moved_location(path, output, location); };
  }
  const Pieces pieces = edited(model, edits, new_location);
  StagedFile staged(output, {});
  if (staged.is_special()) throw Error(output, "cannot write: it is not a regular file");
  write(staged, pieces, readable(file), &file);
  staged.put();
}

std::string apply(std::span<const std::byte> bytes, std::span<const Edit> edits, const Limits& limits) {
  const Model model = read_model(bytes, {}, limits);
  const Pieces pieces = edited(model, edits);
  std::string result(pieces.size(), '\0');
  const auto read_old = [&](std::uint64_t offset, std::span<std::byte> into) {
    const auto part = bytes.subspan(static_cast<std::size_t>(offset), into.size());
    std::copy(part.begin(), part.end(), into.begin());
  };
  pieces.read(0, std::as_writable_bytes(std::span(result)), read_old);
  return result;
}

}  // namespace trtcheck::edit
