#include "rules/tensor_facts.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <system_error>

#include "model/tensor_values.hpp"

namespace trtcheck::rules {
namespace {

using State = ExternalFile::State;

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

/// Why the location cannot be inside the model's folder, judged by its text alone; empty: it can.
std::string_view escape_by_text(std::string_view location) {
  if (location.find('\0') != std::string_view::npos) return "contains a NUL byte";
  if (location.starts_with('/')) return "is an absolute path";
  if (location.starts_with('\\') || (location.size() > 1 && location[1] == ':')) return "is an absolute Windows path";
  while (!location.empty()) {
    const std::size_t end = location.find_first_of("/\\");
    if (location.substr(0, end) == "..") return "has a `..` component";
    location.remove_prefix(end == std::string_view::npos ? location.size() : end + 1);
  }
  return {};
}

/// Digits only: no sign, no blanks. Nothing: not such a number.
std::optional<std::uint64_t> to_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (number > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
  return number;
}

const StringPair* find(std::span<const StringPair> pairs, std::string_view key) {
  const StringPair* last = nullptr;
  for (const StringPair& pair : pairs) {
    if (pair.key == key) last = &pair;
  }
  return last;
}

/// Bytes of all elements; nothing for strings, unknown types, bad dims.
std::optional<std::uint64_t> bytes_needed(const Tensor& tensor) {
  const auto bits = static_cast<std::uint64_t>(bits_of(tensor.type));
  const std::optional<std::int64_t> count = tensor.element_count();
  std::uint64_t total = 0;
  if (bits == 0 || !count || tensor.is_sparse) return std::nullopt;
  if (__builtin_mul_overflow(static_cast<std::uint64_t>(*count), bits, &total)) return std::nullopt;
  return total / 8 + (total % 8 != 0 ? 1 : 0);
}

}  // namespace

TensorFacts::TensorFacts(const Model& model) : model_(&model) {
  if (model.base_dir().empty()) return;
  folder_ = real_path(model.base_dir());
  if (model.path().empty()) return;
  const std::string file = real_path(model.path());
  real_folder_ = file.substr(0, file.rfind('/'));
  if (real_folder_.empty() && !file.empty()) real_folder_ = "/";
}

std::optional<std::vector<double>> TensorFacts::floats(TensorId id, std::int64_t limit) const {
  if (!id) return std::nullopt;
  return decode_floats(*model_, model_->tensor(id), limit);
}

std::optional<std::vector<std::int64_t>> TensorFacts::ints(TensorId id, std::int64_t limit) const {
  if (!id) return std::nullopt;
  return decode_ints(*model_, model_->tensor(id), limit);
}

std::optional<TensorFacts::SizeMismatch> TensorFacts::size_mismatch(TensorId id) const {
  const Tensor& tensor = model_->tensor(id);
  const std::optional<std::uint64_t> needs = bytes_needed(tensor);
  if (!needs) return std::nullopt;
  SizeMismatch result{0, *needs, true};
  switch (tensor.data) {
    case Tensor::Data::none:
      break;
    case Tensor::Data::raw:
      result.has = tensor.raw.length;
      break;
    case Tensor::Data::external: {
      const StringPair* length = find(tensor.external, "length");
      const std::optional<std::uint64_t> stated = length == nullptr ? std::nullopt : to_number(length->value);
      if (!stated) return std::nullopt;
      result.has = *stated;
      break;
    }
    case Tensor::Data::typed: {
      const std::optional<std::uint64_t> elements = typed_element_count(*model_, tensor);
      if (!elements) return std::nullopt;
      result = {*elements, static_cast<std::uint64_t>(*tensor.element_count()), false};
      // The last number of a 4-bit or 2-bit type may be filled in part.
      const std::uint64_t per_number =
          bits_of(tensor.type) < 6 ? 8 / static_cast<std::uint64_t>(bits_of(tensor.type)) : 1;
      if (result.has >= result.needs && result.has - result.needs < per_number) return std::nullopt;
      break;
    }
  }
  if (result.has == result.needs) return std::nullopt;
  return result;
}

TensorFacts::Target TensorFacts::find_target(const std::string& location) const {
  Target result;
  if (const std::string_view reason = escape_by_text(location); !reason.empty()) {
    return {State::escapes, std::string(reason), 0};
  }
  if (model_->base_dir().empty()) return {State::unresolved, "the model came from memory, its folder is unknown", 0};
  const std::string path = model_->base_dir() + "/" + location;
  const std::string resolved = real_path(path);
  if (resolved.empty()) return {State::missing, std::generic_category().message(errno), 0};
  if (!is_beneath(resolved, folder_) && !is_beneath(resolved, real_folder_)) {
    return {State::escapes, "leads to " + resolved, 0};
  }
  struct stat info {};
  if (::stat(resolved.c_str(), &info) != 0) return {State::missing, std::generic_category().message(errno), 0};
  if (!S_ISREG(info.st_mode))
    return {State::not_regular, S_ISDIR(info.st_mode) ? "is a directory" : "is no regular file", 0};
  result.size = static_cast<std::uint64_t>(info.st_size);
  return result;
}

const TensorFacts::Target& TensorFacts::target(const std::string& location) const {
  const auto found = targets_.find(location);
  if (found != targets_.end()) return found->second;
  return targets_.emplace(location, find_target(location)).first->second;
}

ExternalFile TensorFacts::external(TensorId id) const {
  const Tensor& tensor = model_->tensor(id);
  const StringPair* location = find(tensor.external, "location");
  if (location == nullptr || location->value.empty()) return {State::no_location, {}, "has no location"};
  ExternalFile result{State::ok, std::string(location->value), {}};
  const auto fail = [&](State state, std::string detail) {
    result.state = state;
    result.detail = std::move(detail);
    return result;
  };

  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length = bytes_needed(tensor);
  for (const StringPair& pair : tensor.external) {
    if (pair.key != "offset" && pair.key != "length") continue;
    const std::optional<std::uint64_t> number = to_number(pair.value);
    if (!number) return fail(State::bad_number, std::string(pair.key).append(" is `").append(pair.value).append("`"));
    if (pair.key == "offset") offset = *number;
    if (pair.key == "length") length = *number;
  }
  std::uint64_t end = 0;
  if (__builtin_add_overflow(offset, length.value_or(0), &end) || end > static_cast<std::uint64_t>(INT64_MAX)) {
    return fail(State::bad_number,
                "offset " + std::to_string(offset) + " and length " + std::to_string(*length) + " go beyond 64 bits");
  }
  const Target& file = target(result.location);
  if (file.state != State::ok) return fail(file.state, file.detail);
  if (file.size < end) {
    return fail(State::too_short, "needs " + std::to_string(end - offset) + " bytes from " + std::to_string(offset) +
                                      ", the file has " + std::to_string(file.size));
  }
  return result;
}

}  // namespace trtcheck::rules
