#include <trtcheck/error.hpp>

#include <utility>

namespace trtcheck {
namespace {

std::string one_line(const std::string& path, const std::string& cause, std::optional<std::uint64_t> offset) {
  std::string text = path.empty() ? cause : path + ": " + cause;
  if (offset) text += " (at byte " + std::to_string(*offset) + ")";
  return text;
}

}  // namespace

Error::Error(std::string path, std::string cause, std::optional<std::uint64_t> offset)
    : std::runtime_error(one_line(path, cause, offset)),
      path_(std::move(path)),
      cause_(std::move(cause)),
      offset_(offset) {}

Error::~Error() = default;

}  // namespace trtcheck
