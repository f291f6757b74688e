// Text of a model made fit for a terminal or a document: the floor below has it, pictures need it, too.
#pragma once

#include "bytes/printable.hpp"

namespace trtcheck::report {

using trtcheck::display_width;
using trtcheck::kMaxKeptName;
using trtcheck::kMaxMessage;
using trtcheck::kMaxName;
using trtcheck::printable;
using trtcheck::shortened;
using trtcheck::valid_utf8;
using trtcheck::wrap;

}  // namespace trtcheck::report
