# Gives trtcheck::onnx the onnx of the program: the target that TRTCHECK_ONNX_TARGET names, one that the program has found
# before, else headers and libraries of the system (Debian: libonnx-dev, libprotobuf-dev).
#
# find_package(ONNX) is not called: that of Debian 12 ends with an error.
include("${CMAKE_CURRENT_LIST_DIR}/trtcheckOnnxTargets.cmake")

set(_onnx "${TRTCHECK_ONNX_TARGET}")
foreach(_known ONNX::onnx_proto onnx::onnx_proto onnx_proto ONNX::onnx onnx::onnx onnx)
  if(NOT _onnx AND TARGET ${_known})
    set(_onnx ${_known})
  endif()
endforeach()
if(NOT _onnx)
  find_package(Protobuf QUIET)
  find_path(TRTCHECK_ONNX_INCLUDE_DIR onnx/onnx_pb.h)
  find_library(TRTCHECK_ONNX_LIBRARY NAMES onnx_proto onnx)
  mark_as_advanced(TRTCHECK_ONNX_INCLUDE_DIR TRTCHECK_ONNX_LIBRARY)
  if(TRTCHECK_ONNX_INCLUDE_DIR AND TRTCHECK_ONNX_LIBRARY AND TARGET protobuf::libprotobuf)
    set(_onnx trtcheck_system_onnx)
    if(NOT TARGET ${_onnx})
      add_library(${_onnx} INTERFACE IMPORTED)
      target_include_directories(${_onnx} SYSTEM INTERFACE "${TRTCHECK_ONNX_INCLUDE_DIR}")
      # Without it, onnx_pb.h includes a header that no package has.
      target_compile_definitions(${_onnx} INTERFACE ONNX_ML=1 ONNX_NAMESPACE=onnx)
      target_link_libraries(${_onnx} INTERFACE "${TRTCHECK_ONNX_LIBRARY}" protobuf::libprotobuf)
    endif()
  endif()
endif()

if(_onnx)
  set_property(TARGET trtcheck::onnx APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${_onnx})
  set(trtcheck_onnx_FOUND TRUE)
else()
  string(APPEND trtcheck_NOT_FOUND_MESSAGE "trtcheck::onnx needs onnx and protobuf: find yours before, or name the target in TRTCHECK_ONNX_TARGET")
endif()
unset(_onnx)
