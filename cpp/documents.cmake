# What TRTCHECK_BUILD_DOCUMENTS leaves out: floors and formats that need nlohmann-json, toml++ or cmark. What is left is a
# check and its report as text. One file stands in for what `render` cannot do then.
if(TRTCHECK_BUILD_DOCUMENTS)
  list(FILTER TRTCHECK_SOURCES EXCLUDE REGEX "/src/report/without_documents\\.cpp$")
else()
  list(FILTER TRTCHECK_SOURCES EXCLUDE REGEX "/src/(baseline|diff|matrix|profile|axes|why|memory|partition|reduce|witness|one_report|settings)/")
  list(FILTER TRTCHECK_SOURCES EXCLUDE REGEX "/src/bytes/json_document\\.cpp$|/src/ranges/file\\.cpp$")
  list(FILTER TRTCHECK_SOURCES EXCLUDE REGEX
    "/src/report/(envelope|json|json_values|sarif|sarif_rules|gitlab|html[a-z_]*|rule_html)\\.cpp$")
endif()
