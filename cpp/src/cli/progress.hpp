// How far a long run is, on the terminal of standard error only.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

namespace trtcheck::cli {

class Progress {
 public:
  /// @param wanted  false: nothing is ever shown, nor is it when standard error is no terminal
  Progress(bool wanted, std::size_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Leaves no trace.
  ~Progress();

  /// When the bar wants to be drawn again: the first time after one second; nothing when it is never shown.
  [[nodiscard]] std::optional<std::chrono::milliseconds> next() const;
  void show(std::size_t done);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  bool wanted_;
  bool shown_ = false;
  std::size_t total_;
  Clock::time_point next_;
};

}  // namespace trtcheck::cli
