// Several releases in one text.
#include <catch2/catch.hpp>

#include <string>

#include <trtcheck/error.hpp>
#include <trtcheck/target.hpp>

using namespace trtcheck;

namespace {

std::string newest() { return to_string(known_releases().back()); }
std::string newest_rtx() { return to_string(known_rtx_releases().back()); }

/// "8.4 8.5 8.6", of many "first .. last (count)"; what is wrong with them.
std::string parsed(std::string_view text) {
  try {
    const std::vector<TrtVersion> releases = parse_releases(text);
    if (releases.size() > 3) {
      return to_string(releases.front()) + " .. " + to_string(releases.back()) + " (" +
             std::to_string(releases.size()) + ")";
    }
    std::string out;
    for (const TrtVersion release : releases) out += (out.empty() ? "" : " ") + to_string(release);
    return out;
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a text names releases") {
  struct Row {
    std::string text, releases;
  };
  const std::size_t known = known_releases().size(), rtx = known_rtx_releases().size();
  const Row rows[] = {
      {"10.13", "10.13"},
      {"10.13.2", "10.13"},
      {"latest", newest()},
      {"rtx-1.6", "rtx-1.6"},
      {"8.4..8.6", "8.4 8.5 8.6"},
      {"8.4.3..8.6.1", "8.4 8.5 8.6"},
      {"8.6..8.6", "8.6"},
      {"..8.2", "8.0 8.2"},
      {newest() + "..", newest()},
      {"latest..", newest()},
      {"8.0..latest", "8.0 .. " + newest() + " (" + std::to_string(known) + ")"},
      {"rtx-1.5..rtx-1.6", "rtx-1.5 rtx-1.6"},
      {"rtx-1.7..", "rtx-1.7"},
      {"..rtx-1.5", "rtx-1.4 rtx-1.5"},
      {"all", "8.0 .. " + newest_rtx() + " (" + std::to_string(known + rtx) + ")"},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK(parsed(row.text) == row.releases);
  }
}

TEST_CASE("a text names no releases") {
  struct Row {
    std::string text, error;
  };
  const Row rows[] = {
      {"", "target: no release is named; there are releases such as 10.13, ranges such as 8.6..10.13, and `all`"},
      {"..", "target: `..` is no range of releases such as 8.6..10.13, did you mean `all`?"},
      {"all..", "target: `all..` is no range of releases such as 8.6..10.13, did you mean `all`?"},
      {"10.0..9.0", "target: `10.0..9.0` runs backwards, did you mean `9.0..10.0`?"},
      {"8.6...9", "target: `8.6...9` is no range of releases such as 8.6..10.13, did you mean `8.6..9.0`?"},
      {"8.6..10.1..", "target: `8.6..10.1..` is no range of releases such as 8.6..10.13, did you mean `8.6..10.1`?"},
      {"8.6..x",
       "target: `8.6..x`: `x` is no TensorRT release such as 10.13 or rtx-1.7, or latest, did you mean `8.6..`?"},
      {"8.7..10.1",
       "target: `8.7..10.1`: no facts about TensorRT 8.7 are known, the nearest known release is 8.6 (of 8.0 to " +
           newest() + "), did you mean `8.6..10.1`?"},
      {"10.1..rtx-1.6",
       "target: `10.1..rtx-1.6`: a range is of TensorRT or of TensorRT-RTX, not of both: `10.1..` or `rtx-1.6..`"},
      {"rtx-1.5..rtx-9.9",
       "target: `rtx-1.5..rtx-9.9`: no facts about TensorRT-RTX `rtx-9.9` are known, of it there "
       "are rtx-1.4, rtx-1.5, rtx-1.6, rtx-1.7, did you mean `rtx-1.5..rtx-1.7`?"},
      {"rtx-1.7..1",
       "target: `rtx-1.7..1`: `1` is no TensorRT release such as 10.13 or rtx-1.7, or latest, did you mean "
       "`rtx-1.7..`?"},
      {"al", "target: `al` is no release, no range and not all, did you mean `all`?"},
      {"8.6,10.1", "target: `8.6,10.1` is no TensorRT release such as 10.13 or rtx-1.7, or latest"},
      {"9.9",
       "target: no facts about TensorRT 9.9 are known, the nearest known release is 9.3 (of 8.0 to " + newest() + ")"},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK(parsed(row.text) == row.error);
  }
}

TEST_CASE("one release is asked for and several are named") {
  CHECK_THROWS_WITH(parse_release("8.4..8.6"),
                    "target: `8.4..8.6` is 3 releases, a check is for one; `trtcheck matrix` accepts several");
  CHECK_THROWS_WITH(parse_release("all"), Catch::Matchers::Contains("`trtcheck matrix` accepts several"));
  CHECK_THROWS_WITH(parse_release("9.0..8.6"), Catch::Matchers::Contains("did you mean `8.6..9.0`?"));
}
