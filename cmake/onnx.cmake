# The onnx C++ library, for the tests: what they compare with (onnx/CMakeLists.txt says which part of it).
#
# Built once, at configure time, from the source distribution of the Python package `onnx` (pinned version and
# hash), as a static, position-independent library with lite protobuf and static registration off, and kept in
# a cache folder outside of the build tree. Gives the target `trtcheck_onnx`.
set(TRTCHECK_ONNX_VERSION 1.23.2)
set(TRTCHECK_ONNX_SHA256 008cb0467b2bbee41448acc7da8b6f4e704624cb0d327a2d5adafc7ce19bc5b8)

if(DEFINED ENV{TRTCHECK_CACHE_DIR})
  set(_cache "$ENV{TRTCHECK_CACHE_DIR}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(_cache "$ENV{XDG_CACHE_HOME}/trtcheck")
else()
  set(_cache "$ENV{HOME}/.cache/trtcheck")
endif()

find_package(Protobuf REQUIRED)

file(READ "${CMAKE_CURRENT_LIST_DIR}/onnx/CMakeLists.txt" _part)
file(READ "${CMAKE_CURRENT_LIST_DIR}/onnx/left_out.cc" _left_out)
string(SHA256 _key
  "${CMAKE_CXX_COMPILER_ID};${CMAKE_CXX_COMPILER_VERSION};${Protobuf_VERSION};${TRTCHECK_ONNX_SOURCE_DIR};${_part}${_left_out}")
string(SUBSTRING "${_key}" 0 12 _key)
set(_onnx "${_cache}/onnx-${TRTCHECK_ONNX_VERSION}-${_key}")

if(NOT EXISTS "${_onnx}/done")
  set(_source "${TRTCHECK_ONNX_SOURCE_DIR}")
  if(NOT _source)
    execute_process(
      COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/fetch_onnx.py" --version ${TRTCHECK_ONNX_VERSION}
              --sha256 ${TRTCHECK_ONNX_SHA256} --into "${_cache}/sources"
      OUTPUT_VARIABLE _source OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  endif()
  message(STATUS "Building onnx ${TRTCHECK_ONNX_VERSION} from ${_source} (once, kept in ${_cache})")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/onnx" -B "${_onnx}/build" -G "${CMAKE_GENERATOR}"
            "-DONNX_SOURCES=${_source}" -DONNX_VERSION=${TRTCHECK_ONNX_VERSION}
            -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} "-DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}"
            -DCMAKE_BUILD_TYPE=Release -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_CXX_VISIBILITY_PRESET=hidden
            -DCMAKE_VISIBILITY_INLINES_HIDDEN=ON -DCMAKE_INSTALL_PREFIX=${_onnx}/install
            -DPython3_EXECUTABLE=${Python3_EXECUTABLE}
    COMMAND_ERROR_IS_FATAL ANY)
  # Its progress is shown: this takes minutes.
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${_onnx}/build" --parallel $ENV{CMAKE_BUILD_PARALLEL_LEVEL}
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${CMAKE_COMMAND}" --install "${_onnx}/build" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE "${_onnx}/done" "")
endif()

add_library(trtcheck_onnx INTERFACE)
target_include_directories(trtcheck_onnx SYSTEM INTERFACE "${_onnx}/install/include")
target_compile_definitions(trtcheck_onnx INTERFACE ONNX_NAMESPACE=onnx ONNX_ML=1 __ONNX_NO_DOC_STRINGS)
find_library(TRTCHECK_PROTOBUF_LITE NAMES protobuf-lite REQUIRED)
target_link_libraries(trtcheck_onnx INTERFACE "${_onnx}/install/lib/libonnx.a" "${TRTCHECK_PROTOBUF_LITE}")
