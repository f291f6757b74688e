// Who refuses what a finding is about: the parser, which cuts there, or the builder, which ends the whole piece.
#pragma once

#include <trtcheck/finding.hpp>

namespace trtcheck::partitioning {

enum class Stage : std::uint8_t {
  none,     ///< nobody: it is no error, or it is about a profile
  parser,   ///< the piece ends there
  builder,  ///< the piece is accepted, and becomes no engine
};

[[nodiscard]] Stage stage_of(const Finding& finding);

}  // namespace trtcheck::partitioning
