// How far a long run is, on the terminal of standard error only.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>

namespace trtcheck::cli {

class Progress {
 public:
  struct Words {
    std::string_view doing = "checking";
    std::string_view what = "models";
  };
  /// @param wanted  false: nothing is ever shown, nor is it when standard error is no terminal
  /// @param total  0: not known
  Progress(bool wanted, std::size_t total, Words words);
  Progress(bool wanted, std::size_t total) : Progress(wanted, total, Words{}) {}
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
  Words words_;
  Clock::time_point next_;
};

}  // namespace trtcheck::cli
