// Past a growth cap an expression is one atom: it still equals itself and still evaluates.
#include <catch2/catch.hpp>

#include <array>
#include <random>
#include <string>
#include <vector>

#include <trtcheck/dim.hpp>

using trtcheck::Dim;
using trtcheck::DimTable;

namespace {

std::vector<std::string> names(std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(std::string("x").append(std::to_string(i)));
  return out;
}

std::vector<DimTable::Binding> bind_all(const std::vector<std::string>& symbols, std::int64_t value) {
  std::vector<DimTable::Binding> out;
  for (const std::string& name : symbols) out.push_back({name, value});
  return out;
}

}  // namespace

TEST_CASE("a sum of 100 symbols is one opaque atom") {
  const auto symbols = names(100);
  DimTable t;
  const auto total = [&] {
    Dim out = t.literal(0);
    for (const std::string& name : symbols) out = t.add(out, t.symbol(name));
    return out;
  };
  const Dim sum = total();
  CHECK(sum.same(total()));
  CHECK(t.is_exact(sum));
  CHECK(t.evaluate(sum, bind_all(symbols, 3)) == 300);
  CHECK(t.bounds(sum).low == 100);
  CHECK(t.symbols(sum).size() == 100);
  CHECK(t.text(sum).find("<expr") != std::string::npos);
  CHECK(t.evaluate(t.floor_div(sum, t.literal(7)), bind_all(symbols, 3)) == 42);
}

TEST_CASE("32 terms are still a sum, the 33rd is not") {
  const auto symbols = names(33);
  DimTable t;
  Dim sum = t.literal(0);
  for (std::size_t i = 0; i < 32; ++i) sum = t.add(sum, t.symbol(symbols[i]));
  CHECK(t.text(sum).find("<expr") == std::string::npos);
  const Dim more = t.add(sum, t.symbol(symbols[32]));
  CHECK(t.text(more).find("<expr") != std::string::npos);
  const Dim less = t.sub(sum, t.symbol(symbols[32]));
  CHECK(t.evaluate(less, bind_all(symbols, 2)) == 62);
  CHECK(t.sub(sum, t.symbol(symbols[0])).same(t.sub(sum, t.symbol(symbols[0]))));
}

TEST_CASE("a product of degree 9 is one opaque atom") {
  DimTable t;
  const Dim n = t.symbol("N");
  Dim power = n;
  for (int i = 1; i < 8; ++i) power = t.mul(power, n);
  CHECK(t.text(power) == "N*N*N*N*N*N*N*N");
  const Dim ninth = t.mul(power, n);
  CHECK(t.text(ninth) == "<expr1>");
  CHECK(ninth.same(t.mul(n, power)));
  const DimTable::Binding two[] = {{"N", 2}};
  CHECK(t.evaluate(ninth, two) == 512);
}

TEST_CASE("a dense product is one opaque atom") {
  const auto symbols = names(16);
  DimTable t;
  Dim a = t.literal(1);
  Dim b = t.literal(1);
  for (std::size_t i = 0; i < 8; ++i) {
    a = t.add(a, t.symbol(symbols[i]));
    b = t.add(b, t.symbol(symbols[i + 8]));
  }
  const Dim product = t.mul(a, b);
  CHECK(product.same(t.mul(b, a)));
  CHECK(t.evaluate(product, bind_all(symbols, 2)) == 17 * 17);
  CHECK(t.sub(product, product).is(0));
}

TEST_CASE("a chain of 5,000 divisions by a symbol ends, is hash-consed and evaluates") {
  DimTable t;
  const Dim n = t.symbol("N");
  const Dim m = t.symbol("M");
  const auto chain = [&] {
    Dim out = m;
    for (int i = 0; i < 5000; ++i) out = t.add(t.floor_div(t.add(out, t.literal(i)), n), m);
    return out;
  };
  const Dim deep = chain();
  CHECK(deep.same(chain()));
  const DimTable::Binding values[] = {{"N", 3}, {"M", 5}};
  std::int64_t expected = 5;
  for (int i = 0; i < 5000; ++i) expected = (expected + i) / 3 + 5;
  CHECK(t.evaluate(deep, values) == expected);
  CHECK(t.text(deep).size() < 4000);
  CHECK(t.symbols(deep).size() == 2);
}

TEST_CASE("what is shared inside again and again prints short") {
  DimTable t;
  Dim level = t.symbol("N");
  for (int depth = 0; depth < 7; ++depth) {
    Dim sum = t.literal(0);
    for (int i = 0; i < 30; ++i) {
      sum = t.add(sum, t.floor_div(t.add(level, t.literal(i)), t.add(t.symbol("M"), t.literal(i))));
    }
    level = sum;
  }
  CHECK(t.text(level).size() < 20'000);
  const DimTable::Binding values[] = {{"N", 3}, {"M", 5}};
  CHECK(t.evaluate(level, values).has_value());
  CHECK(t.symbols(level).size() == 2);
}

TEST_CASE("hostile texts are one name") {
  DimTable t;
  // The whole text is the name; printed it is cut.
  const auto is_one_name = [&](const std::string& text) {
    const Dim dim = t.parse(text);
    const auto symbols = t.symbols(dim);
    CHECK(t.text(dim).size() < 300);
    return symbols.size() == 1 && symbols[0] == text;
  };
  const std::string nested = std::string(400, '(') + "N" + std::string(400, ')');
  CHECK(is_one_name(nested));
  std::string deep = "N";
  for (int i = 0; i < 100; ++i) deep.insert(0, "floor(").append("/2)");
  CHECK(is_one_name(deep));
  std::string long_sum = "N";
  for (int i = 0; i < 1000; ++i) long_sum += " + N";
  CHECK(is_one_name(long_sum));
  CHECK(t.text(t.parse(std::string(100, '-') + "N")) == "N");
}

TEST_CASE("random texts are read or kept as a name, and never twice differently") {
  const std::array<const char*, 24> pieces{"N",      "M1",    "s0",  "0",   "1", "7",    "2305843009213693952",
                                           " ",      "+",     "-",   " - ", "*", "**",   "/",
                                           "//",     "%",     "(",   ")",   ",", "max(", "Min(",
                                           "floor(", "ceil(", "\xff"};
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  CAPTURE(seed);
  DimTable t;
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (auto length = random() % 12U; length > 0; --length) text += pieces[random() % pieces.size()];
    const Dim dim = t.parse(text);
    if (t.is_exact(dim) && !t.parse(text).same(dim)) FAIL_CHECK(text);
    CHECK_NOTHROW(t.text(dim));
  }
}
