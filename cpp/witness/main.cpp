// `trtcheck-witness`: asks NVIDIA's own parser and builder about ONNX models and prints what they say, one line of JSON
// for each model. A program of its own, because it may crash, hang or eat all memory in code that is not ours.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "libraries.hpp"
#include "request.hpp"
#include "session.hpp"

namespace {

using namespace trtcheck::witness;

constexpr int kAnswered = 0;
constexpr int kFailed = 2;

/// The libraries print, too: they get standard error, the answers keep what was standard output.
std::FILE* take_standard_output() {
  const int answers = dup(STDOUT_FILENO);
  if (answers < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return nullptr;
  return fdopen(answers, "w");
}

bool write_line(std::FILE* out, const std::string& line) {
  return std::fwrite(line.data(), 1, line.size(), out) == line.size() && std::fputc('\n', out) != EOF &&
         std::fflush(out) == 0;
}

int answer(const Request& request, std::FILE* out) {
  const Libraries libraries = open_libraries(request);
  const std::unique_ptr<Session> session = make_session(libraries, request);
  const auto write = [&](const Answer& given) { return write_line(out, json_line(given, libraries.names)); };
  if (request.self_test) return write(session->test()) ? kAnswered : kFailed;
  if (!request.batch) return write(session->ask(request.model)) ? kAnswered : kFailed;
  std::string path;
  while (std::getline(std::cin, path)) {
    if (!path.empty() && !write(session->ask(path))) return kFailed;
  }
  return kAnswered;
}

int run(const std::vector<std::string>& words) {
  std::FILE* const out = take_standard_output();
  if (out == nullptr) return kFailed;
  int code = kFailed;
  try {
    const Request request = parse_request(words);
    if (request.help) return std::fputs(help_text(), out) >= 0 && std::fflush(out) == 0 ? kAnswered : kFailed;
    code = answer(request, out);
  } catch (const std::exception& error) {
    write_line(out, fatal_line(error.what()));
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  const int code = run(std::vector<std::string>(argv + 1, argv + argc));
  // Without the destructors of the libraries, which may wait for a GPU.
  std::_Exit(code);
}
