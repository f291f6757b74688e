#include "cli/interrupts.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <limits>
#include <string_view>
#include <system_error>

#include <trtcheck/error.hpp>

#include "bytes/staged_file.hpp"

namespace trtcheck::cli {
namespace {

constexpr int kNobody = -1;
// Between a signal and one that people mean as the second.
constexpr std::int64_t kAtOnce = 200'000'000;  // nanoseconds

struct Interrupt {
  int number;
  std::string_view name;
  bool ends_when_repeated;
};
// A shell passes on the SIGHUP of its terminal, and SIGXCPU comes every second from the limit on.
constexpr std::array kInterrupts{Interrupt{SIGINT, "SIGINT", true}, Interrupt{SIGTERM, "SIGTERM", true},
                                 Interrupt{SIGHUP, "SIGHUP", false}, Interrupt{SIGXCPU, "SIGXCPU", false}};

static_assert(std::atomic<int>::is_always_lock_free);
static_assert(std::atomic<std::int64_t>::is_always_lock_free);
std::atomic<int> received{0};
// In a thread that gets the second signal while another one handles the first, that is not long ago.
std::atomic<std::int64_t> received_at{std::numeric_limits<std::int64_t>::max()};
std::atomic<int> listener{kNobody};

std::atomic<bool> has_begun_document{false};
static_assert(std::atomic<bool>::is_always_lock_free);

std::int64_t now() noexcept {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

bool ends_when_repeated(int number) noexcept {
  for (const Interrupt& interrupt : kInterrupts) {
    if (interrupt.number == number) return interrupt.ends_when_repeated && now() - received_at.load() > kAtOnce;
  }
  return true;
}

/// Nothing but system calls: it runs in a signal handler.
void say(std::string_view text) noexcept { static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size())); }

extern "C" void on_interrupt(int number) {
  const int saved = errno;
  int none = 0;
  const bool first = received.compare_exchange_strong(none, number);
  const int descriptor = listener.load();
  if (first) received_at.store(now());
  if (!first && descriptor != kNobody && !ends_when_repeated(number)) {
    errno = saved;
    return;
  }
  if (first && descriptor != kNobody) {
    const std::uint64_t one = 1;
    static_cast<void>(!::write(descriptor, &one, sizeof one));
    errno = saved;
    return;
  }
  remove_half_written();
  const bool is_torn = has_begun_document.load();
  if (first || is_torn) {
    say("trtcheck: the run was interrupted (");
    say(name_of_interrupt(number));
    say(is_torn ? "): what was written is not whole\n" : "): nothing was written\n");
  }
  ::_exit(exit_code_of(number));
}

}  // namespace

std::string_view name_of_interrupt(int signal) noexcept {
  for (const Interrupt& interrupt : kInterrupts) {
    if (interrupt.number == signal) return interrupt.name;
  }
  return "a signal";
}

std::string interrupted_text(int signal) {
  return "the run was interrupted (" + std::string(name_of_interrupt(signal)) + ")";
}

int received_interrupt() noexcept { return received.load(); }

void note_document_begun() noexcept { has_begun_document.store(true); }

void handle_interrupts() {
  for (const auto& [number, name, repeated] : kInterrupts) {
    struct sigaction old {};
    if (::sigaction(number, nullptr, &old) != 0 || old.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    // A read that waits for a pipe goes on; whoever wants to stop it ends the program.
    action.sa_flags = SA_RESTART;
    ::sigaction(number, &action, nullptr);
  }
}

WithoutInterrupts::WithoutInterrupts() noexcept {
  sigset_t interrupts;
  ::sigemptyset(&interrupts);
  for (const Interrupt& interrupt : kInterrupts) ::sigaddset(&interrupts, interrupt.number);
  ::pthread_sigmask(SIG_BLOCK, &interrupts, &before_);
}

WithoutInterrupts::~WithoutInterrupts() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

GracefulInterrupts::GracefulInterrupts() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (descriptor_ < 0) throw Error("", "cannot listen to signals: " + std::generic_category().message(errno));
  listener.store(descriptor_);
}

GracefulInterrupts::~GracefulInterrupts() {
  listener.store(kNobody);
  ::close(descriptor_);
}

int GracefulInterrupts::signal() const noexcept { return received_interrupt(); }

}  // namespace trtcheck::cli
