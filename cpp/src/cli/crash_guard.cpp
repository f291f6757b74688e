#include "cli/crash_guard.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <string_view>

#include "bytes/staged_file.hpp"
#include "cli/check_source.hpp"
#include "cli/commands.hpp"
#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

constexpr std::size_t kHandlerStack = std::size_t{64} << 10;

/// What the handler says first; nullptr in threads that are at no model. The text does not change meanwhile.
thread_local const std::string* here = nullptr;
std::atomic_flag somebody_ends;

extern "C" void on_crash(int number) {
  if (here == nullptr) {
    // The default action, as soon as the instruction is tried again.
    std::signal(number, SIG_DFL);
    ::raise(number);
    return;
  }
  while (somebody_ends.test_and_set()) ::pause();
  remove_half_written();
  std::array<char, 8> digits{};
  const char* end = std::to_chars(digits.begin(), digits.end(), number).ptr;
  for (const std::string_view part :
       {std::string_view(*here), std::string_view(digits.begin(), end), std::string_view("), please report it\n")}) {
    static_cast<void>(write_all(STDERR_FILENO, part));
  }
  ::_exit(kExitFailed);
}

}  // namespace

void handle_crashes() {
  for (const int number : {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGABRT}) {
    struct sigaction action {};
    action.sa_handler = on_crash;
    action.sa_flags = SA_ONSTACK;
    ::sigaction(number, &action, nullptr);
  }
}

CrashGuard::CrashGuard() : stack_(std::make_unique_for_overwrite<std::byte[]>(kHandlerStack)) {
  stack_t stack{};
  stack.ss_sp = stack_.get();
  stack.ss_size = kHandlerStack;
  ::sigaltstack(&stack, nullptr);
}

CrashGuard::~CrashGuard() {
  here = nullptr;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  ::sigaltstack(&none, nullptr);
}

void CrashGuard::be_at(const std::string& model) {
  here = nullptr;
  line_ = "trtcheck: " + printable(line_about(model, Error(model, "the program broke on it (signal ")));
  here = &line_;
}

}  // namespace trtcheck::cli
