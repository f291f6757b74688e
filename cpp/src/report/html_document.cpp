#include "report/formats.hpp"

namespace trtcheck::report {

std::string render_html_document(std::span<const Report> reports) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>trtcheck</title>\n"
      "<style>:root{color-scheme:light dark}body{font-family:system-ui,sans-serif;margin:2rem}</style>\n"
      "</head>\n<body>\n";
  for (const Report& report : reports) out += render_html(report);
  return out + "</body>\n</html>\n";
}

}  // namespace trtcheck::report
