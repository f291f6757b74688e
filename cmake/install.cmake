# The installable library: find_package(trtcheck) gives trtcheck::trtcheck.
#
# One shared object that holds onnx and shows only what is marked TRTCHECK_API; users need neither onnx nor
# protobuf headers. Left out of wheels, which hold the extension and the program.
include(CMakePackageConfigHelpers)

add_library(trtcheck SHARED $<TARGET_OBJECTS:trtcheck_objects>)
add_library(trtcheck::trtcheck ALIAS trtcheck)
set_target_properties(trtcheck PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(trtcheck INTERFACE cxx_std_20)
target_include_directories(trtcheck INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/cpp/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(trtcheck PRIVATE trtcheck_onnx trtcheck_cmark Threads::Threads ${CMAKE_DL_LIBS})
# Inline functions of onnx headers are visible whatever we say; they must not meet those of another onnx.
target_link_options(trtcheck PRIVATE -Wl,--exclude-libs,ALL -Wl,--no-undefined
  "-Wl,--version-script=${CMAKE_CURRENT_LIST_DIR}/exports.map")
set_target_properties(trtcheck PROPERTIES LINK_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/exports.map")

add_dependencies(trtcheck trtcheck_picture)
install(TARGETS trtcheck_picture LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/trtcheck COMPONENT library)

set(_package "${CMAKE_INSTALL_LIBDIR}/cmake/trtcheck")
install(TARGETS trtcheck EXPORT trtcheckTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/cpp/include/trtcheck" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT library FILES_MATCHING PATTERN "*.hpp")
install(EXPORT trtcheckTargets NAMESPACE trtcheck:: DESTINATION ${_package} COMPONENT library)
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/trtcheckConfig.cmake.in"
  "${CMAKE_CURRENT_BINARY_DIR}/trtcheckConfig.cmake" INSTALL_DESTINATION ${_package})
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/trtcheckConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/trtcheckConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/trtcheckConfigVersion.cmake"
  DESTINATION ${_package} COMPONENT library)

if(TARGET trtcheck_cli)
  include(cmake/rule_pages.cmake)
  install(TARGETS trtcheck_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT library)
endif()
