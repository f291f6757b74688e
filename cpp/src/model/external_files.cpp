#include "model/external_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

#include "bytes/bytes.hpp"
#include "model/asked.hpp"
#include "model/fetch.hpp"
#include "model/location.hpp"
#include "model/model_data.hpp"
#include "model/partial.hpp"

namespace trtcheck {
namespace {

using State = ExternalFile::State;

std::string system_message() { return std::generic_category().message(errno); }

/// Resolved, absolute; empty when there is no such file (errno says why).
/// @throws std::bad_alloc  nobody knows whether there is one
std::string real_path(const std::string& path) {
  struct Free {
    void operator()(char* text) const noexcept { std::free(text); }  // NOLINT: made by malloc in realpath
  };
  const std::unique_ptr<char, Free> resolved(::realpath(path.c_str(), nullptr));
  if (!resolved && errno == ENOMEM) throw std::bad_alloc();
  return resolved ? resolved.get() : std::string();
}

/// "/m/w.bin" is beneath "/m", "/m-evil/w.bin" is not.
bool is_beneath(std::string_view path, std::string_view folder) {
  if (folder.empty()) return false;
  if (folder == "/") return true;
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
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

std::optional<std::uint64_t> bytes_of_elements(const Tensor& tensor) {
  const auto bits = static_cast<std::uint64_t>(bits_of(tensor.type));
  const std::optional<std::int64_t> count = tensor.element_count();
  std::uint64_t total = 0;
  if (bits == 0 || !count) return std::nullopt;
  if (__builtin_mul_overflow(static_cast<std::uint64_t>(*count), bits, &total)) return std::nullopt;
  return total / 8 + (total % 8 != 0 ? 1 : 0);
}

std::optional<std::uint64_t> bytes_needed(const Tensor& tensor) {
  return tensor.is_sparse ? std::nullopt : bytes_of_elements(tensor);
}

ExternalFile stated_place(const Tensor& tensor) {
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
  return result;
}

void ExternalFiles::find_folders(const Model& model) const {
  if (has_folders_) return;
  folder_ = real_path(model.base_dir());
  real_folder_.clear();
  if (!model.path().empty()) {
    const std::string file = real_path(model.path());
    real_folder_ = file.substr(0, file.rfind('/'));
    if (real_folder_.empty() && !file.empty()) real_folder_ = "/";
  }
  has_folders_ = true;
}

ExternalFiles::Target ExternalFiles::find_target(const Model& model, const std::string& location) const {
  if (const std::string_view reason = escape_by_text(location); !reason.empty()) {
    return {State::escapes, std::string(reason), {}, 0};
  }
  if (far_) return far_target(location);
  if (model.base_dir().empty()) return {State::unresolved, "the folder of the model is not known", {}, 0};
  find_folders(model);
  const std::string resolved = real_path(model.base_dir() + "/" + without_parents(location));
  if (resolved.empty()) {
    const bool is_absent = errno == ENOENT || errno == ENOTDIR;
    return {is_absent ? State::missing : State::unreadable, system_message(), {}, 0};
  }
  if (resolved == folder_ || resolved == real_folder_) {
    return {State::not_regular, "is the folder of the model itself", {}, 0};
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

ExternalFiles::Target ExternalFiles::far_target(const std::string& location) const {
  const std::string path = path_below(location);
  if (path.empty()) return {State::escapes, "is the folder of the model", {}, 0};
  const auto found = far_->find(path);
  if (found == far_->end()) return {State::not_fetched, "so many files are named that it was not looked for", {}, {}};
  return {found->second.state, found->second.detail, path, found->second.size};
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
  ExternalFile result = stated_place(tensor);
  if (result.state != State::ok) return result;
  const Target file = target(model, result.location);
  result.state = file.state;
  result.detail = file.detail;
  if (file.state == State::ok && file.size && *file.size < result.offset + result.length) {
    result.state = State::too_short;
    result.detail = "it has " + std::to_string(*file.size) + " bytes, " + std::to_string(result.length) +
                    " from byte " + std::to_string(result.offset) + " on are asked of it";
  }
  return result;
}

std::optional<std::string> ExternalFiles::read(const Model& model, const Tensor& tensor) const {
  const std::optional<std::uint64_t> needed = bytes_needed(tensor);
  if (!needed || *needed > kLargestValues) return std::nullopt;
  const ExternalFile place = find(model, tensor);
  if (place.state != State::ok || place.length != *needed) return std::nullopt;
  if (far_) return far_->at(path_below(place.location)).bytes({place.offset, *needed});
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

namespace {

/// @param read  (offset, span). @throws Error  as it does
template <class Read>
void read_by_parts(const Read& read, ByteRange range, const OnPart& on_part) {
  constexpr std::uint64_t kPart = 1 << 20;
  std::vector<std::byte> part(static_cast<std::size_t>(std::min(range.length, kPart)));
  for (std::uint64_t at = 0; at < range.length; at += part.size()) {
    part.resize(static_cast<std::size_t>(std::min(range.length - at, kPart)));
    read(range.offset + at, std::span(part));
    on_part(part);
  }
}

}  // namespace

bool ExternalFiles::read_parts(const Model& model, const Tensor& tensor, const OnPart& on_part) const {
  const std::optional<std::uint64_t> needed = bytes_needed(tensor);
  if (!needed || far_) return false;
  const ExternalFile place = find(model, tensor);
  if (place.state != State::ok || place.length != *needed) return false;
  try {
    const File file = File::open(target(model, place.location).path, File::Links::refused);
    read_by_parts(readable(file).read, {place.offset, *needed}, on_part);
  } catch (const Error& error) {
    set_unreadable(place.location, error.cause());
    return false;
  }
  return true;
}

bool ExternalFiles::was_left_out(const Tensor& tensor) const {
  if (!far_) return false;
  const ExternalFile place = stated_place(tensor);
  return place.length == bytes_needed(tensor) &&
         !far_->at(path_below(place.location)).bytes({place.offset, place.length});
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

namespace {

/// Of weights that were stepped over when the model was read. False: the file is another one by now, or there is none.
bool each_part_left(const ModelData& data, ByteRange range, const OnPart& on_part) {
  try {
    if (data.is_scanned_later) {
      read_by_parts(data.later, range, on_part);
      return true;
    }
    if (!data.file) return false;
    const File file = File::open(data.path);
    if (file.state() != *data.file) return false;
    read_by_parts(readable(file).read, range, on_part);
  } catch (const Error&) {
    return false;
  }
  return true;
}

}  // namespace

bool each_part(const Model& model, const Tensor& tensor, const OnPart& on_part) {
  const std::optional<std::uint64_t> needed = bytes_needed(tensor);
  if (!needed || tensor.is_sparse) return false;
  if (tensor.data == Tensor::Data::external) {
    return ModelAccess::data(model).external_files.read_parts(model, tensor, on_part);
  }
  if (tensor.data != Tensor::Data::raw || tensor.raw.length != *needed) return false;
  if (is_missing(model, tensor.raw)) return each_part_left(ModelAccess::data(model), tensor.raw, on_part);
  on_part(model.bytes().subspan(static_cast<std::size_t>(tensor.raw.offset), static_cast<std::size_t>(*needed)));
  return true;
}

std::optional<std::vector<std::byte>> all_bytes(const Model& model, const Tensor& tensor) {
  const ModelData& data = ModelAccess::data(model);
  const std::optional<std::uint64_t> needed = bytes_needed(tensor);
  std::vector<std::byte> bytes;
  const bool is_later =
      data.later && tensor.data == Tensor::Data::raw && !tensor.is_sparse && is_missing(model, tensor.raw);
  if (!is_later) {
    const auto add = [&](std::span<const std::byte> part) { bytes.insert(bytes.end(), part.begin(), part.end()); };
    return each_part(model, tensor, add) ? std::optional(std::move(bytes)) : std::nullopt;
  }
  if (!needed || tensor.raw.length != *needed) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(*needed));
  try {
    data.later(tensor.raw.offset, bytes);
  } catch (const Error&) {
    return std::nullopt;
  }
  return bytes;
}

std::optional<std::string> why_unread(const Model& model, const Tensor& tensor, std::int64_t limit) {
  if (tensor.data != Tensor::Data::external || !bytes_needed(tensor)) return std::nullopt;
  const std::int64_t count = tensor.element_count().value_or(0);
  if (count == 0 || count > limit) return std::nullopt;
  ExternalFile file = external_file(model, tensor);
  if (file.state == State::ok) {
    if (!ModelAccess::data(model).external_files.was_left_out(tensor)) return std::nullopt;
    file.detail = "they were not fetched";
  }
  const std::string place = file.location.empty() ? "another file" : "`" + file.location + "`";
  return "constants in " + place + " could not be read (" + file.detail + ")";
}

}  // namespace trtcheck
