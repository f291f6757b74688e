// A thread that breaks (SIGSEGV, SIGABRT, ...) ends the program with one line that names its model: after a defect of
// ours nothing that is in memory can be trusted, and nothing is reported from it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace trtcheck::cli {

/// Once, before the first guard is made.
void handle_crashes();

/// As long as this lives, a crash of the calling thread is about the model that it is at.
class CrashGuard {
 public:
  CrashGuard();
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;
  ~CrashGuard();

  void be_at(const std::string& model);

 private:
  std::unique_ptr<std::byte[]> stack_;  // the handler's own: the thread's may be what ran out
  std::string line_;                    // up to the number of the signal
};

}  // namespace trtcheck::cli
