#include <csignal>
#include <cstdlib>
#include <exception>
#include <string>

#include <trtcheck/error.hpp>

#include "cli/command_line.hpp"
#include "cli/interrupts.hpp"
#include "cli/output.hpp"

namespace {

int run_program(int argc, char** argv) {
  using namespace trtcheck;
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

}  // namespace

#ifdef TRTCHECK_COVERAGE
extern "C" void __gcov_dump();  // NOLINT(bugprone-reserved-identifier): the name that GCC gave it
#endif

int main(int argc, char** argv) {
  trtcheck::cli::reserve_standard_streams();
  trtcheck::cli::handle_interrupts();
  // A closed pipe is seen where it is written to, so that the exit code still tells what was found.
  std::signal(SIGPIPE, SIG_IGN);
  // So is a limit of file sizes: `cannot write: file too large`.
  std::signal(SIGXFSZ, SIG_IGN);
  // Everything is written by now, and a worker may be stuck in a pipe for ever: nobody waits for it.
  const int code = run_program(argc, argv);
#ifdef TRTCHECK_COVERAGE
  __gcov_dump();
#endif
  std::_Exit(code);
}
