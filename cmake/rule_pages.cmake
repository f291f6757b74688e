# The pages that codes in a terminal link to (cpp/src/cli/rule_pages.hpp), printed by the program itself. They stand in the
# build tree as they do when installed: share/doc/trtcheck/rules beside the folder of the program.
set(_rule_pages "${PROJECT_BINARY_DIR}/share/doc/trtcheck/rules")
add_custom_command(OUTPUT "${_rule_pages}.written"
  COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:trtcheck_cli>" "-DINTO=${_rule_pages}"
          -P "${CMAKE_CURRENT_LIST_DIR}/write_rule_pages.cmake"
  COMMAND "${CMAKE_COMMAND}" -E touch "${_rule_pages}.written"
  DEPENDS trtcheck_cli "${CMAKE_CURRENT_LIST_DIR}/write_rule_pages.cmake" VERBATIM)
add_custom_target(trtcheck_rule_pages ALL DEPENDS "${_rule_pages}.written")

install(DIRECTORY "${_rule_pages}" DESTINATION share/doc/trtcheck COMPONENT program FILES_MATCHING PATTERN "*.html")
if(SKBUILD_DATA_DIR)
  install(DIRECTORY "${_rule_pages}" DESTINATION "${SKBUILD_DATA_DIR}/share/doc/trtcheck" COMPONENT wheel EXCLUDE_FROM_ALL
    FILES_MATCHING PATTERN "*.html")
endif()
