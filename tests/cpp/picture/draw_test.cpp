// The SVG: what it says of the graph, and that no text of a model gets out of its place.
#include <catch2/catch.hpp>

#include <string>

#include <trtcheck/picture.hpp>

#include "picture/boxes.hpp"
#include "text/printable.hpp"

using namespace trtcheck;
using namespace trtcheck::picture;
using Catch::Matchers::Contains;
using Kind = Neighbourhood::Kind;
using Role = Neighbourhood::Role;

namespace {

/// x -> Reshape (culprit) -> Conv (victim) -> y, and more
Neighbourhood sample(const std::string& name = "conv", const std::string& type = "FLOAT[N,4,H,W]") {
  Neighbourhood made;
  made.nodes = {{Kind::input, Role::plain, "", "x"},      {Kind::node, Role::culprit, "Reshape", "view"},
                {Kind::node, Role::victim, "Conv", name}, {Kind::initializer, Role::plain, "", "w"},
                {Kind::output, Role::plain, "", "y"},     {Kind::more, Role::plain, "", "12 more"}};
  made.edges = {{0, 1, "x", type, false},
                {1, 2, "r", "FLOAT[N,?,H,W]", true},
                {3, 2, "w", "FLOAT[8,2,3,3]", false},
                {2, 4, "y", "FLOAT[N,8,H,W]", false},
                {2, 5, "y", "FLOAT[N,8,H,W]", false}};
  return made;
}

std::size_t count(std::string_view text, std::string_view word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a picture names nodes, types and marks, in words as well as in colour") {
  const std::string svg = draw(sample());
  for (const char* const text :
       {">Conv</text>", ">conv</text>", ">found here</text>", ">comes from here</text>", ">FLOAT[N,?,H,W]</text>",
        ">FLOAT[8,2,3,3]</text>", ">input</text>", ">output</text>", ">constant</text>", ">12 more</text>",
        "role=\"img\"", "The finding is about Conv `conv`.", "It comes from Reshape `view`.",
        "gives FLOAT[N,?,H,W] to Conv `conv`."}) {
    CHECK_THAT(svg, Contains(text));
  }
  CHECK(count(svg, "trtcheck-victim\"") == 1);
  CHECK(count(svg, "trtcheck-culprit\"") == 1);
  CHECK(count(svg, ">FLOAT[N,8,H,W]</text>") == 1);  // one tensor, two readers
  CHECK_THAT(draw(sample(), {.title = "why <this>"}), Contains("<title>why &lt;this&gt;</title>"));
}

TEST_CASE("small tensors of sizes show their contents, in a box of their own or in that of a constant") {
  Neighbourhood made = sample();
  made.edges[1].contents = "[N,-1,H,W]";
  made.edges[2].contents = "[8,2]";
  const std::string svg = draw(made);
  for (const char* const text :
       {">= [N,-1,H,W]</text>", ">= [8,2]</text>", "<title>r: FLOAT[N,?,H,W] = [N,-1,H,W]</title>",
        "gives FLOAT[N,?,H,W] = [N,-1,H,W] to Conv `conv`."}) {
    CHECK_THAT(svg, Contains(text));
  }
  CHECK_THAT(draw(sample()), !Contains(">= "));
}

TEST_CASE("a node that somebody wants to see is not called a failure") {
  const std::string svg = draw(sample(), {.title = {}, .standalone = true, .is_finding = false});
  CHECK_THAT(svg, Contains(">here</text>") && !Contains("found here") && !Contains("The finding is"));
}

TEST_CASE("a page colours its pictures, a file has colours of its own") {
  CHECK_THAT(draw(sample()), Contains("prefers-color-scheme:dark"));
  CHECK_THAT(draw(sample(), {.title = {}, .standalone = false}), !Contains("<style"));
}

TEST_CASE("no text of a model gets out of its place") {
  for (const std::string& name :
       {std::string("</text><script>alert(1)</script>"), std::string("\" onload=\"x"), std::string("a\x01\xff\xc2\x9b"),
        std::string("<TABLE><TR><TD>&amp;</TD></TR></TABLE>"), std::string("\\N \\G }; digraph { a -> b"),
        std::string("\xef\xbf\xbf\xe2\x80\xae"), std::string(1'000'000, '<')}) {
    const std::string svg = draw(sample(name, name), {.title = name});
    CHECK(count(svg, "<script") == 0);
    CHECK(count(svg, "onload=\"") == 0);
    CHECK(count(svg, "<TABLE") == 0);
    CHECK(svg.find('\x01') == std::string::npos);
    CHECK(svg.find('\xff') == std::string::npos);
    CHECK(svg.size() < 60'000);
    CHECK(count(svg, "<text") == count(svg, "</text>"));
    CHECK(count(svg, "<text") == count(draw(sample()), "<text"));
  }
}

TEST_CASE("nothing to draw") { CHECK(draw({}).empty()); }

TEST_CASE("long names lose their middle") {
  struct Case {
    std::string text;
    std::size_t columns;
    std::string expected;
  };
  const std::string kanji = "\xe6\xbc\xa2";
  const std::string gap = "\xe2\x80\xa6";
  const Case cases[] = {
      {"short", 10, "short"},
      {"/encoder/layers.10/self_attn/MatMul_3", 20, "/encode" + gap + "ttn/MatMul_3"},
      {kanji + kanji + kanji + kanji, 7, kanji + gap + kanji + kanji},
      {"abcdef", 3, gap + "ef"},
  };
  for (const Case& c : cases) {
    CHECK(shorten(c.text, c.columns) == c.expected);
    CHECK(display_width(shorten(c.text, c.columns)) <= c.columns);
  }
}

TEST_CASE("long types break between dims") {
  Neighbourhood shown = sample();
  shown.edges[3].type = shown.edges[4].type = "FLOAT[batch,4,floor((height + 1)/2),min(a,b),floor((width + 1)/2)]";
  CHECK_THAT(draw(shown), Contains(">FLOAT[batch,4,floor((height + 1)/2),</text>") &&
                              Contains(">min(a,b),floor((width + 1)/2)]</text>"));
}

TEST_CASE("the full name stands where the short one is pointed at") {
  const std::string name = "/encoder/layers.10/self_attn/a_name_that_does_not_fit/MatMul_3";
  const std::string svg = draw(sample(name));
  CHECK_THAT(svg, Contains("<title>Conv " + name + "</title>") && !Contains(">" + name + "</text>"));
}
