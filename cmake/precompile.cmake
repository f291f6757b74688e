# Half of what a small file costs is the standard library and fmt: they are parsed once for each target. Only headers that never
# change here belong in these lists, so that an edited header compiles no more files than those that include it.
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON (`make clang`) shows an #include that is missing.
set(TRTCHECK_STANDARD_HEADERS <algorithm> <array> <cmath> <cstdint> <cstring> <filesystem> <functional> <iterator> <limits> <map>
  <memory> <numeric> <optional> <set> <span> <stdexcept> <string> <string_view> <tuple> <unordered_map> <unordered_set> <utility>
  <variant> <vector> <fmt/format.h>)

# trtcheck_precompile(target [headers...])
function(trtcheck_precompile target)
  target_precompile_headers(${target} PRIVATE ${TRTCHECK_STANDARD_HEADERS} ${ARGN})
  trtcheck_tell_ccache(${target})
endfunction()

# trtcheck_precompile_as(target other): the headers of another target, which is compiled in the same way.
function(trtcheck_precompile_as target other)
  target_precompile_headers(${target} REUSE_FROM ${other})
  trtcheck_tell_ccache(${target})
endfunction()

# It asks for this.
function(trtcheck_tell_ccache target)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()
