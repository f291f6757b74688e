// `trtcheck man`: trtcheck.1, for the one who builds a package.
#include <fmt/core.h>

#include <iterator>
#include <string_view>

#include <trtcheck/trtcheck.hpp>

#include "cli/commands.hpp"
#include "cli/completion_options.hpp"
#include "cli/output.hpp"

namespace trtcheck::cli {
namespace {

/// Nothing in it is a request or an escape of roff.
std::string plain(std::string_view text) {
  std::string out = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '`' || c == '\'')
      out += "\\(aq";
    else
      out += c;
  }
  return out;
}

void add_option(std::string& out, const OptionFacts& option) {
  out += ".TP\n";
  for (std::size_t i = 0; i < option.names.size(); ++i)
    out += (i == 0 ? "" : ", ") + ("\\fB" + plain(option.names[i]) + "\\fR");
  if (!option.value.empty()) out += " \\fI" + plain(option.value) + "\\fR";
  out += "\n" + plain(option.help) + "\n";
}

void add_command(std::string& out, const CommandFacts& command) {
  out += ".SS \"trtcheck " + plain(command.name) + "\"\n" + plain(command.help) + "\n";
  for (const OptionFacts& argument : command.arguments) add_option(out, argument);
  for (const OptionFacts& option : command.options) add_option(out, option);
}

std::string page(const ManRequest& request) {
  std::string out = fmt::format(
      ".TH TRTCHECK 1 {} \"trtcheck {}\" \"User Commands\"\n"
      ".SH NAME\ntrtcheck \\- tell whether an ONNX model will convert to a TensorRT engine\n"
      ".SH SYNOPSIS\n\\fBtrtcheck\\fR [\\fICOMMAND\\fR] [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]\n"
      ".SH DESCRIPTION\n{}\nNeither TensorRT nor a GPU is needed.\n"
      "Without a command the arguments are models to check.\n.SH COMMANDS\n",
      request.date, version(), plain(request.program.help));
  for (const CommandFacts& command : request.program.commands) add_command(out, command);
  out +=
      ".SH \"EXIT STATUS\"\n"
      ".TP\n0\nnothing was found at or above the severity of \\fB\\-\\-fail\\-on\\fR\n"
      ".TP\n1\nthere are findings\n.TP\n2\nsomething could not be read or written\n.TP\n130\ninterrupted\n"
      ".SH ENVIRONMENT\n"
      ".TP\nNO_COLOR, FORCE_COLOR, TERM\nwhether there are colours\n.TP\nCOLUMNS\nwidth of the text\n"
      ".SH FILES\n.TP\ntrtcheck.toml, pyproject.toml\nsettings of a project\n";
  return out;
}

}  // namespace

int run(const ManRequest& request) {
  write_output({}, page(request));
  return kExitClean;
}

}  // namespace trtcheck::cli
