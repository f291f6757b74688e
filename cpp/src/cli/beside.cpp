#include "cli/beside.hpp"

#include <trtcheck/error.hpp>

#include "bytes/bytes.hpp"
#include "bytes/staged_file.hpp"

namespace trtcheck::cli {

std::string place_of_changed(const std::string& path, bool is_in_place, const std::string& output,
                             std::string_view word) {
  if (is_in_place) return path;
  if (!output.empty()) return output;
  const std::size_t slash = path.rfind('/');
  const std::size_t dot = path.rfind('.');
  const bool has_ending = dot != std::string::npos && (slash == std::string::npos || dot > slash + 1);
  const std::size_t end = has_ending ? dot : path.size();
  return path.substr(0, end).append(".").append(word).append(path.substr(end));
}

void keep_old(const std::string& path) {
  const File old = File::open(path);
  StagedFile kept(path + ".bak", {});
  if (kept.is_special()) throw Error(path + ".bak", "cannot write: it is not a regular file");
  kept.write_ranges([&](const FileSink& sink) { return sink.copy(old, 0, old.size()); });
  kept.put();
}

}  // namespace trtcheck::cli
