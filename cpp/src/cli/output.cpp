#include "cli/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <list>
#include <utility>
#include <vector>

#include <trtcheck/error.hpp>

#include "cli/interrupts.hpp"
#include "text/printable.hpp"

namespace trtcheck::cli {
namespace {

/// Whoever read our output wants no more of it.
struct ReaderGone {};

/// Where a document goes part by part: an open descriptor that is ours or standard output.
class DirectPlace {
 public:
  explicit DirectPlace(const std::string& path)
      : path_(path.empty() ? "standard output" : path),
        descriptor_(path.empty() ? STDOUT_FILENO : ::open(path.c_str(), O_WRONLY | O_CLOEXEC)),
        owned_(!path.empty()) {
    if (descriptor_ < 0) fail_to_write(path_, errno);
  }
  DirectPlace(const DirectPlace&) = delete;
  DirectPlace& operator=(const DirectPlace&) = delete;
  ~DirectPlace() {
    if (owned_) ::close(descriptor_);
  }

  /// @throws ReaderGone, Error
  void write(std::string_view text) {
    note_document_begun();
    const int code = write_all(descriptor_, text);
    if (code == EPIPE) throw ReaderGone{};
    if (code != 0) fail_to_write(path_, code);
  }
  void close() {
    if (std::exchange(owned_, false) && ::close(descriptor_) != 0) fail_to_write(path_, errno);
  }

 private:
  std::string path_;
  int descriptor_;
  bool owned_;
};

void write_direct(const std::string& path, const std::function<void(const Sink&)>& make) {
  DirectPlace place(path);
  try {
    make([&place](std::string_view part) { place.write(part); });
  } catch (const ReaderGone&) {
  }
  place.close();
}

}  // namespace

void reserve_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // Read-only on purpose: writing to a stream that the caller closed stays an error.
    if (::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) ::open("/dev/null", O_RDONLY);
  }
}

void write_outputs(std::span<const Output> outputs, std::span<const std::string> inputs) {
  std::list<StagedFile> staged;
  std::vector<const Output*> direct;
  const auto whole = [](const Output& output) { return [&output](const Sink& sink) { sink(output.text); }; };
  for (const Output& output : outputs) {
    if (output.request.file.empty()) {
      direct.push_back(&output);
      continue;
    }
    StagedFile& file = staged.emplace_back(output.request.file, inputs);
    if (file.is_special()) {
      staged.pop_back();
      direct.push_back(&output);
    } else {
      file.write(whole(output));
    }
  }
  for (StagedFile& file : staged) file.put();
  for (const Output* output : direct) write_direct(output->request.file, whole(*output));
}

void write_output(const OutputRequest& request, std::string_view text, std::span<const std::string> inputs) {
  write_output(
      request, [&text](const Sink& sink) { sink(text); }, inputs);
}

void write_output(const OutputRequest& request, const std::function<void(const Sink&)>& make,
                  std::span<const std::string> inputs) {
  if (!request.file.empty()) {
    StagedFile file(request.file, inputs);
    if (!file.is_special()) {
      file.write(make);
      return file.put();
    }
  }
  write_direct(request.file, make);
}

void write_standard_error(std::string_view text) {
  // Nobody is left to hear about a failure here.
  static_cast<void>(write_all(STDERR_FILENO, text));
}

void complain(std::string_view message) { write_standard_error("trtcheck: " + printable(message) + "\n"); }

}  // namespace trtcheck::cli
