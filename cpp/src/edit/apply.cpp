#include <string>

#include <trtcheck/edit.hpp>
#include <trtcheck/error.hpp>

#include "bytes/bytes.hpp"
#include "bytes/real_path.hpp"
#include "edit/edited.hpp"
#include "edit/write.hpp"
#include "model/fetch.hpp"

namespace trtcheck::edit {

void apply(const std::string& path, std::span<const Edit> edits, const std::string& output, const Limits& limits,
           DataPlace data) {
  const File file = File::open(path);
  if (file.is_pipe()) throw Error(path, "is a pipe, a file is required to be edited");
  const Readable old = readable(file);
  const Model model = read_model(file, path, folder_of(path), limits);
  const Pieces pieces = edited(model, edits);
  const Origin origin{old, &file};
  if (edits.empty() || (data == DataPlace::kept && same_folder(path, output))) {
    return put(model, pieces, origin, output, data);
  }
  // Tensors that edits brought have data too.
  const auto read = [&](std::uint64_t offset, std::span<std::byte> into) { pieces.read(offset, into, old.read); };
  put(read_model(Readable{path, pieces.size(), read}, folder_of(path), limits), pieces, origin, output, data);
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
