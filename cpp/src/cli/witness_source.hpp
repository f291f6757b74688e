// The witness as the commands ask it: it stops when the run is interrupted, and text forms are there in binary.
#pragma once

#include <optional>
#include <string>

#include <trtcheck/confirm.hpp>

#include "bytes/source.hpp"

namespace trtcheck::cli {

/// Nothing: the run was interrupted during the self-test.
/// @throws Error  as `find_witnesses`
[[nodiscard]] std::optional<FoundWitnesses> witnesses_unless_interrupted(WitnessSearch search);

/// One.
/// @param who  as `WitnessSearch::path`, but not all
[[nodiscard]] std::optional<Witness> witness_unless_interrupted(const std::string& who);

/// @throws Error  as `trtcheck::confirm`; standard input is no file
/// @throws Interrupted  before the witness had answered
[[nodiscard]] Confirmation confirm_source(const Source& source, const Witness& witness, ConfirmOptions options);

}  // namespace trtcheck::cli
