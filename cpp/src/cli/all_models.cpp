#include "cli/all_models.hpp"

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

#include "cli/check_source.hpp"
#include "cli/crash_guard.hpp"
#include "cli/output.hpp"

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

/// One model, written by the worker that took it until `is_ready`, read by the caller from then on.
struct Slot {
  Ending ending;
  std::atomic<bool> is_ready{false};
};

/// All that workers see. They own it together with the caller, who may leave while they are stuck.
struct Work {
  Work(std::span<const std::string> all, WorkOnOne one)
      : paths(all.begin(), all.end()), work_on_one(std::move(one)), slots(paths.size()) {}

  std::vector<std::string> paths;
  WorkOnOne work_on_one;
  std::vector<Slot> slots;
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> done{0};
  std::atomic<unsigned> busy{0};  ///< workers that have not ended
  Bell bell;                      ///< rung when the last model is done
};

/// Nothing: it was interrupted.
std::optional<Ending> work_safely(const Work& work, std::size_t index) {
  const std::string& path = work.paths[index];
  try {
    work.work_on_one(index, path);
    return Ending{};
  } catch (const Interrupted&) {
    return std::nullopt;
  } catch (const Error& error) {
    return Ending{error};
  } catch (const std::bad_alloc&) {
    return Ending{Error(path, "out of memory")};
  } catch (const std::exception& error) {
    return Ending{Error(path, fmt::format("internal error, please report it: {}", error.what()))};
  } catch (...) {
    return Ending{Error(path, "internal error of unknown kind, please report it")};
  }
}

void finish(Work& work, std::size_t index, Ending ending) {
  Slot& slot = work.slots[index];
  slot.ending = std::move(ending);
  slot.is_ready.store(true, std::memory_order_release);
  if (work.done.fetch_add(1) + 1 == work.slots.size()) work.bell.ring();
}

void work_until_done(const std::shared_ptr<Work>& work) {
  CrashGuard guard;
  for (std::size_t index = work->next++; index < work->slots.size(); index = work->next++) {
    guard.be_at(work->paths[index]);
    if (std::optional<Ending> ending = work_safely(*work, index)) finish(*work, index, *std::move(ending));
  }
  --work->busy;
}

class Pool {
 public:
  Pool(const std::shared_ptr<Work>& work, unsigned jobs) : work_(work) {
    work_->busy = jobs;
    const WithoutInterrupts without_interrupts;
    for (unsigned i = 0; i < jobs; ++i) workers_.emplace_back([work] { work_until_done(work); });
  }

  /// No further model is begun, and nobody waits for a worker longer than that.
  void leave(std::chrono::milliseconds patience) {
    work_->next.store(work_->slots.size());
    const auto end = std::chrono::steady_clock::now() + patience;
    while (work_->busy.load() > 0 && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(kTick);
    for (std::jthread& worker : workers_) worker.detach();
    workers_.clear();
  }

 private:
  static constexpr std::chrono::milliseconds kTick{5};
  std::shared_ptr<Work> work_;
  std::vector<std::jthread> workers_;
};

/// Until a signal, the bell, or the time for the progress bar.
void wait(const Work& work, const GracefulInterrupts& interrupts, const Progress& progress) {
  std::array<pollfd, 2> sources{{{interrupts.descriptor(), POLLIN, 0}, {work.bell.descriptor(), POLLIN, 0}}};
  const auto time = progress.next();
  ::poll(sources.data(), sources.size(), time ? static_cast<int>(time->count()) : -1);
}

std::vector<Ending> collect(Work& work, int signal) {
  std::vector<Ending> endings(work.slots.size());
  for (std::size_t i = 0; i < work.slots.size(); ++i) {
    const bool is_ready = work.slots[i].is_ready.load(std::memory_order_acquire);
    endings[i] =
        is_ready ? std::move(work.slots[i].ending) : Ending{Error(work.paths[i], interrupted_text(signal)), true};
  }
  return endings;
}

}  // namespace

std::vector<Ending> work_on_all(std::span<const std::string> paths, const Threads& threads,
                                const WorkOnOne& work_on_one, const GracefulInterrupts& interrupts,
                                Progress& progress) {
  if (paths.empty()) return {};
  handle_crashes();
  const auto work = std::make_shared<Work>(paths, work_on_one);
  Pool pool(work, static_cast<unsigned>(std::min<std::size_t>(std::max(threads.count, 1U), paths.size())));
  int signal = 0;
  while (signal == 0 && work->done.load() < paths.size()) {
    wait(*work, interrupts, progress);
    progress.show(work->done.load());
    signal = interrupts.signal();
  }
  progress.erase();
  if (signal != 0) pool.leave(threads.patience);
  return collect(*work, signal);
}

int tell_failures(const FoundModels& found, std::span<const Ending> endings, const GracefulInterrupts& interrupts,
                  std::vector<Failure>& failures) {
  // A broken configuration file is one mistake, however many models it serves.
  std::set<std::string> said;
  std::size_t done = 0;
  for (const Error& error : found.errors) failures.push_back(failure_of(error.path(), error));
  for (std::size_t i = 0; i < endings.size(); ++i) {
    const auto& [error, is_missed] = endings[i];
    if (!is_missed) ++done;
    if (!error) continue;
    failures.push_back(failure_of(found.models[i], *error));
    if (is_missed) continue;  // counted in one line, and named in the documents
    std::string line = line_about(found.models[i], *error);
    if (said.insert(line).second) complain(line);
  }
  if (const int signal = interrupts.signal(); signal != 0) {
    complain(fmt::format("{}: {} of {} models were looked at", interrupted_text(signal), done, endings.size()));
    return exit_code_of(signal);
  }
  return failures.empty() ? kExitClean : kExitFailed;
}

}  // namespace trtcheck::cli
