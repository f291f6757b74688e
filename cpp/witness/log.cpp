#include "log.hpp"

#include <cstdio>
#include <utility>

namespace trtcheck::witness {
namespace {

// A builder that repeats itself must not fill the memory.
constexpr std::size_t kMaxLines = 1000;
constexpr std::size_t kMaxBytes = 16384;

const char* name_of(LogLevel level) {
  if (level == LogLevel::internal_error) return "internal_error";
  return level == LogLevel::error ? "error" : "warning";
}

}  // namespace

void Log::take(LogLevel level, const char* text) noexcept {
  if (level > LogLevel::warning || text == nullptr) return;
  try {
    const std::string line = std::string(text).substr(0, kMaxBytes);
    // At once, too: whoever started the program has it even if the library crashes now.
    if (level != LogLevel::warning) std::fprintf(stderr, "%s: %s\n", name_of(level), line.c_str());
    const std::lock_guard lock(mutex_);
    if (lines_.kept.size() < kMaxLines) {
      lines_.kept.push_back({name_of(level), line});
    } else {
      ++(level == LogLevel::warning ? lines_.more_warnings : lines_.more_errors);
    }
  } catch (...) {  // out of memory: a line less
  }
}

LogLines Log::taken() {
  const std::lock_guard lock(mutex_);
  return std::exchange(lines_, {});
}

void Log::put_back(LogLines lines) {
  const std::lock_guard lock(mutex_);
  lines_ = std::move(lines);
}

}  // namespace trtcheck::witness
