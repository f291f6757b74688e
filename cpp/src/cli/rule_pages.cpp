#include "cli/rule_pages.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "report/escape.hpp"

namespace trtcheck::cli {
namespace {

namespace fs = std::filesystem;

/// "https://docs.example.org/rules/"; a setting that is no address of the web is taken for none.
std::string address(std::string_view text) {
  if (!text.starts_with("https://") && !text.starts_with("http://")) return "";
  for (const char c : text) {
    if (c <= ' ' || c == '\x7f') return "";
  }
  return std::string(text) + (text.ends_with('/') ? "" : "/");
}

std::string from_environment() {
  const char* value = std::getenv("TRTCHECK_DOCS_URL");  // NOLINT(concurrency-mt-unsafe): read only
  return value == nullptr ? "" : address(value);
}

/// bin/trtcheck has its pages in share/doc/trtcheck/rules. The host name tells a terminal on another machine that the
/// file is not on its own (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda).
std::string installed() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return "";
  const fs::path folder = program.parent_path().parent_path() / "share" / "doc" / "trtcheck" / "rules";
  if (!fs::is_directory(folder, error)) return "";
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return "file://" + report::uri_path(host.data()) + report::uri_path(folder.string()) + "/";
}

}  // namespace

std::string public_rule_pages() {
  const std::string chosen = from_environment();
  return chosen.empty() ? address(TRTCHECK_DOCS_URL) : chosen;
}

std::string rule_pages() {
  if (std::string chosen = from_environment(); !chosen.empty()) return chosen;
  std::string pages = installed();
  return pages.empty() ? address(TRTCHECK_DOCS_URL) : pages;
}

}  // namespace trtcheck::cli
