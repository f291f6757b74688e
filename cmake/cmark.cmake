# The CommonMark reference library renders rule texts to HTML. The static one, so that the command line program and
# wheels need no further shared library; Debian's is position independent.
find_path(TRTCHECK_CMARK_INCLUDE_DIR cmark.h REQUIRED)
find_library(TRTCHECK_CMARK_LIBRARY NAMES libcmark.a cmark REQUIRED)
mark_as_advanced(TRTCHECK_CMARK_INCLUDE_DIR TRTCHECK_CMARK_LIBRARY)

add_library(trtcheck_cmark INTERFACE)
target_include_directories(trtcheck_cmark SYSTEM INTERFACE "${TRTCHECK_CMARK_INCLUDE_DIR}")
target_link_libraries(trtcheck_cmark INTERFACE "${TRTCHECK_CMARK_LIBRARY}")
