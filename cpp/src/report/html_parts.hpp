// Pieces of HTML that the notebook fragment and the document share. Every text of a model goes through here.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/report.hpp>

namespace trtcheck {

/// One finding as a fragment for notebooks, like `render_html` of a report.
[[nodiscard]] std::string render_html(const Finding& finding);

namespace report {

/// A style or a script, and its hash for the content security policy. `html_style` is the one of reports.
struct HtmlStyle {
  std::string_view text;
  std::string_view hash;
};
[[nodiscard]] HtmlStyle html_style() noexcept;

/// What stands around every page: its head with the content security policy, and nothing that comes from elsewhere.
struct HtmlShell {
  std::string title;            ///< HTML; what the tab of a browser says, before " - trtcheck"
  HtmlStyle style;              ///< of the page
  HtmlStyle script = {{}, {}};  ///< at the end of the body; none
};
/// @param body  HTML, whole lines
[[nodiscard]] std::string html_shell(const HtmlShell& shell, std::string_view body);

/// A page of its own: <h1>, then `header` below it, then `main`. All are HTML; `title` is what the
/// tab of a browser says.
struct HtmlPage {
  std::string title;
  std::string heading;
  std::string header;
  std::string main;
  std::string asked = "Neither TensorRT nor a GPU was needed.";  ///< who was asked, at the end
  bool has_search = false;  ///< `main` has a table of html_searchable(): the page holds the script of reports
};
[[nodiscard]] std::string html_page(const HtmlPage& page);

/// What the page of one model says beside its findings. Both are HTML.
struct HtmlMore {
  std::string glance;    ///< in the header, below the verdict
  std::string sections;  ///< after the findings
};
/// The document of a report with more around it.
[[nodiscard]] std::string html_document(const Report& report, const RenderOptions& options, const HtmlMore& more);

/// A table that the script of the document searches and cuts to its first rows; without the script all rows stand
/// there.
/// @param head, rows  HTML: one <tr>, and one <tr> for each row
[[nodiscard]] std::string html_searchable(std::string_view what, std::string_view head, std::string_view rows);

/// Models that something could not be done with, as a section; "" = none.
/// @param cause  what is said of each, as HTML; nothing = its cause
[[nodiscard]] std::string html_failures(std::string_view what, std::span<const Failure> failures,
                                        const std::function<std::string(const Failure&)>& cause = {});

/// A short list is read from top to bottom, a long one is looked through: of so many findings each is open.
inline constexpr std::size_t kOpenWhenFew = 3;

/// Escaped, with `names in backticks` in <code>.
[[nodiscard]] std::string html_prose(std::string_view text);
/// A line of code to paste, escaped: whole, however long, with its end.
[[nodiscard]] std::string html_code_line(std::string_view line);
/// Escaped; a browser may break it behind each slash, before it breaks a name.
[[nodiscard]] std::string html_path(std::string_view path);
/// Escaped, with names in backticks in <code>, and addresses that start with https:// as links.
[[nodiscard]] std::string html_linked(std::string_view text);
/// "Conv <code>/unit/conv</code> in main/If_3.then_branch"; "" when the finding is about no node.
[[nodiscard]] std::string html_node(const Finding& finding);

/// The findings of the group behind the first one, as the items of a list: where, and the message where it is another.
[[nodiscard]] std::string html_others(const FindingGroup& group);

/// Draws findings until there were enough of them, or until the layout library turns out to be missing.
class Pictures {
 public:
  explicit Pictures(std::size_t limit) noexcept : limit_(limit) {}
  /// An SVG for a page; "" = none.
  [[nodiscard]] std::string draw(const Finding& finding);
  /// Why there are no pictures; "" = there are, or none were wanted.
  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }
  [[nodiscard]] std::size_t drawn() const noexcept { return drawn_; }

 private:
  std::size_t limit_;
  std::size_t drawn_ = 0;
  std::string failure_;
};

}  // namespace report
}  // namespace trtcheck
