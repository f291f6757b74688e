// Ctrl-C, SIGTERM, a terminal that is closed (SIGHUP), a limit of processor time (SIGXCPU).
//
// A signal handler can see nothing but globals, so this is the one file with some. Outside of `GracefulInterrupts` the
// first signal ends the program with one line; inside it is only noted, and the second Ctrl-C or SIGTERM ends the
// program. What comes with the first one is no second one: `timeout` signals the program and then its whole group.
#pragma once

#include <csignal>
#include <string>
#include <string_view>

namespace trtcheck::cli {

/// 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP, 152 for SIGXCPU: what shells say.
[[nodiscard]] constexpr int exit_code_of(int signal) noexcept { return 128 + signal; }

/// "SIGTERM"; of a signal that is not handled here "a signal".
[[nodiscard]] std::string_view name_of_interrupt(int signal) noexcept;

/// The first signal that was noted, in any thread; 0 as long as there was none.
[[nodiscard]] int received_interrupt() noexcept;

/// "the run was interrupted (SIGTERM)": the one sentence of all commands and documents.
[[nodiscard]] std::string interrupted_text(int signal);

/// From now on parts of a document are on their way to where nothing can be taken back: a signal that ends the program
/// then says that it is not whole.
void note_document_begun() noexcept;

/// From the start of the program. What the caller ignores (`nohup`, `&` in a script) stays ignored.
void handle_interrupts();

/// Threads that are made while this lives get no interrupt: it goes to the thread that waits for them, and whatever
/// they wait for goes on.
class WithoutInterrupts {
 public:
  WithoutInterrupts() noexcept;
  WithoutInterrupts(const WithoutInterrupts&) = delete;
  WithoutInterrupts& operator=(const WithoutInterrupts&) = delete;
  ~WithoutInterrupts();

 private:
  sigset_t before_{};
};

/// As long as this lives, the first signal is noted for the one who holds it. There is one at a time.
class GracefulInterrupts {
 public:
  GracefulInterrupts();
  GracefulInterrupts(const GracefulInterrupts&) = delete;
  GracefulInterrupts& operator=(const GracefulInterrupts&) = delete;
  ~GracefulInterrupts();

  /// 0 as long as there was none.
  [[nodiscard]] int signal() const noexcept;
  /// Can be read from (poll) once there was one.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace trtcheck::cli
