# The layout module: Graphviz behind a plain C function, opened when the first picture is drawn (picture/layout.hpp).
find_path(TRTCHECK_GRAPHVIZ_INCLUDE_DIR graphviz/gvc.h REQUIRED)
find_library(TRTCHECK_GRAPHVIZ_GVC gvc REQUIRED)
find_library(TRTCHECK_GRAPHVIZ_CGRAPH cgraph REQUIRED)
# The plugin is linked by name, so that Graphviz searches for nothing and a wheel brings it along.
find_library(TRTCHECK_GRAPHVIZ_DOT gvplugin_dot_layout PATH_SUFFIXES graphviz REQUIRED)
get_filename_component(_plugin_folder "${TRTCHECK_GRAPHVIZ_DOT}" DIRECTORY)

add_library(trtcheck_picture MODULE src/picture/graphviz/module.cpp)
target_include_directories(trtcheck_picture PRIVATE src SYSTEM "${TRTCHECK_GRAPHVIZ_INCLUDE_DIR}")
target_link_libraries(trtcheck_picture PRIVATE trtcheck_warnings
  "${TRTCHECK_GRAPHVIZ_GVC}" "${TRTCHECK_GRAPHVIZ_CGRAPH}" "${TRTCHECK_GRAPHVIZ_DOT}")
# Clang's sanitizers are in the program, not in what it loads.
target_link_options(trtcheck_picture PRIVATE -Wl,--exclude-libs,ALL $<$<NOT:$<BOOL:${TRTCHECK_SANITIZE}>>:-Wl,--no-undefined>)
# Debian's plugins stand in a folder of their own, which the loader does not search.
set_target_properties(trtcheck_picture PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/trtcheck"
  INSTALL_RPATH "${_plugin_folder}")
if(TARGET trtcheck_cli)
  add_dependencies(trtcheck_cli trtcheck_picture)
endif()
