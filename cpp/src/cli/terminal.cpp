#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

namespace trtcheck::cli {
namespace {

constexpr int kDefaultWidth = 100;
constexpr int kMaxWidth = 120;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread, before any other
  return value == nullptr ? std::string_view{} : std::string_view(value);
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// By what terminals say of themselves; kept to those whose documentation promises OSC 8.
bool terminal_has_links() {
  if (!environment("CI").empty() || environment("TERM") == "dumb") return false;
  if (is_one_of(environment("TERM_PROGRAM"), {"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "Tabby"})) {
    return true;
  }
  if (is_one_of(environment("TERM"), {"xterm-kitty", "xterm-ghostty", "alacritty", "foot", "foot-extra", "contour"})) {
    return true;
  }
  for (const char* name : {"WT_SESSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "ALACRITTY_WINDOW_ID", "DOMTERM"}) {
    if (!environment(name).empty()) return true;
  }
  // VTE 0.50.0 crashed on links; later ones show them.
  int vte = 0;
  const std::string_view version = environment("VTE_VERSION");
  std::from_chars(version.data(), version.data() + version.size(), vte);
  return vte > 5000;
}

}  // namespace

bool use_color(const OutputRequest& request) {
  if (request.no_color || !environment("NO_COLOR").empty() || !request.file.empty()) return false;
  for (const char* name : {"FORCE_COLOR", "CLICOLOR_FORCE"}) {
    if (const std::string_view force = environment(name); !force.empty()) return force != "0";
  }
  return ::isatty(STDOUT_FILENO) == 1 && environment("TERM") != "dumb";
}

bool use_hyperlinks(const OutputRequest& request) {
  if (!request.file.empty()) return false;
  if (const std::string_view force = environment("FORCE_HYPERLINK"); !force.empty()) return force != "0";
  return ::isatty(STDOUT_FILENO) == 1 && terminal_has_links();
}

int text_width(const OutputRequest& request) {
  const std::string_view columns = environment("COLUMNS");
  int width = 0;
  std::from_chars(columns.data(), columns.data() + columns.size(), width);
  winsize size{};
  const bool terminal = request.file.empty() && ::isatty(STDOUT_FILENO) == 1;
  if (width <= 0 && terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width <= 0 ? kDefaultWidth : std::min(width, kMaxWidth);
}

}  // namespace trtcheck::cli
