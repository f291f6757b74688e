// JSON for documents that people look at, too.
#pragma once

#include <string>

namespace trtcheck {

/// The same document with every character that printable() would replace as \u escape: what reads it gets the same
/// names, and who looks at it in an editor or a log sees nothing reversed or hidden.
/// @pre `json` is JSON in UTF-8
[[nodiscard]] std::string with_escapes(std::string json);

}  // namespace trtcheck
