// Files that are written, and what is asked of paths.
#include <catch2/catch.hpp>

#include <fcntl.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): ptsname is POSIX
#include <unistd.h>

#include <cerrno>
#include <deque>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <trtcheck/error.hpp>

#include "bytes/bytes.hpp"
#include "bytes/copy_range.hpp"
#include "bytes/own_file.hpp"
#include "bytes/real_path.hpp"
#include "bytes/staged_file.hpp"
#include "temporary_folder.hpp"

using namespace trtcheck;
namespace fs = std::filesystem;

namespace {

struct Folder : test::TemporaryFolder {
  [[nodiscard]] std::string at(const std::string& name) const { return (path / name).string(); }
  [[nodiscard]] std::string write(const std::string& name, std::string_view content) const {
    std::ofstream(at(name), std::ios::binary) << content;
    return at(name);
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream in(at(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

/// What copying ten bytes from the third one on to a file gives, opened with these flags.
int copied(const std::string& from, const std::string& to, int flags) {
  const int descriptor = ::open(to.c_str(), flags | O_CLOEXEC);
  REQUIRE(descriptor >= 0);
  const int code = copy_range(File::open(from), 2, 10, descriptor);
  ::close(descriptor);
  return code;
}

}  // namespace

TEST_CASE("a range is copied to whatever can be written to") {
  const Folder folder;
  const std::string from = folder.write("from", "0123456789abcdef");
  (void)folder.write("to", "old ");
  // The system copies to no file that is appended to.
  CHECK(copied(from, folder.at("to"), O_WRONLY | O_APPEND) == 0);
  CHECK(folder.read("to") == "old 23456789ab");
  CHECK(copied(from, folder.at("to"), O_WRONLY | O_TRUNC) == 0);
  CHECK(folder.read("to") == "23456789ab");
  CHECK(copied(from, "/dev/null", O_WRONLY) == 0);
  CHECK(copied(from, "/dev/full", O_WRONLY) == ENOSPC);
  CHECK(copied(from, folder.at("to"), O_RDONLY) == EBADF);
  const std::string shorter = folder.write("shorter", "0123456789");
  CHECK_THROWS_WITH(copied(shorter, folder.at("to"), O_WRONLY), shorter + ": became shorter while it was read");
  CHECK_THROWS_WITH(copied(shorter, "/dev/null", O_WRONLY), shorter + ": became shorter while it was read");
}

TEST_CASE("a file has many names") {
  const Folder folder;
  const std::string a = folder.write("a", "a");
  const std::string b = folder.write("b", "b");
  fs::create_hard_link(a, folder.at("hard"));
  fs::create_symlink("a", folder.at("soft"));
  fs::create_symlink("itself", folder.at("itself"));
  struct Row {
    std::string one;
    std::string other;
    bool is_same;
  };
  const Row rows[] = {
      {"", "", true},
      {a, "", false},
      {"", a, false},
      {a, a, true},
      {a, b, false},
      {a, folder.at("hard"), true},
      {a, folder.at("soft"), true},
      {a, folder.at("./b/../a"), true},
      {a, "/proc/version", false},
      // Of what is no regular file there may be two that are one.
      {"/dev/null", "/dev/null", false},
      // Yet to be made.
      {folder.at("new"), folder.at("new"), true},
      {folder.at("new"), folder.at("./new"), true},
      {folder.at("new"), folder.at("newer"), false},
      {a, folder.at("new"), false},
      {folder.at("new"), a, false},
      {folder.at("itself"), folder.at("itself"), true},
      {folder.at("itself"), folder.at("x/../itself"), true},
  };
  for (const Row& row : rows) {
    INFO(row.one << " and " << row.other);
    CHECK(same_file(row.one, row.other) == row.is_same);
  }
}

TEST_CASE("words of a path") {
  CHECK(folder_of("net.onnx") == ".");
  CHECK(folder_of("/net.onnx") == "/");
  CHECK(folder_of("a/b/net.onnx") == "a/b");
  CHECK(without_slash_at_end("a//") == "a");
  CHECK(without_slash_at_end("/") == "/");
  CHECK(without_slash_at_end("").empty());
}

TEST_CASE("half written files go, sixteen at a time") {
  const Folder folder;
  std::deque<StagedFile> staged;
  for (int i = 0; i < 17; ++i) {
    staged.emplace_back(folder.at(std::to_string(i)), std::span<const std::string>{});
    staged.back().write([](const Sink& sink) { sink("x"); });
  }
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 17);
  remove_half_written();
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);
  staged.clear();
  CHECK(fs::is_empty(folder.path));
  // Nothing is left to be removed.
  (void)folder.write("whole", "x");
  remove_half_written();
  CHECK(folder.read("whole") == "x");
}

TEST_CASE("a place below a file is none") {
  const Folder folder;
  const std::string below = folder.write("file", "x") + "/new";
  CHECK_THROWS_WITH(StagedFile(below, {}), below + ": cannot write: not a directory");
}

TEST_CASE("a terminal is no model") {
  const int controller = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  REQUIRE(controller >= 0);
  REQUIRE(::grantpt(controller) == 0);
  REQUIRE(::unlockpt(controller) == 0);
  const std::string terminal = ::ptsname(controller);
  CHECK_THROWS_WITH(File::open(terminal), terminal + ": is a terminal, not an ONNX file");
  ::close(controller);
}

TEST_CASE("a link may be refused") {
  const Folder folder;
  (void)folder.write("file", "x");
  fs::create_symlink("file", folder.at("link"));
  CHECK(File::open(folder.at("link")).size() == 1);
  CHECK_THROWS_WITH(File::open(folder.at("link"), File::Links::refused),
                    folder.at("link") + ": cannot be opened: Too many levels of symbolic links");
}

TEST_CASE("more than there are addresses") {
  CHECK_THROWS_WITH(Bytes::reserve("f", std::uint64_t{1} << 60U),
                    "f: has 1152921504606846976 bytes, for which this machine has no address space");
}

TEST_CASE("what is installed beside the program") {
  const Folder folder;
  CHECK(own_file().filename() == "test_bytes");
  CHECK(is_trusted_file(own_file()));
  CHECK_FALSE(is_trusted_file(folder.path));
  CHECK_FALSE(is_trusted_file(folder.at("missing")));
  for (const char* const name : {"python3.12", "python3.9", "perl5"}) fs::create_directory(folder.at(name));
  const std::vector<fs::path> expected{
      folder.path / "python3.12/dist-packages", folder.path / "python3.12/site-packages",
      folder.path / "python3.9/dist-packages", folder.path / "python3.9/site-packages"};
  CHECK(python_folders_in(folder.path) == expected);
  CHECK(python_folders_in(folder.at("missing")).empty());
}
