#include "cli/beside.hpp"

#include <trtcheck/error.hpp>

#include "bytes/bytes.hpp"
#include "bytes/staged_file.hpp"
#include "cli/open_model.hpp"

namespace trtcheck::cli {

std::string place_of_changed(const std::string& path, bool is_in_place, const std::string& output,
                             std::string_view word) {
  const std::string& named = is_in_place ? path : output;
  if (is_text_form(named))
    throw Error(
        named, "cannot write: its ending is that of a text form, and binary ONNX is written: choose --output net.onnx");
  if (!named.empty()) return named;
  const std::size_t slash = path.rfind('/');
  const std::size_t dot = path.rfind('.');
  const bool has_ending = dot != std::string::npos && (slash == std::string::npos || dot > slash + 1);
  const std::size_t end = has_ending ? dot : path.size();
  return path.substr(0, end).append(".").append(word).append(is_text_form(path) ? ".onnx" : path.substr(end));
}

void keep_old(const std::string& path) {
  const File old = File::open(path);
  StagedFile kept(path + ".bak", {});
  if (kept.is_special()) throw Error(path + ".bak", "cannot write: it is not a regular file");
  kept.write_ranges([&](const FileSink& sink) { return sink.copy(old, 0, old.size()); });
  kept.put();
}

}  // namespace trtcheck::cli
