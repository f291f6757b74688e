#include "cli/python_child.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include <fmt/core.h>

#include <trtcheck/error.hpp>

#include "bytes/own_file.hpp"
#include "witness/child.hpp"

namespace trtcheck::cli {
namespace {

namespace fs = std::filesystem;
using witness::Ending;

constexpr const char* kPython = "python3";
constexpr int kRefused = 2;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  const std::size_t before = text.rfind('\n', end);
  const std::size_t start = before == std::string::npos ? 0 : before + 1;
  return text.substr(start, end + 1 - start);
}

namespace {

/// The working folder is not searched: what lies there is no library.
std::string program_of(std::string_view module) {
  return fmt::format("import sys; sys.path[:] = [p for p in sys.path if p]; from trtcheck.{} import main; main()",
                     module);
}

}  // namespace

std::string find_python() {
  if (std::string named = variable("TRTCHECK_PYTHON"); !named.empty()) return named;
  const fs::path beside = own_file().parent_path() / kPython;
  if (::access(beside.c_str(), X_OK) == 0) return beside.string();
  if (const std::string environment = variable("VIRTUAL_ENV"); !environment.empty()) {
    const fs::path inside = fs::path(environment) / "bin" / kPython;
    if (::access(inside.c_str(), X_OK) == 0) return inside.string();
  }
  return kPython;
}

std::string run_python(std::string_view module, const std::vector<std::string>& arguments, std::string_view need,
                       std::function<void(const std::string&)> heard) {
  const std::string python = find_python();
  std::vector<std::string> words{python, "-c", program_of(module)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  Ending ending = [&] {
    try {
      return witness::run_child(words, {.said = std::move(heard)});
    } catch (const Error& error) {
      throw Error(python, fmt::format("{}; {}", error.cause(), need));
    }
  }();
  if (ending.kind == Ending::Kind::exited && ending.code == 0) return std::move(ending.output);
  const std::string said = last_line(ending.errors);
  if (ending.kind == Ending::Kind::exited && ending.code == kRefused && !said.empty()) throw Error("", said);
  if (said.find("No module named 'trtcheck") != std::string::npos) {
    throw Error(python, fmt::format("there is no trtcheck in this Python; {}", need));
  }
  switch (ending.kind) {
    case Ending::Kind::exited:
      throw Error(python, said.empty() ? fmt::format("ended with exit code {}", ending.code) : said);
    case Ending::Kind::signalled:
      throw Error(python, fmt::format("was ended by signal {}", ending.code));
    case Ending::Kind::flooded:
      throw Error(python, "printed more than 64 MB");
    case Ending::Kind::timed_out:
    case Ending::Kind::cancelled:
      break;  // nobody asked for either
  }
  throw Error(python, "was stopped");
}

}  // namespace trtcheck::cli
