#include <catch2/catch.hpp>

#include <cstdint>
#include <string_view>

#include "text/fnv.hpp"
#include "text/trimmed.hpp"

using namespace trtcheck;

TEST_CASE("FNV-1a is that of its authors") {
  // Test vectors of draft-eastlake-fnv.
  CHECK(Fnv<std::uint32_t>().add("").value() == 0x811c9dc5U);
  CHECK(Fnv<std::uint32_t>().add("a").value() == 0xe40c292cU);
  CHECK(Fnv<std::uint32_t>().add("foobar").value() == 0xbf9cf968U);
  CHECK(Fnv<std::uint64_t>().add("").value() == 0xcbf29ce484222325U);
  CHECK(Fnv<std::uint64_t>().add("a").value() == 0xaf63dc4c8601ec8cU);
  CHECK(Fnv<std::uint64_t>().add("foobar").value() == 0x85944171f73967e8U);
  CHECK(Fnv<std::uint64_t>().add("foo").add("bar").value() == Fnv<std::uint64_t>().add("foobar").value());
}

TEST_CASE("blanks around a text go, those within stay") {
  CHECK(trimmed("  a b\t\r") == "a b");
  CHECK(trimmed("a") == "a");
  CHECK(trimmed(" \t").empty());
  CHECK(trimmed("").empty());
  CHECK(trimmed("\na\n") == "\na\n");
  CHECK(trimmed("\na\n", " \n") == "a");
}
