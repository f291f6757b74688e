#include "cli/fallen_worker.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <string_view>
#include <system_error>

#include <trtcheck/error.hpp>

#include "cli/commands.hpp"

namespace trtcheck::cli {
namespace {

constexpr std::size_t kHandlerStack = std::size_t{64} << 10;
// If the fallen thread held a lock that reporting needs, the program must not hang.
constexpr unsigned kSecondsToReport = 60;

struct Here {
  Fall* fall = nullptr;
  const Bell* bell = nullptr;
};
thread_local Here here;

extern "C" void on_fall(int number) {
  if (here.fall == nullptr) {
    // Not a worker: the default action, as soon as the instruction is tried again.
    std::signal(number, SIG_DFL);
    ::raise(number);
    return;
  }
  if (number != SIGBUS) ::alarm(kSecondsToReport);
  here.fall->signal.store(number);
  here.bell->ring();
  for (;;) ::pause();
}

extern "C" void on_hang(int) {
  constexpr std::string_view kSaid = "trtcheck: the program broke, and what was finished cannot be reported\n";
  static_cast<void>(!::write(STDERR_FILENO, kSaid.data(), kSaid.size()));
  ::_exit(kExitFailed);
}

}  // namespace

Bell::Bell() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (descriptor_ < 0) throw Error("", "cannot make workers: " + std::generic_category().message(errno));
}

Bell::~Bell() { ::close(descriptor_); }

void Bell::ring() const noexcept {
  const std::uint64_t one = 1;
  static_cast<void>(!::write(descriptor_, &one, sizeof one));
}

void Bell::silence() const noexcept {
  std::uint64_t rung = 0;
  static_cast<void>(!::read(descriptor_, &rung, sizeof rung));
}

FallenWorkerGuard::FallenWorkerGuard(Fall& fall, const Bell& bell)
    : stack_(std::make_unique_for_overwrite<std::byte[]>(kHandlerStack)) {
  stack_t stack{};
  stack.ss_sp = stack_.get();
  stack.ss_size = kHandlerStack;
  ::sigaltstack(&stack, nullptr);
  here = {&fall, &bell};
}

FallenWorkerGuard::~FallenWorkerGuard() {
  here = {};
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  ::sigaltstack(&none, nullptr);
}

void handle_fallen_workers() {
  for (const int number : {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGABRT}) {
    struct sigaction action {};
    action.sa_handler = on_fall;
    action.sa_flags = SA_ONSTACK;
    ::sigaction(number, &action, nullptr);
  }
  std::signal(SIGALRM, on_hang);
}

}  // namespace trtcheck::cli
