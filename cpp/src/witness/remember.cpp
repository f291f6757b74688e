#include "witness/remember.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include <trtcheck/error.hpp>

#include "bytes/bytes.hpp"
#include "bytes/staged_file.hpp"
#include "text/hash.hpp"
#include "text/printable.hpp"

namespace trtcheck::witness {
namespace {

namespace fs = std::filesystem;
using Object = nlohmann::json;

/// "path size time" in bytes and nanoseconds; "" = it is not there.
std::string state_of(const std::string& path) {
  struct stat file {};
  std::error_code failed;
  if (::stat(path.c_str(), &file) != 0) return "";
  return fmt::format("{} {} {}{:09}", fs::absolute(path, failed).string(), file.st_size, file.st_mtim.tv_sec,
                     file.st_mtim.tv_nsec);
}

/// Of all three files; "" = one of them cannot be told.
std::string key_of(const Witness& witness) {
  std::string key;
  for (const std::string& path : {witness.program, witness.library, witness.parser}) {
    const std::string state = path.empty() ? "" : state_of(path);
    if (state.empty()) return "";
    key += state + "\n";
  }
  return valid_utf8(key);
}

std::string file_for(const std::string& folder, const std::string& key) {
  return fmt::format("{}/witness-{:016x}.json", folder, Hash(1).add(std::string_view(key)).value());
}

std::optional<Object> read_json(const std::string& path) {
  try {
    const Bytes bytes = Bytes::of_file(path);
    const auto* const text = reinterpret_cast<const char*>(bytes.span().data());
    Object json = Object::parse(text, text + bytes.span().size(), nullptr, false);
    if (json.is_object()) return json;
  } catch (const Error&) {  // it was never written
  }
  return std::nullopt;
}

}  // namespace

std::string cache_folder() {
  for (const auto& [name, below] : {std::pair{"XDG_CACHE_HOME", "/trtcheck"}, std::pair{"HOME", "/.cache/trtcheck"}}) {
    const char* const folder = std::getenv(name);
    if (folder != nullptr && *folder == '/') return std::string(folder) + below;
  }
  return "";
}

std::optional<Witness> remembered(const std::string& folder, const Witness& witness) {
  const std::string key = key_of(witness);
  if (folder.empty() || key.empty()) return std::nullopt;
  const std::optional<Object> json = read_json(file_for(folder, key));
  if (!json || json->value("key", Object()) != key) return std::nullopt;
  const Object product = json->value("product", Object()), release = json->value("release", Object());
  if (!product.is_string() || !release.is_string()) return std::nullopt;
  Witness known = witness;
  known.product = product.get<std::string>();
  known.release = release.get<std::string>();
  return known;
}

void remember(const std::string& folder, const Witness& witness) noexcept {
  try {
    const std::string key = key_of(witness);
    if (folder.empty() || key.empty()) return;
    std::error_code failed;
    fs::create_directories(folder, failed);
    const Object json{{"key", key}, {"product", witness.product}, {"release", witness.release}};
    StagedFile file(file_for(folder, key), {});
    file.write([&](const Sink& sink) { sink(json.dump(2) + "\n"); });
    file.put();
  } catch (const std::exception&) {  // the self-test runs again next time
  }
}

}  // namespace trtcheck::witness
