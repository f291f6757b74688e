#include "cli/check_all.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <exception>
#include <memory>
#include <new>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "cli/check_source.hpp"
#include "cli/fallen_worker.hpp"

namespace trtcheck::cli {
namespace {

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
  Bell bell;  ///< rung when the last model is done, and by a worker that falls
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

void work_until_done(const std::shared_ptr<Work>& work, const std::shared_ptr<Fall>& fall) {
  const FallenWorkerGuard guard(*fall, work->bell);
  for (std::size_t index = work->next++; index < work->slots.size(); index = work->next++) {
    fall->model.store(index);
    finish(*work, index, check_safely(work->check_one, work->paths[index]));
  }
}

class Pool {
 public:
  Pool(std::shared_ptr<Work> work, unsigned jobs) : work_(std::move(work)) {
    for (unsigned i = 0; i < jobs; ++i) start();
  }

  /// Gives the models of fallen workers their error, and the work to others.
  /// @return the model on which a worker broke: nobody can tell what it has left behind
  std::optional<std::size_t> replace_fallen() {
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      const int signal = workers_[i].fall->signal.load();
      if (signal == 0) continue;
      const std::size_t model = workers_[i].fall->model.load();
      workers_[i].thread.detach();
      workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(i--));
      const std::string& path = work_->paths[model];
      if (signal != SIGBUS) {
        finish(*work_, model,
               failed(Error(path, fmt::format("the program broke on it (signal {}), please report it", signal))));
        return model;
      }
      finish(*work_, model, failed(Error(path, "became shorter while it was read, or its disk failed")));
      start();
    }
    return std::nullopt;
  }

  /// @return the models that somebody is still busy with
  std::set<std::size_t> leave() {
    work_->next.store(work_->slots.size());
    std::set<std::size_t> busy;
    for (Worker& worker : workers_) {
      busy.insert(worker.fall->model.load());
      worker.thread.detach();
    }
    workers_.clear();
    return busy;
  }

 private:
  struct Worker {
    std::shared_ptr<Fall> fall;
    std::jthread thread;
  };
  void start() {
    const auto fall = std::make_shared<Fall>();
    workers_.push_back({fall, std::jthread([work = work_, fall] { work_until_done(work, fall); })});
  }

  std::shared_ptr<Work> work_;
  std::vector<Worker> workers_;
};

/// Until a signal, the bell, or the time for the progress bar.
void wait(const Work& work, const GracefulInterrupts& interrupts, const Progress& progress) {
  std::array<pollfd, 2> sources{{{interrupts.descriptor(), POLLIN, 0}, {work.bell.descriptor(), POLLIN, 0}}};
  const auto time = progress.next();
  ::poll(sources.data(), sources.size(), time ? static_cast<int>(time->count()) : -1);
  work.bell.silence();
}

/// Why the run ended early.
struct Stop {
  int signal = 0;                     ///< of an interrupt
  std::optional<std::size_t> broken;  ///< the model on which a worker broke

  explicit operator bool() const noexcept { return signal != 0 || broken; }
};

Outcome missed(const Work& work, std::size_t model, const Stop& stop, bool was_begun) {
  const std::string_view when = was_begun ? "while it was being checked" : "before it was looked at";
  const std::string cause =
      stop.broken ? fmt::format("the program broke on `{}` {}", shown_path(work.paths[*stop.broken]), when)
                  : fmt::format("the run was interrupted ({}) {}", name_of_interrupt(stop.signal), when);
  return {.checked = std::nullopt, .error = Error(work.paths[model], cause), .missed = true};
}

std::vector<Outcome> collect(Work& work, const Stop& stop, const std::set<std::size_t>& busy) {
  std::vector<Outcome> outcomes(work.slots.size());
  for (std::size_t i = 0; i < work.slots.size(); ++i) {
    outcomes[i] = work.slots[i].ready.load(std::memory_order_acquire) ? std::move(work.slots[i].outcome)
                                                                      : missed(work, i, stop, busy.contains(i));
  }
  return outcomes;
}

}  // namespace

Outcomes check_all(std::span<const std::string> paths, unsigned jobs, const CheckOne& check_one,
                   const GracefulInterrupts& interrupts, Progress& progress) {
  if (paths.empty()) return {};
  handle_fallen_workers();
  const auto work = std::make_shared<Work>(paths, check_one);
  Pool pool(work, static_cast<unsigned>(std::min<std::size_t>(std::max(jobs, 1U), paths.size())));
  Stop stop;
  while (!stop && work->done.load() < paths.size()) {
    wait(*work, interrupts, progress);
    progress.show(work->done.load());
    stop.signal = interrupts.signal();
    if (stop.signal == 0) stop.broken = pool.replace_fallen();
  }
  progress.erase();
  const std::set<std::size_t> busy = stop ? pool.leave() : std::set<std::size_t>{};
  return {.models = collect(*work, stop, busy), .stopped = static_cast<bool>(stop)};
}

}  // namespace trtcheck::cli
