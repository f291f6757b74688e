// Asks the witness, and turns every way in which it can end into an answer.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/confirm.hpp>

#include "witness/answer.hpp"
#include "witness/child.hpp"

namespace trtcheck::witness {

/// Of a process that was stopped because `ChildLimits::cancelled` said so.
inline constexpr std::string_view kInterrupted = "the run was interrupted";

struct Reply {
  enum class Kind : std::uint8_t {
    answered,  ///< `answer` counts
    crashed,   ///< a signal, an abort
    limited,   ///< time, memory, or somebody stopped it
    strange,   ///< what it printed is no answer
  };
  Kind kind = Kind::strange;
  Answer answer;
  std::string stage;   ///< "parser" or "builder": where it ended
  std::string reason;  ///< of all but `answered`: one line, lower case
  std::string last;    ///< the last lines that it printed on standard error
};

/// @param model  "" = the self-test
/// @param target  with the profile, and the compute capability that TensorRT-RTX is to build for
[[nodiscard]] std::vector<std::string> words_for(const Witness& witness, const std::string& model, const Target& target,
                                                 bool parse_only);
/// @throws Error  it cannot be started
[[nodiscard]] Reply ask(const std::vector<std::string>& words, const ChildLimits& limits);

/// The same of a process that has ended already.
[[nodiscard]] Reply reply_of(const Ending& ending, const ChildLimits& limits);

}  // namespace trtcheck::witness
