// Texts of rules as HTML, for the HTML report and for the pages that codes link to.
#pragma once

#include <string>
#include <string_view>

#include <trtcheck/rule.hpp>

namespace trtcheck::report {

/// CommonMark as an HTML fragment. Raw HTML and links other than http(s), mailto and relative ones are left out;
/// bytes that are not UTF-8 turn into U+FFFD.
[[nodiscard]] std::string markdown_html(std::string_view markdown);

/// `Rule::docs`: "<h2>What it checks</h2> <p>...</p> ...".
[[nodiscard]] std::string rule_html(const Rule& rule);

/// A page of its own: no script, no network, light and dark.
[[nodiscard]] std::string rule_page(const Rule& rule);

}  // namespace trtcheck::report
