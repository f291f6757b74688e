#include "cli/check_all.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <set>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/core.h>

#include "cli/crash_guard.hpp"

namespace trtcheck::cli {
namespace {

/// Wakes the one who polls its descriptor.
class Bell {
 public:
  /// @throws Error  the system has no descriptor left
  Bell() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (descriptor_ < 0) throw Error("", "cannot make workers: " + std::generic_category().message(errno));
  }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;
  ~Bell() { ::close(descriptor_); }

  void ring() const noexcept {
    const std::uint64_t one = 1;
    static_cast<void>(!::write(descriptor_, &one, sizeof one));
  }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

/// One model, written by the worker that took it until `ready`, read by the caller from then on.
struct Slot {
  Outcome outcome;
  std::atomic<bool> ready{false};
};

/// All that workers see. They own it together with the caller, who may leave while they are stuck.
struct Work {
  Work(std::span<const std::string> all, CheckOne check)
      : paths(all.begin(), all.end()), check_one(std::move(check)), slots(paths.size()) {}

  std::vector<std::string> paths;
  CheckOne check_one;
  std::vector<Slot> slots;
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> done{0};
  Bell bell;  ///< rung when the last model is done
};

Outcome failed(Error error) { return {.checked = std::nullopt, .error = std::move(error)}; }

Outcome check_safely(const CheckOne& check_one, const std::string& path) {
  try {
    return {.checked = check_one(path), .error = std::nullopt};
  } catch (const Error& error) {
    return failed(error);
  } catch (const std::bad_alloc&) {
    return failed(Error(path, "out of memory"));
  } catch (const std::exception& error) {
    return failed(Error(path, fmt::format("internal error, please report it: {}", error.what())));
  } catch (...) {
    return failed(Error(path, "internal error of unknown kind, please report it"));
  }
}

void finish(Work& work, std::size_t index, Outcome outcome) {
  Slot& slot = work.slots[index];
  slot.outcome = std::move(outcome);
  slot.ready.store(true, std::memory_order_release);
  if (work.done.fetch_add(1) + 1 == work.slots.size()) work.bell.ring();
}

/// What a worker is at.
using Position = std::atomic<std::size_t>;
constexpr std::size_t kNowhere = ~std::size_t{0};

void work_until_done(const std::shared_ptr<Work>& work, const std::shared_ptr<Position>& position) {
  CrashGuard guard;
  for (std::size_t index = work->next++; index < work->slots.size(); index = work->next++) {
    position->store(index);
    guard.be_at(work->paths[index]);
    finish(*work, index, check_safely(work->check_one, work->paths[index]));
  }
}

class Pool {
 public:
  Pool(const std::shared_ptr<Work>& work, unsigned jobs) : work_(work) {
    for (unsigned i = 0; i < jobs; ++i) {
      const auto position = std::make_shared<Position>(kNowhere);
      workers_.push_back({position, std::jthread([work, position] { work_until_done(work, position); })});
    }
  }

  /// @return the models that somebody is still busy with
  std::set<std::size_t> leave() {
    work_->next.store(work_->slots.size());
    std::set<std::size_t> busy;
    for (Worker& worker : workers_) {
      busy.insert(worker.position->load());
      worker.thread.detach();
    }
    workers_.clear();
    return busy;
  }

 private:
  struct Worker {
    std::shared_ptr<Position> position;
    std::jthread thread;
  };

  std::shared_ptr<Work> work_;
  std::vector<Worker> workers_;
};

/// Until a signal, the bell, or the time for the progress bar.
void wait(const Work& work, const GracefulInterrupts& interrupts, const Progress& progress) {
  std::array<pollfd, 2> sources{{{interrupts.descriptor(), POLLIN, 0}, {work.bell.descriptor(), POLLIN, 0}}};
  const auto time = progress.next();
  ::poll(sources.data(), sources.size(), time ? static_cast<int>(time->count()) : -1);
}

Outcome missed(const std::string& path, int signal, bool was_begun) {
  const std::string_view when = was_begun ? "while it was being checked" : "before it was looked at";
  return {.checked = std::nullopt,
          .error = Error(path, fmt::format("the run was interrupted ({}) {}", name_of_interrupt(signal), when)),
          .missed = true};
}

std::vector<Outcome> collect(Work& work, int signal, const std::set<std::size_t>& busy) {
  std::vector<Outcome> outcomes(work.slots.size());
  for (std::size_t i = 0; i < work.slots.size(); ++i) {
    outcomes[i] = work.slots[i].ready.load(std::memory_order_acquire) ? std::move(work.slots[i].outcome)
                                                                      : missed(work.paths[i], signal, busy.contains(i));
  }
  return outcomes;
}

}  // namespace

std::vector<Outcome> check_all(std::span<const std::string> paths, unsigned jobs, const CheckOne& check_one,
                               const GracefulInterrupts& interrupts, Progress& progress) {
  if (paths.empty()) return {};
  handle_crashes();
  const auto work = std::make_shared<Work>(paths, check_one);
  Pool pool(work, static_cast<unsigned>(std::min<std::size_t>(std::max(jobs, 1U), paths.size())));
  int signal = 0;
  while (signal == 0 && work->done.load() < paths.size()) {
    wait(*work, interrupts, progress);
    progress.show(work->done.load());
    signal = interrupts.signal();
  }
  progress.erase();
  return collect(*work, signal, signal == 0 ? std::set<std::size_t>{} : pool.leave());
}

}  // namespace trtcheck::cli
