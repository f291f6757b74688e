// Processes that do what they want.
#include <catch2/catch.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>

#include <trtcheck/error.hpp>

#include <temporary_folder.hpp>

#include "witness/child.hpp"

using namespace trtcheck;
using namespace trtcheck::witness;
using Catch::Matchers::Contains;

namespace {

Ending shell(const std::string& script, const ChildLimits& limits = {}) {
  return run_child({"/bin/sh", "-c", script}, limits);
}

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TEST_CASE("what it prints and how it ends is told") {
  const Ending ending = shell("echo out; echo err >&2; exit 3");
  CHECK(ending.kind == Ending::Kind::exited);
  CHECK(ending.code == 3);
  CHECK(ending.output == "out\n");
  CHECK(ending.errors == "err\n");
}

TEST_CASE("a signal is told") {
  const Ending ending = shell("kill -SEGV $$");
  CHECK(ending.kind == Ending::Kind::signalled);
  CHECK(ending.code == SIGSEGV);
}

TEST_CASE("a program that does not exist is an error") {
  CHECK_THROWS_WITH(run_child({"/nowhere/program"}, {}),
                    "/nowhere/program: cannot be started: no such file or directory");
}

TEST_CASE("it has nothing on standard input, and no file of ours") {
  const int mine = ::open("/dev/null", O_RDONLY);
  REQUIRE(mine >= 0);
  CHECK(shell("cat; ls /proc/self/fd | wc -l").output == "4\n");  // 0, 1, 2 and that of ls
  ::close(mine);
}

TEST_CASE("a process that hangs is stopped, and its children with it") {
  const test::TemporaryFolder folder;
  const std::string mark = (folder.path / "mark").string();
  Ending ending;
  const double took = seconds_of([&] { ending = shell("(sleep 1; : > " + mark + ") & sleep 60", {.seconds = 0.3}); });
  CHECK(ending.kind == Ending::Kind::timed_out);
  CHECK(took < 5);
  std::this_thread::sleep_for(std::chrono::milliseconds(1300));
  CHECK(!std::filesystem::exists(mark));
}

TEST_CASE("a child that outlives it does not hold us") {
  Ending ending;
  CHECK(seconds_of([&] { ending = shell("sleep 60 & echo done"); }) < 5);
  CHECK(ending.kind == Ending::Kind::exited);
  CHECK(ending.output == "done\n");
}

TEST_CASE("the caller may stop it") {
  int asked = 0;
  const Ending ending = shell("sleep 60", {.cancelled = [&] { return ++asked > 1; }});
  CHECK(ending.kind == Ending::Kind::cancelled);
}

TEST_CASE("too much output is no answer, and of the errors the end is kept") {
  CHECK(shell("yes | head -c 80000000").kind == Ending::Kind::flooded);
  const Ending ending = shell("yes | head -c 1000000 >&2; echo end >&2");
  CHECK(ending.kind == Ending::Kind::exited);
  CHECK(ending.errors.size() < 300000);
  CHECK_THAT(ending.errors, Catch::Matchers::EndsWith("end\n"));
}

TEST_CASE("memory has a limit") {
  const Ending ending =
      run_child({"python3", "-c", "x = bytearray(2_000_000_000)"}, {.bytes = std::uint64_t{256} << 20U});
  CHECK(ending.kind == Ending::Kind::exited);
  CHECK(ending.code == 1);
  CHECK_THAT(ending.errors, Contains("MemoryError"));
}

TEST_CASE("two at a time do not disturb each other") {
  Ending first, second;
  std::thread other([&] { first = shell("sleep 0.3; echo first"); });
  second = shell("sleep 0.2; echo second");
  other.join();
  CHECK(first.output == "first\n");
  CHECK(second.output == "second\n");
}
