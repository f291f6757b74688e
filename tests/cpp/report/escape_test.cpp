#include "report/escape.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace trtcheck::report;

TEST_CASE("paths become references as RFC 3986 writes them") {
  struct Case {
    std::string path, uri;
  };
  const Case cases[] = {
      {"models/net.onnx", "models/net.onnx"},
      {"a b/net#1.onnx", "a%20b/net%231.onnx"},
      {"100%/net?.onnx", "100%25/net%3F.onnx"},
      {"c:/net.onnx", "c%3A/net.onnx"},  // would read as the scheme `c`
      {"a/b:c.onnx", "a/b:c.onnx"},      // no scheme behind a slash
      {"\xc3\xa9.onnx", "%C3%A9.onnx"},  // é
      {"bad\xff.onnx", "bad%FF.onnx"},   // a file name need not be UTF-8
      {"a\nb\x1b.onnx", "a%0Ab%1B.onnx"},
      {"[a]'\"<>|\\^`{}.onnx", "%5Ba%5D%27%22%3C%3E%7C%5C%5E%60%7B%7D.onnx"},
      {"", ""},
  };
  for (const Case& c : cases) CHECK(uri_path(c.path) == c.uri);
}

TEST_CASE("XML holds only the characters that it may hold") {
  CHECK(xml_escape("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#39;");
  CHECK(xml_escape("]]>") == "]]&gt;");
  CHECK(xml_escape("\x01\x0b\n") == "\\x01\\x0b\\n");
  CHECK(xml_escape("\xef\xbf\xbe|\xef\xbf\xbf") == "\\u{fffe}|\\u{ffff}");
  CHECK(xml_escape("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // a lone surrogate
  CHECK(xml_escape("\xf0\x9f\x98\x80") == "\xf0\x9f\x98\x80");
}

TEST_CASE("nothing in Markdown text has a meaning") {
  CHECK(markdown_escape("a|b") == "a&#124;b");
  CHECK(markdown_escape("</details>") == "&#60;/details&#62;");
  CHECK(markdown_escape("@me #1") == "<code>&#64;</code>me <code>&#35;</code>1");
  CHECK(markdown_escape("www.x.org http://y.org a.b:c $x$") ==
        "www&#46;x.org http&#58;//y.org a.b:c <code>&#36;</code>x<code>&#36;</code>");
  CHECK(markdown_code("`x`") == "<code>&#96;x&#96;</code>");
  CHECK(markdown_prose("`a|b` has 3") == "<code>a&#124;b</code> has 3");
  CHECK(markdown_prose("an odd ` here") == "an odd &#96; here");
  CHECK(markdown_spans("`a|b` *has*") == "`a|b` &#42;has&#42;");
  CHECK(markdown_spans("`` ` ``") == "&#96;&#96; &#96; &#96;&#96;");
}
