#include "cli/interrupts.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <string_view>
#include <system_error>

#include <trtcheck/error.hpp>

namespace trtcheck::cli {
namespace {

constexpr int kNobody = -1;

static_assert(std::atomic<int>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free);
std::atomic<int> received{0};
std::atomic<int> listener{kNobody};
std::array<std::atomic<const char*>, 16> half_written{};

extern "C" void on_interrupt(int number) {
  const int saved = errno;
  const bool first = received.exchange(number) == 0;
  const int descriptor = listener.load();
  if (first && descriptor != kNobody) {
    const std::uint64_t one = 1;
    static_cast<void>(!::write(descriptor, &one, sizeof one));
    errno = saved;
    return;
  }
  for (const auto& slot : half_written) {
    if (const char* path = slot.load()) ::unlink(path);
  }
  if (first) {
    constexpr std::string_view kSaid = "trtcheck: interrupted\n";
    static_cast<void>(!::write(STDERR_FILENO, kSaid.data(), kSaid.size()));
  }
  ::_exit(exit_code_of(number));
}

}  // namespace

void handle_interrupts() {
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction old {};
    if (::sigaction(number, nullptr, &old) != 0 || old.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    // A read that waits for a pipe goes on; whoever wants to stop it ends the program.
    action.sa_flags = SA_RESTART;
    ::sigaction(number, &action, nullptr);
  }
}

GracefulInterrupts::GracefulInterrupts() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (descriptor_ < 0) throw Error("", "cannot listen to signals: " + std::generic_category().message(errno));
  listener.store(descriptor_);
}

GracefulInterrupts::~GracefulInterrupts() {
  listener.store(kNobody);
  ::close(descriptor_);
}

int GracefulInterrupts::signal() const noexcept { return received.load(); }

RemovedWhenInterrupted::RemovedWhenInterrupted(const std::string& path) noexcept : path_(path.c_str()) {
  for (auto& slot : half_written) {
    const char* none = nullptr;
    if (slot.compare_exchange_strong(none, path_)) return;
  }
}

RemovedWhenInterrupted::~RemovedWhenInterrupted() {
  for (auto& slot : half_written) {
    const char* own = path_;
    slot.compare_exchange_strong(own, nullptr);
  }
}

}  // namespace trtcheck::cli
