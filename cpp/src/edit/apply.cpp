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
  const Readable old = trtcheck::readable(file);
  const Model model = read_model(file, path, folder_of(path), limits);
  const Pieces pieces = edited(model, edits);
  const Origin origin{old, &file};
  if (edits.empty() || (data == DataPlace::kept && same_folder(path, output))) {
    return put(model, pieces, origin, output, data);
  }
  // Tensors that edits brought have data too.
  put(read_model(readable(pieces, old), folder_of(path), limits), pieces, origin, output, data);
}

std::string apply(std::span<const std::byte> bytes, std::span<const Edit> edits, const Limits& limits) {
  const Model model = read_model(bytes, {}, limits);
  return edited(model, edits).content(trtcheck::readable(bytes).read);
}

}  // namespace trtcheck::edit
