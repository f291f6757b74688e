#include "model/external_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <memory>
#include <system_error>
#include <utility>

#include "bytes/bytes.hpp"
#include "model/model_data.hpp"
#include "model/tensor_values.hpp"

namespace trtcheck {
namespace {

using State = ExternalFile::State;

// Nobody asks for more.
constexpr std::uint64_t kLargestValues = static_cast<std::uint64_t>(kMostElements) * 8;

std::string system_message() { return std::generic_category().message(errno); }

/// Resolved, absolute; empty when there is no such file (errno says why).
std::string real_path(const std::string& path) {
  struct Free {
    void operator()(char* text) const noexcept { std::free(text); }
  };
  const std::unique_ptr<char, Free> resolved(::realpath(path.c_str(), nullptr));
  return resolved ? resolved.get() : std::string();
}

/// "/m/w.bin" is beneath "/m", "/m-evil/w.bin" is not.
bool is_beneath(std::string_view path, std::string_view folder) {
  if (folder.empty()) return false;
  if (folder == "/") return true;
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

/// What stands between slashes, without "" and ".".
std::vector<std::string_view> components(std::string_view location) {
  std::vector<std::string_view> parts;
  while (!location.empty()) {
    const std::size_t end = location.find_first_of("/\\");
    const std::string_view part = location.substr(0, end);
    if (!part.empty() && part != ".") parts.push_back(part);
    location.remove_prefix(end == std::string_view::npos ? location.size() : end + 1);
  }
  return parts;
}

/// Why the location cannot be inside the model's folder, judged by its text alone; empty: it can.
std::string_view escape_by_text(std::string_view location) {
  if (location.find('\0') != std::string_view::npos) return "contains a NUL byte";
  if (location.starts_with('/')) return "is an absolute path";
  if (location.starts_with('\\') || (location.size() > 1 && location[1] == ':')) return "is an absolute Windows path";
  int depth = 0;
  for (const std::string_view part : components(location)) {
    depth += part == ".." ? -1 : 1;
    if (depth < 0) return "leaves the folder of the model";
  }
  return {};
}

/// "w.bin" of "a/../w.bin", whether there is a folder `a` or not (onnx-tensorrt WeightsContext.cpp normalizePath, 8.6).
/// @pre it does not leave the folder
std::string without_parents(std::string_view location) {
  if (location.find("..") == std::string_view::npos) return std::string(location);
  std::vector<std::string_view> kept;
  for (const std::string_view part : components(location)) {
    if (part == "..") {
      kept.pop_back();
    } else {
      kept.push_back(part);
    }
  }
  std::string path;
  for (const std::string_view part : kept) path.append(path.empty() ? "" : "/").append(part);
  return path;
}

}  // namespace

std::optional<std::uint64_t> to_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (number > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
  return number;
}

const StringPair* find_pair(std::span<const StringPair> pairs, std::string_view key) {
  const StringPair* last = nullptr;
  for (const StringPair& pair : pairs) {
    if (pair.key == key) last = &pair;
  }
  return last;
}

std::optional<std::uint64_t> bytes_needed(const Tensor& tensor) {
  const auto bits = static_cast<std::uint64_t>(bits_of(tensor.type));
  const std::optional<std::int64_t> count = tensor.element_count();
  std::uint64_t total = 0;
  if (bits == 0 || !count || tensor.is_sparse) return std::nullopt;
  if (__builtin_mul_overflow(static_cast<std::uint64_t>(*count), bits, &total)) return std::nullopt;
  return total / 8 + (total % 8 != 0 ? 1 : 0);
}

void ExternalFiles::find_folders(const Model& model) const {
  if (std::exchange(has_folders_, true)) return;
  folder_ = real_path(model.base_dir());
  real_folder_.clear();
  if (model.path().empty()) return;
  const std::string file = real_path(model.path());
  real_folder_ = file.substr(0, file.rfind('/'));
  if (real_folder_.empty() && !file.empty()) real_folder_ = "/";
}

ExternalFiles::Target ExternalFiles::find_target(const Model& model, const std::string& location) const {
  if (const std::string_view reason = escape_by_text(location); !reason.empty()) {
    return {State::escapes, std::string(reason), {}, 0};
  }
  if (model.base_dir().empty()) return {State::unresolved, "the folder of the model is not known", {}, 0};
  find_folders(model);
  const std::string resolved = real_path(model.base_dir() + "/" + without_parents(location));
  if (resolved.empty()) {
    const bool is_absent = errno == ENOENT || errno == ENOTDIR;
    return {is_absent ? State::missing : State::unreadable, system_message(), {}, 0};
  }
  if (!is_beneath(resolved, folder_) && !is_beneath(resolved, real_folder_)) {
    return {State::escapes, "leads to `" + resolved + "`, outside of the folder of the model", {}, 0};
  }
  struct stat info {};
  if (::stat(resolved.c_str(), &info) != 0) return {State::missing, system_message(), {}, 0};
  if (!S_ISREG(info.st_mode))
    return {State::not_regular, S_ISDIR(info.st_mode) ? "is a directory" : "is no regular file", {}, 0};
  return {State::ok, {}, resolved, static_cast<std::uint64_t>(info.st_size)};
}

ExternalFiles::Target ExternalFiles::target(const Model& model, const std::string& location) const {
  const std::lock_guard lock(mutex_);
  const auto found = targets_.find(location);
  if (found != targets_.end()) return found->second;
  return targets_.emplace(location, find_target(model, location)).first->second;
}

void ExternalFiles::set_unreadable(const std::string& location, std::string detail) const {
  const std::lock_guard lock(mutex_);
  targets_[location] = {State::unreadable, std::move(detail), {}, 0};
}

ExternalFile ExternalFiles::find(const Model& model, const Tensor& tensor) const {
  const StringPair* location = find_pair(tensor.external, "location");
  if (location == nullptr || location->value.empty()) return {State::no_location, {}, "has no location"};
  ExternalFile result{State::ok, std::string(location->value), {}};
  const auto fail = [&](State state, std::string detail) {
    result.state = state;
    result.detail = std::move(detail);
    return result;
  };

  std::optional<std::uint64_t> length = bytes_needed(tensor);
  for (const StringPair& pair : tensor.external) {
    if (pair.key != "offset" && pair.key != "length") continue;
    const std::optional<std::uint64_t> number = to_number(pair.value);
    if (!number)
      return fail(State::bad_number,
                  std::string(pair.key).append(" is `").append(pair.value).append("`, no count of bytes"));
    if (pair.key == "offset") result.offset = *number;
    if (pair.key == "length") length = *number;
  }
  result.length = length.value_or(0);
  std::uint64_t end = 0;
  if (__builtin_add_overflow(result.offset, result.length, &end) || end > static_cast<std::uint64_t>(INT64_MAX)) {
    return fail(State::bad_number, "offset " + std::to_string(result.offset) + " and length " +
                                       std::to_string(result.length) + " go beyond 64 bits");
  }
  const Target file = target(model, result.location);
  if (file.state != State::ok) return fail(file.state, file.detail);
  if (file.size < end) {
    return fail(State::too_short, "it has " + std::to_string(file.size) + " bytes, " + std::to_string(result.length) +
                                      " from byte " + std::to_string(result.offset) + " on are asked of it");
  }
  return result;
}

std::optional<std::string> ExternalFiles::read(const Model& model, const Tensor& tensor) const {
  const std::optional<std::uint64_t> needed = bytes_needed(tensor);
  if (!needed || *needed > kLargestValues) return std::nullopt;
  const ExternalFile place = find(model, tensor);
  if (place.state != State::ok || place.length != *needed) return std::nullopt;
  std::string content(static_cast<std::size_t>(*needed), '\0');
  try {
    const File file = File::open(target(model, place.location).path, File::Links::refused);
    file.read(place.offset, std::as_writable_bytes(std::span(content)));
  } catch (const Error& error) {
    set_unreadable(place.location, error.cause());
    return std::nullopt;
  }
  return content;
}

void ExternalFiles::look_again() const {
  const std::lock_guard lock(mutex_);
  has_folders_ = false;
  targets_.clear();
}

void look_again(const Model& model) { ModelAccess::data(model).external_files.look_again(); }

ExternalFile external_file(const Model& model, const Tensor& tensor) {
  return ModelAccess::data(model).external_files.find(model, tensor);
}

std::optional<std::string> external_bytes(const Model& model, const Tensor& tensor) {
  return ModelAccess::data(model).external_files.read(model, tensor);
}

std::optional<std::string> why_unread(const Model& model, const Tensor& tensor, std::int64_t limit) {
  if (tensor.data != Tensor::Data::external || !bytes_needed(tensor)) return std::nullopt;
  const std::int64_t count = tensor.element_count().value_or(0);
  if (count == 0 || count > limit) return std::nullopt;
  const ExternalFile file = external_file(model, tensor);
  if (file.state == State::ok) return std::nullopt;
  const std::string place = file.location.empty() ? "another file" : "`" + file.location + "`";
  return "constants in " + place + " could not be read (" + file.detail + ")";
}

}  // namespace trtcheck
