#include "edit/pieces.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <string>

using namespace trtcheck;
using namespace trtcheck::edit;

namespace {

const std::string kOld = "0123456789";

void read_old(std::uint64_t offset, std::span<std::byte> into) {
  std::memcpy(into.data(), kOld.data() + offset, into.size());
}

/// "345ab78"
Pieces some() {
  Pieces made;
  made.copy({3, 2});
  made.copy({5, 1});
  made.copy({9, 0});
  made.add("a");
  made.add("");
  made.add("b");
  made.copy({7, 2});
  return made;
}

std::string part(const Pieces& pieces, std::uint64_t offset, std::size_t count) {
  std::string made(count, '?');
  pieces.read(offset, std::as_writable_bytes(std::span(made)), read_old);
  return made;
}

}  // namespace

TEST_CASE("a new file is ranges of the old one and new bytes") {
  const Pieces pieces = some();
  CHECK(pieces.all().size() == 3);
  CHECK(pieces.size() == 7);
  CHECK(pieces.content(read_old) == "345ab78");
  CHECK(part(pieces, 0, 3) == "345");
  CHECK(part(pieces, 2, 4) == "5ab7");
  CHECK(part(pieces, 6, 1) == "8");
  CHECK(part(pieces, 7, 0).empty());
  CHECK(Pieces{}.content(read_old).empty());
}

TEST_CASE("ranges that follow each other are one, bytes between them keep them apart") {
  Pieces apart;
  apart.copy({3, 2});
  apart.copy({6, 2});
  CHECK(apart.all().size() == 2);
  Pieces both = some();
  both.add(apart);
  CHECK(both.content(read_old) == "345ab783467");
}

TEST_CASE("where a range of the new file was") {
  Pieces pieces = some();
  pieces.copy({Pieces::kOtherFiles + 4, 5});
  struct Row {
    ByteRange range;
    std::optional<std::uint64_t> at;
  };
  const Row rows[] = {
      {{0, 3}, 3}, {{1, 1}, 4}, {{5, 2}, 7}, {{0, 0}, {}}, {{2, 2}, {}}, {{3, 1}, {}}, {{7, 1}, {}}, {{12, 1}, {}},
  };
  for (const Row& row : rows) {
    INFO(row.range.offset << ", " << row.range.length);
    const std::optional<ByteRange> old = pieces.old_range(row.range);
    REQUIRE(old.has_value() == row.at.has_value());
    if (!old) continue;
    CHECK(old->offset == *row.at);
    CHECK(old->length == row.range.length);
  }
}

TEST_CASE("pieces of a file that is itself made of pieces") {
  const Pieces below = some();
  Pieces above;
  above.add("<");
  above.copy({1, 5});
  above.add(">");
  above.copy({0, 1});
  above.copy({4, 1});
  CHECK(above.over(below).content(read_old) == "<45ab7>3b");
  Pieces other;
  other.copy({Pieces::kOtherFiles, 3});
  const Pieces kept = other.over(below);
  REQUIRE(kept.all().size() == 1);
  CHECK(kept.all()[0].from == Pieces::kOtherFiles);
}
