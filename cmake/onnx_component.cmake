# trtcheck::onnx: headers for programs that hold an onnx::ModelProto. Nothing is compiled here, and neither onnx nor protobuf
# is looked for: the program brings both (trtcheckOnnx.cmake).
set(_headers "${PROJECT_SOURCE_DIR}/cpp/onnx/include")
add_library(trtcheck_onnx_headers INTERFACE)
add_library(trtcheck::onnx ALIAS trtcheck_onnx_headers)
set_target_properties(trtcheck_onnx_headers PROPERTIES EXPORT_NAME onnx)
target_include_directories(trtcheck_onnx_headers INTERFACE
  "$<BUILD_INTERFACE:${_headers}>" $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(trtcheck_onnx_headers INTERFACE trtcheck)

install(DIRECTORY "${_headers}/trtcheck" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT onnx FILES_MATCHING PATTERN "*.hpp")
install(TARGETS trtcheck_onnx_headers EXPORT trtcheckOnnxTargets)
install(EXPORT trtcheckOnnxTargets NAMESPACE trtcheck:: DESTINATION ${_package} COMPONENT onnx)
install(FILES "${CMAKE_CURRENT_LIST_DIR}/trtcheckOnnx.cmake" DESTINATION ${_package} COMPONENT onnx)
