// One row of a table: a node on inputs, and the shapes that come out as one line of text.
#pragma once

#include <string>

namespace trtcheck::test {

struct ShapeCase {
  int opset;
  const char* inputs;     ///< "float[N,3,H,W] x, float[8,3,3,3] w"
  const char* constants;  ///< "int64[1] k = {3}", may be empty
  const char* nodes;      ///< "y = Conv(x, w)"; outputs are y, z, u, as far as nodes define them
  const char* expected;   ///< "FLOAT[N,8,H - 2,W - 2]"; conflicts follow as " ! message", taken ones as " ~ message",
                          ///< those of the standard alone as " ~~ message"
};

/// The texts of the outputs, separated by "; ", then the conflicts.
std::string inferred_text(const ShapeCase& c);
/// "C ? 3: why", one line per obligation.
std::string obligation_text(const ShapeCase& c);

}  // namespace trtcheck::test
