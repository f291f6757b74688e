// Names of CLI11 for headers: the library itself takes ten seconds to compile, wherever it is included.
#pragma once

namespace CLI {
class App;
class Option;
}  // namespace CLI
