// What the file declares, against what is there.
#pragma once

#include <string_view>

#include <trtcheck/model.hpp>

namespace trtcheck::shapes {

struct InferState;

/// Records it where the file's claim about the value contradicts what is there. False: it does.
/// @param words  where that is from: "computed", "stored"
bool check_claim(InferState& state, ValueId id, std::string_view words);

}  // namespace trtcheck::shapes
