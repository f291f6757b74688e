#include <csignal>
#include <exception>
#include <string>

#include <trtcheck/error.hpp>

#include "cli/command_line.hpp"
#include "cli/output.hpp"

int main(int argc, char** argv) {
  using namespace trtcheck;
  cli::reserve_standard_streams();
  // A closed pipe is seen where it is written to, so that the exit code still tells what was found.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return cli::parse_command_line(argc, argv)();
  } catch (const Error& error) {
    cli::complain(error.what());
  } catch (const std::bad_alloc&) {
    cli::complain("out of memory");
  } catch (const std::exception& error) {
    cli::complain(std::string("internal error, please report it: ") + error.what());
  }
  return cli::kExitFailed;
}
