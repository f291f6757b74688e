// What codes link to.
#pragma once

#include <string>

#include <trtcheck/rule.hpp>

namespace trtcheck::report {

/// A file name, "scale-length.html": what `RenderOptions::rule_pages` is put in front of.
[[nodiscard]] inline std::string rule_page_name(const Rule& rule) { return std::string(rule.name) + ".html"; }

}  // namespace trtcheck::report
