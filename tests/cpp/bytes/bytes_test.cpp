#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <thread>

#include <trtcheck/error.hpp>
#include <trtcheck/model.hpp>

#include "bytes/bytes.hpp"
#include "onnx_text.hpp"
#include "temporary_folder.hpp"

using namespace trtcheck;
namespace fs = std::filesystem;

namespace {

struct Folder : test::TemporaryFolder {
  [[nodiscard]] std::string write(const std::string& name, std::string_view content) const {
    std::ofstream(path / name, std::ios::binary) << content;
    return (path / name).string();
  }
};

std::string refusal(const std::string& path) {
  try {
    (void)read_model(path);
    return "read";
  } catch (const Error& error) {
    CHECK(error.path() == path);
    return error.cause();
  }
}

std::string tag_and_length(std::uint32_t field, std::uint64_t length) {
  std::string result(1, static_cast<char>(field << 3U | 2U));
  for (; length >= 0x80; length >>= 7U) result += static_cast<char>(length | 0x80U);
  return result + static_cast<char>(length);
}

}  // namespace

TEST_CASE("a file of any size is read whole") {
  const Folder folder;
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{3} << 20}) {
    std::string content(size, 'x');
    if (size > 0) content.back() = 'y';
    const Bytes bytes = Bytes::of_file(folder.write("f", content));
    REQUIRE(bytes.span().size() == size);
    if (size > 0) CHECK(bytes.span().back() == std::byte{'y'});
  }
}

TEST_CASE("bytes move with their owner, and outlive their file") {
  const Folder folder;
  const std::string path = folder.write("f", std::string(1 << 20, 'z'));
  Bytes first = Bytes::of_file(path);
  const Bytes second = std::move(first);
  fs::resize_file(path, 0);
  CHECK(second.span()[12345] == std::byte{'z'});
}

TEST_CASE("memory that is reserved is zero until somebody writes to it") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{3} << 20}) {
    Bytes bytes = Bytes::reserve("f", size);
    REQUIRE(bytes.span().size() == size);
    if (size == 0) continue;
    CHECK(bytes.span().back() == std::byte{0});
    bytes.writable().back() = std::byte{'y'};
    CHECK(bytes.span().back() == std::byte{'y'});
  }
}

TEST_CASE("a file that becomes shorter while it is read is an error") {
  const Folder folder;
  const std::string path = folder.write("f", std::string(1 << 20, 'z'));
  const File file = File::open(path);
  fs::resize_file(path, 1000);
  std::string some(500, '\0');
  file.read(500, std::as_writable_bytes(std::span(some)));
  CHECK(some == std::string(500, 'z'));
  CHECK_THROWS_WITH(file.read(501, std::as_writable_bytes(std::span(some))),
                    path + ": became shorter while it was read");
  CHECK_THROWS_WITH(Bytes::of(file), path + ": became shorter while it was read");
}

TEST_CASE("a pipe is read to its end") {
  const std::string model = test::onnx_bytes("g (float x) => (float y) { y = Relu(x) }");
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::write(ends[1], model.data(), model.size()) == static_cast<ssize_t>(model.size()));
  ::close(ends[1]);
  const std::string path = "/dev/fd/" + std::to_string(ends[0]);
  CHECK(read_model(path).node_count() == 1);
  ::close(ends[0]);
}

TEST_CASE("a named pipe is read to its end, however late its writer comes") {
  const Folder folder;
  const std::string model = test::onnx_bytes("g (float x) => (float y) { y = Relu(x) }");
  const std::string fifo = (folder.path / "fifo").string();
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  const auto write_later = [&fifo](std::string_view first, std::string_view second) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const int pipe = ::open(fifo.c_str(), O_WRONLY | O_CLOEXEC);
    for (const std::string_view part : {first, second}) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      static_cast<void>(!::write(pipe, part.data(), part.size()));
    }
    ::close(pipe);
  };
  {
    const std::jthread writer(write_later, std::string_view(model).substr(0, 9), std::string_view(model).substr(9));
    CHECK(read_model(fifo).node_count() == 1);
  }
  {
    const std::jthread writer(write_later, "", "");
    CHECK(refusal(fifo) == "is empty, not an ONNX model");
  }
  // The writer of a pipe without a name has been there before us.
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  ::close(ends[1]);
  CHECK(refusal("/dev/fd/" + std::to_string(ends[0])) == "is empty, not an ONNX model");
  ::close(ends[0]);
}

TEST_CASE("what is no model is refused in one line") {
  const Folder folder;
  CHECK(refusal((folder.path / "none.onnx").string()) == "cannot be opened: No such file or directory");
  CHECK(refusal(folder.path.string()) == "is a directory, not an ONNX file");
  CHECK(refusal("/dev/null") == "is neither a file nor a pipe");
  CHECK(refusal(std::string("a\0b", 3)) == "the path contains a NUL byte");
  struct Row {
    std::string_view content;
    std::string_view cause;
  };
  using std::string_view_literals::operator""sv;
  const Row rows[] = {
      {"", "is empty, not an ONNX model"},
      {"hello, world\n", "not an ONNX model but a text file"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
       "not an ONNX model but a Git LFS pointer, the model itself was not downloaded: run `git lfs pull`"},
      {"PK\x03\x04...", "not an ONNX model but a ZIP archive (a PyTorch checkpoint or program, perhaps)"},
      {"\x18\0\0\0ORTM..."sv, "not an ONNX model but a model in ONNX Runtime's own format (.ort)"},
      {"<!DOCTYPE html><html>", "not an ONNX model but an HTML page (of a download that needs a login, perhaps)"},
      {"\x08\x08\x12\x01x"sv, "not an ONNX model: it has no graph"},
  };
  for (const Row& row : rows) CHECK(refusal(folder.write("f.onnx", row.content)) == row.cause);
}

TEST_CASE("an unreadable file says so") {
  if (::geteuid() == 0) return;  // root reads everything
  const Folder folder;
  const std::string path = folder.write("f.onnx", "x");
  REQUIRE(::chmod(path.c_str(), 0) == 0);
  CHECK(refusal(path) == "cannot be opened: Permission denied");
}

TEST_CASE("inline weights beyond 2 GiB and 4 GiB are read without being touched") {
  const Folder folder;
  for (const std::uint64_t weights : {std::uint64_t{5} << 29U, std::uint64_t{9} << 29U}) {
    const std::string dims("\x08\x01\x10\x02", 4);  // one dim, UINT8
    const std::string raw = tag_and_length(9, weights);
    const std::string tensor = tag_and_length(5, dims.size() + raw.size() + weights);
    const std::string graph = tag_and_length(7, tensor.size() + dims.size() + raw.size() + weights);
    const std::string path = folder.write("large.onnx", graph + tensor + dims + raw);
    const std::uint64_t start = fs::file_size(path);
    std::error_code failed;
    fs::resize_file(path, start + weights, failed);  // a hole, no disk space
    if (failed) {
      WARN("the file system has no room for a sparse file: " << failed.message());
      return;
    }
    const Model model = read_model(path);
    REQUIRE(model.tensor_count() == 1);
    CHECK(model.tensor(TensorId{0}).raw.offset == start);
    CHECK(model.tensor(TensorId{0}).raw.length == weights);
  }
}
