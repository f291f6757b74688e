#include "text/printable.hpp"
#include "text/json_text.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <string>

using trtcheck::display_width;
using trtcheck::escape_markup;
using trtcheck::printable;
using trtcheck::shorten;
using trtcheck::shortened;
using trtcheck::valid_utf8;
using trtcheck::with_escapes;
using trtcheck::wrap;

TEST_CASE("names of a hostile model cannot reach the terminal as they are") {
  struct Case {
    std::string text;
    std::string expected;
  };
  const Case cases[] = {
      {"conv_1/x.y", "conv_1/x.y"},
      {"\x1b[31mred\x1b]0;title\x07", "\\x1b[31mred\\x1b]0;title\\x07"},
      {"a\nb\r\tc", "a\\nb\\r\\tc"},
      {std::string("nul\0!", 5), "nul\\x00!"},
      {"\x7f", "\\x7f"},
      {"\xc2\x9b"
       "1m",
       "\\u{9b}1m"},  // one-character CSI
      {"a\xe2\x80\xae"
       "b",
       "a\\u{202e}b"},  // right-to-left override
      {"a\xe2\x80\xa8"
       "b",
       "a\\u{2028}b"},  // line separator
      {"\xef\xbb\xbf", "\\u{feff}"},
      {"\xff\xfe", "\\xff\\xfe"},
      {"\xef\xbf\xbf", "\\u{ffff}"},                 // no character of XML
      {"\xc0\xaf", "\\xc0\\xaf"},                    // overlong
      {"\xed\xa0\x80", "\\xed\\xa0\\x80"},           // surrogate
      {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},  // beyond U+10FFFF
      {"\xe2\x82", "\\xe2\\x82"},                    // cut short
      {"\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80", "\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.expected);
    CHECK(printable(c.text) == c.expected);
  }
}

TEST_CASE("long names are cut at a character") {
  CHECK(printable(std::string(300, 'a'), 10) == "aaaaaaaaaa...");
  CHECK(printable(std::string(10, 'a'), 10) == "aaaaaaaaaa");
  CHECK(printable("ab\xc3\xa9", 3) == "ab...");
}

TEST_CASE("JSON and HTML keep line breaks and lose only what is not UTF-8") {
  CHECK(valid_utf8("a\nb\x1b") == "a\nb\x1b");
  CHECK(valid_utf8("a\xff") == "a\\xff");
  CHECK(with_escapes("{\"a\": 1}\n") == "{\"a\": 1}\n");
  CHECK(with_escapes("\"\u202e\u2028\u0085\u00e9\u7684\"") == "\"\\u202e\\u2028\\u0085\u00e9\u7684\"");
  CHECK(with_escapes("\"\U000e0001\"") == "\"\\udb40\\udc01\"");
}

TEST_CASE("markup holds no text as it is") {
  CHECK(escape_markup("<b onclick='x' id=\"y\">&amp;") == "&lt;b onclick=&#39;x&#39; id=&quot;y&quot;&gt;&amp;amp;");
  CHECK(escape_markup("a\x01\xff") == "a\\x01\\xff");
  CHECK(escape_markup("a&b", 2) == "a&amp;...");
}

TEST_CASE("columns are counted as a terminal shows them") {
  struct Case {
    std::string text;
    std::size_t columns;
  };
  const Case cases[] = {{"", 0},
                        {"abc", 3},
                        {"\xc3\xa9", 1},
                        {"e\xcc\x81", 1},
                        {"\xe6\xbc\xa2\xe5\xad\x97", 4},
                        {"\xf0\x9f\x98\x80", 2},
                        {"\xef\xbc\xa1", 2},
                        {"\xed\x95\x9c", 2}};
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(display_width(c.text) == c.columns);
  }
}

TEST_CASE("lines break at spaces and fit") {
  CHECK(wrap("", 10) == std::vector<std::string>{""});
  CHECK(wrap("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrap("a  b", 10) == std::vector<std::string>{"a b"});
  CHECK(wrap("x unbreakable-word y", 5) == std::vector<std::string>{"x", "unbreakable-word", "y"});
  CHECK(wrap("\xe6\xbc\xa2\xe5\xad\x97 \xe6\xbc\xa2\xe5\xad\x97", 8).size() == 2);  // 4 + 1 + 4 columns
}

TEST_CASE("random bytes come out as valid UTF-8 without controls") {
  const auto seed = std::random_device{}();
  INFO("seed " << seed);
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> byte(0, 255);
  std::uniform_int_distribution<std::size_t> length(0, 40);
  for (int round = 0; round < 5000; ++round) {
    std::string text(length(random), '\0');
    for (char& c : text) c = static_cast<char>(byte(random));
    const std::string shown = printable(text);
    REQUIRE(printable(shown) == shown);
    for (const char c : shown) REQUIRE((static_cast<unsigned char>(c) >= 0x20 && c != 0x7f));
  }
}

TEST_CASE("of very long names the length is told, however often they are cut") {
  const std::string name(5'000'000, 'n');
  CHECK(printable(name, 3) == "nnn... (5000000 bytes)");
  CHECK(shortened(name, 1000) == std::string(1000, 'n') + "... (5000000 bytes)");
  CHECK(printable(shortened(name, 1000), 3) == "nnn... (5000000 bytes)");
  CHECK(shortened(shortened(name, 1000), 3) == "nnn... (5000000 bytes)");
  CHECK(shortened("short", 5) == "short");
  CHECK(shortened("a little long", 8) == "a little...");
  CHECK(shortened(std::string(2000, 'n') + "... (of bytes)", 1) == "n... (2014 bytes)");
  CHECK(shortened("ab\xc3\xa9", 3) == "ab...");           // not inside of a character
  CHECK(shortened("\x80\x80\x80\x80\x80\x80", 4) != "");  // no text at all
  std::string text(2000, 'x');
  shorten(text, 4);
  CHECK(text == "xxxx... (2000 bytes)");
}
