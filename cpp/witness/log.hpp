// What the library logs, from warnings up.
#pragma once

#include <mutex>
#include <vector>

#include "answer.hpp"
#include "builder_api.hpp"

namespace trtcheck::witness {

class Log final : public LogSink {
 public:
  void take(LogLevel level, const char* text) noexcept override;
  /// Since it was asked last.
  [[nodiscard]] LogLines taken();
  /// Instead of what was logged since.
  void put_back(LogLines lines);

 private:
  std::mutex mutex_;
  LogLines lines_;
};

}  // namespace trtcheck::witness
