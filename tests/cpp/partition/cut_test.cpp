// The published rules by which a row of nodes is cut, over numbers alone.
#include <catch2/catch.hpp>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "partition/cut.hpp"

namespace trtcheck::partitioning {
namespace {

/// One letter for each node of a chain: `.` is accepted, `x` refused by the parser, `-` left out by the provider.
std::vector<Verdict> verdicts_of(const std::string& letters) {
  std::vector<Verdict> made;
  for (const char letter : letters) {
    made.push_back(letter == '.' ? Verdict::accepted : letter == 'x' ? Verdict::refused : Verdict::excluded);
  }
  return made;
}

/// Each node reads the one before it.
Line chain(std::size_t count, const std::vector<std::string>& names) {
  Line line;
  line.order.resize(count);
  std::iota(line.order.begin(), line.order.end(), 0U);
  line.followers.resize(count);
  for (std::uint32_t i = 0; i + 1 < count; ++i) line.followers[i] = {i + 1};
  for (std::size_t i = 0; i < count; ++i) line.names.emplace_back(names[i]);
  return line;
}

std::vector<std::string> numbered(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format("n{}", i));
  return names;
}

/// "0-1 3!": positions of each piece, and a mark for one that does not run.
std::string told(const Cut& made) {
  std::string text;
  for (const CutPiece& piece : made.pieces) {
    constexpr std::string_view kMarks = " <o!#";  // runs, too_small, in_cycle, with_refused, gave_up
    const char mark = kMarks[static_cast<std::size_t>(piece.fate)];
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", fmt::join(piece.positions, "-"),
                        mark == ' ' ? "" : std::string(1, mark));
  }
  return text;
}

std::string cut_text(const std::string& letters, const CutRules& rules) {
  const std::vector<std::string> names = numbered(letters.size());
  return told(cut(chain(letters.size(), names), verdicts_of(letters), rules));
}

TEST_CASE("a chain is cut at each node that is refused or left out") {
  struct Row {
    std::string letters, parser, tensorrt, rtx;
  };
  const Row rows[] = {
      {"....", "0-1-2-3", "0-1-2-3", "0-1-2-3"},
      {"x...", "1-2-3", "1-2-3", "1-2-3!"},
      {".x..", "0 2-3", "0 2-3", "0! 2-3!"},
      {"..x.", "0-1 3", "0-1 3", "0-1! 3!"},
      {"...x", "0-1-2", "0-1-2", "0-1-2!"},
      {".xx.", "0 3", "0 3", "0! 3!"},
      {"xxxx", "", "", ""},
      // What the provider leaves out does not keep TensorRT-RTX from the rest.
      {".-..", "0 2-3", "0 2-3", "0 2-3"},
      {".-.x.", "0 2 4", "0 2 4", "0 2! 4!"},
      {"", "", "", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.letters);
    CHECK(cut_text(row.letters, {.provider = Provider::parser}) == row.parser);
    CHECK(cut_text(row.letters, {.provider = Provider::tensorrt}) == row.tensorrt);
    CHECK(cut_text(row.letters, {.provider = Provider::rtx}) == row.rtx);
  }
}

TEST_CASE("small pieces are left out, and the piece after one is not looked at") {
  struct Row {
    std::string letters;
    std::size_t least;
    std::string tensorrt;
    bool reads_past_end;
  };
  const Row rows[] = {
      {"..x.", 1, "0-1 3", false},    {"..x.", 2, "0-1 3<", true},
      {".x..", 2, "0< 2-3", false},   {".x.x..", 2, "0< 2 4-5", false},  // the second one is not looked at
      {".x.x.", 2, "0< 2 4<", true},                                     // the third one is
      {"..x..", 2, "0-1 3-4", false}, {"..x..", 3, "0-1< 3-4", false},
      {"....", 4, "0-1-2-3", false},  {"....", 5, "0-1-2-3<", true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.letters, row.least);
    const std::vector<std::string> names = numbered(row.letters.size());
    const Cut made = cut(chain(row.letters.size(), names), verdicts_of(row.letters),
                         {.provider = Provider::tensorrt, .least_nodes = row.least});
    CHECK(told(made) == row.tensorrt);
    CHECK(made.reads_past_end == row.reads_past_end);
  }
  // The parser knows no minimal size, TensorRT-RTX's provider walks on correctly.
  CHECK(cut_text(".x.", {.provider = Provider::parser, .least_nodes = 9}) == "0 2");
  CHECK(cut_text(".-.-..", {.provider = Provider::rtx, .least_nodes = 2}) == "0< 2< 4-5");
}

TEST_CASE("a provider gives up after too many calls of the parser") {
  const CutRules enough{.provider = Provider::tensorrt, .most_iterations = 3};
  CHECK(cut_text(".x.x.", enough) == "0 2 4");
  CHECK(cut_text(".x.x.x.", enough) == "0# 2# 4# 6#");
  CHECK(cut_text(".x.x.x.", {.provider = Provider::parser, .most_iterations = 3}) == "0 2 4 6");
  // Each run between nodes that are left out is counted for itself.
  CHECK(cut_text(".x.-.x.", {.provider = Provider::tensorrt, .most_iterations = 2}) == "0 2 4 6");
}

TEST_CASE("pieces with nothing needed between them become one") {
  // 0 -> 1 (refused), 0 -> 2: nothing of the engine needs node 1.
  const std::vector<std::string> names = numbered(3);
  Line aside{.order = {0, 1, 2}, .followers = {{1, 2}, {}, {}}, .names = {names.begin(), names.end()}};
  const Cut joined = cut(aside, verdicts_of(".x."), {.provider = Provider::tensorrt});
  CHECK(told(joined) == "0-2");
  CHECK(joined.is_consolidated);
  CHECK(joined.found == 2);
  CHECK(told(cut(aside, verdicts_of(".x."), {.provider = Provider::parser})) == "0 2");
  // A near miss: node 2 reads what node 1 makes.
  aside.followers[1] = {2};
  const Cut apart = cut(aside, verdicts_of(".x."), {.provider = Provider::tensorrt});
  CHECK(told(apart) == "0 2");
  CHECK_FALSE(apart.is_consolidated);
}

TEST_CASE("nodes of one name count as one, which may make a circle") {
  std::vector<std::string> names = numbered(5);
  const std::string letters = "x..-x";
  const Line apart = chain(5, names);
  CHECK(told(cut(apart, verdicts_of(letters), {.provider = Provider::tensorrt})) == "1-2");
  // Node 0 is before the piece, node 4 is after it: as one node they are in a circle with it.
  names[0] = names[4] = "";
  CHECK(told(cut(chain(5, names), verdicts_of(letters), {.provider = Provider::tensorrt})) == "1-2o");
  CHECK(told(cut(chain(5, names), verdicts_of(letters), {.provider = Provider::parser})) == "1-2");
}

}  // namespace
}  // namespace trtcheck::partitioning
