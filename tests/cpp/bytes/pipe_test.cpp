#include "bytes/pipe.hpp"

#include <catch2/catch.hpp>

#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include <trtcheck/error.hpp>

using namespace trtcheck;

namespace {

/// What is read of a socket that holds the text. There are no more bytes than its buffer takes.
std::string read_back(const std::string& text, std::uint64_t most) {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  REQUIRE(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  ::close(ends[1]);
  std::string made;
  try {
    for (const std::byte byte : read_pipe("p", ends[0], most)) made += static_cast<char>(byte);
  } catch (const Error& error) {
    made = error.what();
  }
  ::close(ends[0]);
  return made;
}

}  // namespace

TEST_CASE("a pipe is read up to its limit") {
  const std::string large(100'000, 'x');
  CHECK(read_back("", 3).empty());
  CHECK(read_back("abc", 3) == "abc");
  CHECK(read_back("abcd", 3) == "p: the pipe holds more than 3 bytes; a file of that size can be read in parts");
  CHECK(read_back(large, large.size()) == large);
  CHECK(read_back(large, large.size() - 1).starts_with("p: the pipe holds more than 97.7 KB; "));
}

TEST_CASE("a connection that breaks is an error") {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  // Nobody reads this.
  REQUIRE(::write(ends[0], "x", 1) == 1);
  ::close(ends[1]);
  CHECK_THROWS_WITH(read_pipe("p", ends[0], 10), "p: cannot be read: Connection reset by peer");
  ::close(ends[0]);
}
