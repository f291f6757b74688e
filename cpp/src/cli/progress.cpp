#include "cli/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fmt/core.h>

namespace trtcheck::cli {
namespace {

using namespace std::chrono_literals;

// Work that is done within a second needs no bar.
constexpr auto kPatience = 1s;
constexpr auto kInterval = 100ms;
constexpr std::size_t kBarWidth = 30;
constexpr std::string_view kEraseLine = "\r\x1b[K";

bool can_show() {
  const char* term = std::getenv("TERM");  // NOLINT(concurrency-mt-unsafe): nobody changes the environment
  return ::isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

std::size_t columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void write(std::string_view text) {
  // A bar that cannot be drawn is no loss.
  static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
}

}  // namespace

Progress::Progress(bool wanted, std::size_t total, Words words)
    : wanted_(wanted && can_show()), total_(total), words_(words), next_(Clock::now() + kPatience) {}

Progress::~Progress() { erase(); }

std::optional<std::chrono::milliseconds> Progress::next() const {
  if (!wanted_) return std::nullopt;
  return std::max(std::chrono::ceil<std::chrono::milliseconds>(next_ - Clock::now()), 0ms);
}

void Progress::show(std::size_t done) {
  if (!wanted_ || Clock::now() < next_) return;
  next_ = Clock::now() + kInterval;
  const std::string counts =
      total_ == 0 ? fmt::format("{} {}", done, words_.what) : fmt::format("{}/{} {}", done, total_, words_.what);
  const std::size_t room = columns() - 1;
  std::string line = fmt::format("{} {}", words_.doing, counts);
  if (total_ > 0 && line.size() + kBarWidth + 3 <= room) {
    const std::size_t filled = kBarWidth * done / total_;
    line = fmt::format("{} [{:=<{}}{:<{}}] {}", words_.doing, "", filled, "", kBarWidth - filled, counts);
  }
  write(fmt::format("{}{}", kEraseLine, std::string_view(line).substr(0, room)));
  shown_ = true;
}

void Progress::erase() {
  if (shown_) write(kEraseLine);
  shown_ = false;
}

}  // namespace trtcheck::cli
