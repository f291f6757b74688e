# The installable library: find_package(trtcheck) gives trtcheck::trtcheck.
#
# Components: `runtime`, `development` (headers, CMake and pkg-config), `program`. Two more are installed only when they are
# asked for: `python` (the package) and `wheel` (what scikit-build-core puts into wheels); docs/installing.md.
# `onnx` (onnx_component.cmake) is there where TRTCHECK_BUILD_ONNX is.
#
# One shared object that shows only what is marked TRTCHECK_API. Left out of wheels, which hold the extension and the
# program.
include(CMakePackageConfigHelpers)

# Scripts and data of a wheel have absolute folders, which are gone when pip is done.
if(SKBUILD)
  install(CODE "
    if(NOT CMAKE_INSTALL_PREFIX STREQUAL [==[${SKBUILD_PLATLIB_DIR}]==])
      message(FATAL_ERROR \"the component `wheel` is for pip, `python` is the one for a prefix\")
    endif()" COMPONENT wheel EXCLUDE_FROM_ALL)
endif()

add_library(trtcheck SHARED $<TARGET_OBJECTS:trtcheck_objects>)
add_library(trtcheck::trtcheck ALIAS trtcheck)
set_target_properties(trtcheck PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_compile_features(trtcheck INTERFACE cxx_std_20)
target_include_directories(trtcheck INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/cpp/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(trtcheck PRIVATE ${TRTCHECK_CMARK} Threads::Threads ${CMAKE_DL_LIBS})
# Inline functions of library headers are visible whatever we say; they must not meet those of another copy.
target_link_options(trtcheck PRIVATE -Wl,--exclude-libs,ALL $<$<NOT:$<BOOL:${TRTCHECK_SANITIZE}>>:-Wl,--no-undefined>
  "-Wl,--version-script=${CMAKE_CURRENT_LIST_DIR}/exports.map")
set_target_properties(trtcheck PROPERTIES LINK_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/exports.map")

if(TARGET trtcheck_picture)
  add_dependencies(trtcheck trtcheck_picture)
  # Library and program open it where it stands; either may be installed alone.
  install(TARGETS trtcheck_picture LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/trtcheck COMPONENT runtime)
endif()

set(_package "${CMAKE_INSTALL_LIBDIR}/cmake/trtcheck")
install(TARGETS trtcheck EXPORT trtcheckTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/cpp/include/trtcheck" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT development FILES_MATCHING PATTERN "*.hpp" ${TRTCHECK_LEFT_OUT_HEADERS})
install(EXPORT trtcheckTargets NAMESPACE trtcheck:: DESTINATION ${_package} COMPONENT development)
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/trtcheckConfig.cmake.in"
  "${CMAKE_CURRENT_BINARY_DIR}/trtcheckConfig.cmake" INSTALL_DESTINATION ${_package})
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/trtcheckConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/trtcheckConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/trtcheckConfigVersion.cmake"
  DESTINATION ${_package} COMPONENT development)

# Relative to where the file stands, so that the prefix may be moved.
file(RELATIVE_PATH _prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" _prefix "${_prefix}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/trtcheck.pc.in" "${CMAKE_CURRENT_BINARY_DIR}/trtcheck.pc" @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/trtcheck.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)

if(TARGET trtcheck_cli)
  include(cmake/rule_pages.cmake)
  install(TARGETS trtcheck_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
  if(TARGET trtcheck_picture)
    install(TARGETS trtcheck_picture LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/trtcheck COMPONENT program)
  endif()
endif()
# Beside the program, and where a library looks for it that was installed without one.
if(TARGET trtcheck_witness)
  install(TARGETS trtcheck_witness RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()
