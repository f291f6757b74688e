#include "cli/check_all.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <exception>
#include <memory>
#include <new>
#include <thread>
#include <utility>

#include <fmt/format.h>

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

Outcome check_safely(const CheckOne& check_one, const std::string& path) {
  try {
    return {check_one(path), std::nullopt};
  } catch (const Error& error) {
    return {std::nullopt, error};
  } catch (const std::bad_alloc&) {
    return {std::nullopt, Error(path, "out of memory")};
  } catch (const std::exception& error) {
    return {std::nullopt, Error(path, fmt::format("internal error, please report it: {}", error.what()))};
  } catch (...) {
    return {std::nullopt, Error(path, "internal error of unknown kind, please report it")};
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
  /// @return false  nobody can tell what such a worker has left behind
  bool replace_fallen() {
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      const int signal = workers_[i].fall->signal.load();
      if (signal == 0) continue;
      const std::size_t model = workers_[i].fall->model.load();
      workers_[i].thread.detach();
      workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(i--));
      const std::string& path = work_->paths[model];
      if (signal != SIGBUS) {
        finish(
            *work_, model,
            {std::nullopt, Error(path, fmt::format("the program broke on it (signal {}), please report it", signal))});
        return false;
      }
      finish(*work_, model, {std::nullopt, Error(path, "became shorter while it was read, or its disk failed")});
      start();
    }
    return true;
  }

  void leave() {
    work_->next.store(work_->slots.size());
    for (Worker& worker : workers_) worker.thread.detach();
    workers_.clear();
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

Outcomes collect(Work& work) {
  Outcomes outcomes;
  outcomes.models.resize(work.slots.size());
  for (std::size_t i = 0; i < work.slots.size(); ++i) {
    if (work.slots[i].ready.load(std::memory_order_acquire)) outcomes.models[i] = std::move(work.slots[i].outcome);
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
  bool whole = true;
  while (whole && work->done.load() < paths.size()) {
    wait(*work, interrupts, progress);
    progress.show(work->done.load());
    whole = interrupts.signal() == 0 && pool.replace_fallen();
  }
  progress.erase();
  const bool stopped = work->done.load() < paths.size() || !whole;
  if (stopped) pool.leave();
  Outcomes outcomes = collect(*work);
  outcomes.stopped = stopped;
  return outcomes;
}

}  // namespace trtcheck::cli
