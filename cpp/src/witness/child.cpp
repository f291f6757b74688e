#include "witness/child.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <utility>

#include <trtcheck/error.hpp>

#include "text/system_error.hpp"

namespace trtcheck::witness {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostOutput = std::size_t{64} << 20U;
constexpr std::size_t kKeptErrors = std::size_t{64} << 10U;
constexpr int kTick = 100;  // milliseconds between questions to `cancelled`

class Descriptor {
 public:
  explicit Descriptor(int number = -1) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    close();
    number_ = std::exchange(other.number_, -1);
    return *this;
  }
  ~Descriptor() { close(); }
  [[nodiscard]] int get() const noexcept { return number_; }
  void close() noexcept {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

[[noreturn]] void fail(const std::string& program, int code) {
  throw Error(program, "cannot be started: " + system_error_text(code));
}

Pipe make_pipe(const std::string& program) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail(program, errno);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// In the new process: nothing but system calls, since other threads may have held any lock.
[[noreturn]] void become(char* const* words, pid_t parent, int output, int errors, int failure, std::uint64_t bytes) {
  ::setpgid(0, 0);
  // Whatever ends us ends it, too.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  if (bytes > 0) {
    const rlimit memory{bytes, bytes};
    ::setrlimit(RLIMIT_DATA, &memory);
  }
  sigset_t all;
  ::sigemptyset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGXFSZ, SIG_DFL);
  // No file of ours; where the kernel does not know how, those that are marked so are closed.
  ::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (::getppid() == parent && nothing >= 0 && ::dup2(nothing, 0) >= 0 && ::dup2(output, 1) >= 0 &&
      ::dup2(errors, 2) >= 0) {
    ::execvp(words[0], words);
  }
  const int code = errno;
  static_cast<void>(!::write(failure, &code, sizeof code));
  ::_exit(127);
}

/// What it printed, read as it comes.
class Collector {
 public:
  Collector(Descriptor output, Descriptor errors) : output_(std::move(output)), errors_(std::move(errors)) {}

  [[nodiscard]] bool is_open() const noexcept { return output_.get() >= 0 || errors_.get() >= 0; }
  /// @returns false when there was too much
  bool read(Ending& ending, int milliseconds) {
    std::array<pollfd, 2> waiting{pollfd{output_.get(), POLLIN, 0}, pollfd{errors_.get(), POLLIN, 0}};
    if (::poll(waiting.data(), waiting.size(), milliseconds) <= 0) return true;
    if (waiting[0].revents != 0) take(output_, ending.output);
    if (waiting[1].revents != 0) take(errors_, ending.errors);
    if (ending.errors.size() > 2 * kKeptErrors) ending.errors.erase(0, ending.errors.size() - kKeptErrors);
    return ending.output.size() <= kMostOutput;
  }

 private:
  void take(Descriptor& from, std::string& into) {
    const ssize_t count = ::read(from.get(), buffer_.data(), buffer_.size());
    if (count > 0) {
      into.append(buffer_.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
      from.close();
    }
  }

  Descriptor output_;
  Descriptor errors_;
  std::array<char, 65536> buffer_;
};

/// @returns whether it has ended, and how
bool has_ended(pid_t child, bool wait, int& status) {
  pid_t found = 0;
  do {
    found = ::waitpid(child, &status, wait ? 0 : WNOHANG);
  } while (found < 0 && errno == EINTR);
  return found == child || found < 0;
}

/// Reads until it ends or has to be stopped. A grandchild may hold the pipes longer than it lives.
Ending watch(pid_t child, Collector& collector, const ChildLimits& limits) {
  Ending ending;
  const Clock::time_point start = Clock::now();
  int status = 0;
  const auto stop = [&](Ending::Kind kind) {
    ::kill(-child, SIGKILL);
    has_ended(child, true, status);
    ending.kind = kind;
    return ending;
  };
  while (true) {
    if (collector.is_open()) {
      if (!collector.read(ending, kTick)) return stop(Ending::Kind::flooded);
    } else {
      ::poll(nullptr, 0, 10);
    }
    if (has_ended(child, false, status)) break;
    if (limits.said) limits.said(ending.errors);
    if (limits.cancelled && limits.cancelled()) return stop(Ending::Kind::cancelled);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (limits.seconds > 0 && seconds > limits.seconds) return stop(Ending::Kind::timed_out);
  }
  ::kill(-child, SIGKILL);
  for (std::size_t before = 1, now = 0; before != now;) {
    before = ending.output.size() + ending.errors.size();
    if (!collector.read(ending, 0)) ending.kind = Ending::Kind::flooded;
    now = ending.output.size() + ending.errors.size();
  }
  if (ending.kind == Ending::Kind::flooded) return ending;
  ending.kind = WIFSIGNALED(status) ? Ending::Kind::signalled : Ending::Kind::exited;
  ending.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return ending;
}

}  // namespace

Ending run_child(const std::vector<std::string>& words, const ChildLimits& limits) {
  const std::string& program = words.front();
  Pipe output = make_pipe(program), errors = make_pipe(program), failure = make_pipe(program);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) fail(program, errno);
  if (child == 0) {
    become(arguments.data(), parent, output.write.get(), errors.write.get(), failure.write.get(), limits.bytes);
  }
  ::setpgid(child, child);  // whoever of the two comes first
  output.write.close();
  errors.write.close();
  failure.write.close();
  int code = 0;
  ssize_t count = 0;
  do {
    count = ::read(failure.read.get(), &code, sizeof code);
  } while (count < 0 && errno == EINTR);
  if (count == sizeof code) {
    int status = 0;
    has_ended(child, true, status);
    fail(program, code);
  }
  Collector collector(std::move(output.read), std::move(errors.read));
  return watch(child, collector, limits);
}

}  // namespace trtcheck::witness
