# Completions and the man page, printed by the program itself and put where shells and man look for them.
set(_shell "${PROJECT_BINARY_DIR}/shell")
file(MAKE_DIRECTORY "${_shell}")
string(TIMESTAMP _date "%Y-%m-%d" UTC)  # SOURCE_DATE_EPOCH counts

# trtcheck_print(<file> <where below share> <arguments...>)
set(_printed "")
function(trtcheck_print file where)
  add_custom_command(OUTPUT "${_shell}/${file}" DEPENDS trtcheck_cli VERBATIM
    COMMAND sh -c "\"$0\" \"$@\" > '${_shell}/${file}'" "$<TARGET_FILE:trtcheck_cli>" ${ARGN})
  install(FILES "${_shell}/${file}" DESTINATION "${CMAKE_INSTALL_DATADIR}/${where}" COMPONENT program)
  if(SKBUILD_DATA_DIR)
    install(FILES "${_shell}/${file}" DESTINATION "${SKBUILD_DATA_DIR}/share/${where}" COMPONENT wheel EXCLUDE_FROM_ALL)
  endif()
  set(_printed ${_printed} "${_shell}/${file}" PARENT_SCOPE)
endfunction()

trtcheck_print(trtcheck bash-completion/completions completion bash)
trtcheck_print(_trtcheck zsh/site-functions completion zsh)
trtcheck_print(trtcheck.fish fish/vendor_completions.d completion fish)
trtcheck_print(trtcheck.1 man/man1 man --date ${_date})
add_custom_target(trtcheck_shell ALL DEPENDS ${_printed})
