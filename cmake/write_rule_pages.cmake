# cmake -DPROGRAM=trtcheck -DINTO=FOLDER -P write_rule_pages.cmake: one page for each rule, nothing else in the folder.
execute_process(COMMAND "${PROGRAM}" rules --output-format concise OUTPUT_VARIABLE _rules COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[A-Z][A-Z][A-Z][0-9]+ [a-z]+ [a-z0-9-]+:" _rules "${_rules}")
file(REMOVE_RECURSE "${INTO}")
file(MAKE_DIRECTORY "${INTO}")
foreach(_rule IN LISTS _rules)
  string(REGEX REPLACE "^.* ([a-z0-9-]+):$" "\\1" _name "${_rule}")
  execute_process(COMMAND "${PROGRAM}" explain "${_name}" --output-format html --output "${INTO}/${_name}.html"
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
