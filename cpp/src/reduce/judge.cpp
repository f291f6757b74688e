#include "reduce/judge.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <trtcheck/error.hpp>

#include "model/external_files.hpp"
#include "text/single_quoted.hpp"
#include "text/system_error.hpp"
#include "witness/child.hpp"

namespace trtcheck::reducing {
namespace {

namespace fs = std::filesystem;
using witness::Ending;

constexpr std::string_view kPlace = "{}";

std::string with_path(std::string_view command, const std::string& path) {
  const std::string quoted = single_quoted(path);
  std::string made;
  bool is_placed = false;
  while (true) {
    const std::size_t at = command.find(kPlace);
    made += command.substr(0, at);
    if (at == std::string_view::npos) break;
    made += quoted;
    command.remove_prefix(at + kPlace.size());
    is_placed = true;
  }
  return is_placed ? made : made + " " + quoted;
}

/// What `sh` says of a program that it cannot run, also where the command turns the exit code around (`! trtexec {}`).
std::optional<std::string> not_run(const std::string& errors) {
  std::string_view rest = errors;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!line.starts_with("/bin/sh:")) continue;
    if (line.ends_with("not found") || line.ends_with("ermission denied")) return std::string(line.substr(9));
  }
  return std::nullopt;
}

}  // namespace

JudgeFolder::JudgeFolder() {
  std::error_code failed;
  const fs::path base = fs::temp_directory_path(failed);
  path_ = (failed ? fs::path("/tmp") : base).string() + "/trtcheck-reduce-XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr) throw Error(path_, "cannot make a folder: " + system_error_text(errno));
}

JudgeFolder::~JudgeFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

edit::DataPlace place_for(const Model& model) {
  constexpr std::uint64_t kMost = std::uint64_t{15} << 27U;
  std::uint64_t bytes = model.bytes().size();
  bool has_external = false;
  for (std::uint32_t i = 0; i < model.tensor_count(); ++i) {
    const Tensor& tensor = model.tensor(TensorId{i});
    if (tensor.data != Tensor::Data::external) continue;
    has_external = true;
    bytes += bytes_of_elements(tensor).value_or(0);
  }
  if (!has_external) return edit::DataPlace::kept;
  return bytes < kMost ? edit::DataPlace::inlined : edit::DataPlace::copied;
}

ReduceJudge command_judge(std::string command, double seconds, std::function<bool()> cancelled) {
  return [command = std::move(command), seconds, cancelled = std::move(cancelled)](const std::string& path) {
    const std::vector<std::string> words{"/bin/sh", "-c", with_path(command, path)};
    const Ending ending = witness::run_child(words, {.seconds = seconds, .cancelled = cancelled});
    if (auto why = not_run(ending.errors)) throw Error("check", fmt::format("`{}` cannot be run: {}", command, *why));
    return ending.kind == Ending::Kind::exited && ending.code == 0;
  };
}

}  // namespace trtcheck::reducing
