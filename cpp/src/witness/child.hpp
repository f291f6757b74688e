// A process that may do whatever it wants: it is stopped, and how it ended is a value.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace trtcheck::witness {

struct ChildLimits {
  double seconds = 0;                    ///< 0 = none
  std::uint64_t bytes = 0;               ///< that it may write to; 0 = none
  std::function<bool()> cancelled = {};  ///< true stops it
  /// Gets the end of standard error so far, ten times in a second.
  std::function<void(const std::string&)> said = {};
};

struct Ending {
  enum class Kind : std::uint8_t { exited, signalled, timed_out, cancelled, flooded };
  Kind kind = Kind::exited;
  int code = 0;        ///< exit code, or number of the signal
  std::string output;  ///< standard output, up to 64 MB; more of it is `flooded`
  std::string errors;  ///< the end of standard error
};

/// With nothing on standard input, in a process group of its own that is gone when this returns.
/// @param words  the program and its arguments
/// @throws Error  it cannot be started
[[nodiscard]] Ending run_child(const std::vector<std::string>& words, const ChildLimits& limits);

}  // namespace trtcheck::witness
