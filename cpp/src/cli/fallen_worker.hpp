// Threads that die: of a mapped file that somebody makes shorter (SIGBUS), or of a defect of ours.
//
// A signal that a thread's own instruction raises is handled on that thread. It notes where it was and then waits for
// ever: its stack is of no use any more, but the other threads and their results are.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace trtcheck::cli {

/// Wakes the one who polls its descriptor; may be rung by a signal handler.
class Bell {
 public:
  /// @throws Error  the system has no descriptor left
  Bell();
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;
  ~Bell();
  void ring() const noexcept;
  /// Forgets that it was rung.
  void silence() const noexcept;
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

struct Fall {
  static constexpr std::size_t kNone = ~std::size_t{0};
  std::atomic<std::size_t> model{kNone};  ///< what the worker is at
  std::atomic<int> signal{0};             ///< what it died of; 0 = it lives
};

/// As long as this lives, the calling thread falls as described above. Outlived by both of its arguments.
class FallenWorkerGuard {
 public:
  FallenWorkerGuard(Fall& fall, const Bell& bell);
  FallenWorkerGuard(const FallenWorkerGuard&) = delete;
  FallenWorkerGuard& operator=(const FallenWorkerGuard&) = delete;
  ~FallenWorkerGuard();

 private:
  std::unique_ptr<std::byte[]> stack_;  // the handler's own: the thread's may be what ran out
};

/// Once, before the first worker starts. When reporting takes more than a minute after a fall, the program ends with
/// `kExitFailed`.
void handle_fallen_workers();

}  // namespace trtcheck::cli
