#include "cure/put.hpp"

#include <trtcheck/error.hpp>

#include "bytes/staged_file.hpp"
#include "edit/edited.hpp"
#include "edit/write.hpp"
#include "model/fetch.hpp"

namespace trtcheck::cure {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

void put(const SourceFile& origin, const File* file, const edit::Pieces& pieces, const Model& model,
         const std::string& output, const Limits& limits, const std::function<void(const Model& written)>& look) {
  const std::string& path = origin.file.path;
  edit::Pieces placed = pieces;
  if (file != nullptr && !edit::same_folder(path, output)) {
    const auto moved = [&](std::string_view location) { return edit::moved_location(path, output, location); };
    placed = edit::edited(model, {}, moved).over(placed);
  }
  StagedFile staged(output, {});
  if (staged.is_special()) throw Error(output, "cannot write: it is not a regular file");
  edit::write(staged, placed, origin.file, file);
  const File written = File::open(staged.temporary());
  look(read_model(written, output, folder_of(output), limits));
  staged.put();
}

}  // namespace trtcheck::cure
