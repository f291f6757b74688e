// Three-valued answers, bounds and broadcasting.
#include <catch2/catch.hpp>

#include <trtcheck/dim.hpp>

using trtcheck::Dim;
using trtcheck::DimTable;
using trtcheck::Interval;
using trtcheck::Truth;

namespace {

constexpr auto yes = Truth::yes;
constexpr auto no = Truth::no;
constexpr auto unknown = Truth::unknown;

// Lone numbers in a dim_param are names, so the table below writes literals itself.
Dim read(DimTable& table, std::string_view text) {
  if (text.find_first_not_of("0123456789") == std::string_view::npos)
    return table.literal(std::stoll(std::string(text)));
  return table.parse(text);
}

struct Pair {
  const char* a;
  const char* b;
  Truth equal;
  Truth less_equal;
};

const Pair kPairs[] = {
    {"N", "N", yes, yes},
    {"N", "M", unknown, unknown},
    {"ceil(N/2)", "N - N//2", yes, yes},
    {"N", "N + 1", no, yes},
    {"N + 1", "N", no, no},
    {"2*N", "2*M + 1", no, unknown},
    {"6*N + 3*M", "9*K + 1", no, unknown},
    {"N", "0", no, no},
    {"N", "1", unknown, unknown},
    {"1", "N", unknown, yes},
    {"3", "4", no, yes},
    {"2*((H + 1)//2)", "H", unknown, unknown},
    {"H", "2*((H + 1)//2)", unknown, yes},
    {"2*((H + 1)//2)", "H + 2", no, yes},
    {"2*(H//2) + 2", "H", no, no},
    {"N % 8", "8", no, yes},
    {"min(N, M)", "N", unknown, yes},
    {"min(N, M)", "N + 1", no, yes},
    {"max(N, M)", "M", unknown, unknown},
    {"M", "max(N, M)", unknown, yes},
    {"max(N, M) + 1", "M", no, no},
    {"N*M", "N", unknown, unknown},
    {"2*N*M", "N", no, unknown},
    {"(N + 7)//8*8", "N + 8", no, yes},
    {"4*((H + 3)//4)", "2*((H + 1)//2)", unknown, unknown},
};

struct Division {
  const char* divisor;
  const char* dividend;
  Truth expected;
};

const Division kDivisions[] = {
    {"4", "8*N", yes},         {"4", "8*N + 4*M", yes}, {"2", "2*N + 1", no},
    {"2", "N", unknown},       {"4", "6*N + 1", no},    {"4", "6*N + 2", unknown},
    {"N", "N*M", yes},         {"N", "N*M + N", yes},   {"N", "M", unknown},
    {"N", "0", yes},           {"3", "7", no},          {"3", "9", yes},
    {"0", "0", yes},           {"0", "3", no},          {"0", "N", no},
    {"N + 1", "N*N - 1", yes}, {"2*N", "N*M", unknown}, {"12", "768*N", yes},
    {"1", "N", yes},           {"8", "8*(N//8)", yes},  {"N + 5", "4", no},
    {"5", "N % 4 + 1", no},
};

}  // namespace

TEST_CASE("equal and less_equal say yes, no or unknown") {
  for (const Pair& p : kPairs) {
    DimTable table;
    const Dim a = read(table, p.a);
    const Dim b = read(table, p.b);
    CAPTURE(p.a, p.b);
    CHECK(table.equal(a, b) == p.equal);
    CHECK(table.equal(b, a) == p.equal);
    CHECK(table.less_equal(a, b) == p.less_equal);
  }
}

TEST_CASE("divides says yes, no or unknown") {
  for (const Division& d : kDivisions) {
    DimTable table;
    CAPTURE(d.divisor, d.dividend);
    const Dim divisor = read(table, d.divisor);
    CHECK(table.divides(divisor, read(table, d.dividend)) == d.expected);
  }
}

TEST_CASE("bounds hold what moves together together") {
  struct Case {
    const char* expression;
    Interval expected;
  };
  constexpr std::int64_t kMax = Interval::kMax;
  const Case cases[] = {
      {"N", {2, 10}},         {"N - N//2", {1, 5}},       {"N - 2*(N//2)", {0, 1}},     {"N % 8", {0, 7}},
      {"(10*N) % 4", {0, 2}}, {"min(N, M) - N", {-9, 0}}, {"max(N, M) - N", {0, kMax}}, {"2*N - 3", {1, 17}},
      {"N*M", {2, kMax}},     {"(M - 1)*N", {0, kMax}},   {"(N + 7)//8", {1, 2}},       {"M//N", {0, kMax}},
  };
  for (const Case& c : cases) {
    DimTable table;
    table.set_range("N", {2, 10});
    CAPTURE(c.expression);
    const Interval got = table.bounds(table.parse(c.expression));
    CHECK(got.low <= c.expected.low);
    CHECK(got.high >= c.expected.high);
    if (std::string_view(c.expression) != "(M - 1)*N" && std::string_view(c.expression) != "min(N, M) - N") {
      CHECK(got == c.expected);
    }
  }
}

TEST_CASE("broadcasting never guesses") {
  struct Case {
    const char* a;
    const char* b;
    const char* expected;  // nullptr: cannot be broadcast
  };
  const Case cases[] = {
      {"1", "N", "N"},         {"N", "1", "N"},
      {"N", "N", "N"},         {"3", "3", "3"},
      {"3", "4", nullptr},     {"3", "N", "3"},
      {"N", "3", "3"},         {"0", "N", "0"},
      {"0", "3", nullptr},     {"N", "M", "broadcast(M, N)"},
      {"N + 1", "M", "N + 1"}, {"N + 1", "N + 2", nullptr},
      {"3", "N + 3", nullptr}, {"N + 1", "M + 1", "N + 1"},
  };
  for (const Case& c : cases) {
    DimTable table;
    CAPTURE(c.a, c.b);
    const Dim a = read(table, c.a);
    const auto got = table.broadcast(a, read(table, c.b));
    CHECK(got.has_value() == (c.expected != nullptr));
    if (got && c.expected != nullptr) CHECK(table.text(*got) == c.expected);
  }
}

TEST_CASE("what is joined already changes nothing") {
  DimTable t;
  const Dim n = t.symbol("N");
  const Dim m = t.symbol("M");
  const Dim k = t.symbol("K");
  const Dim both = *t.broadcast(n, m);
  CHECK(t.broadcast(both, n)->same(both));
  CHECK(t.broadcast(m, both)->same(both));
  const Dim all = *t.broadcast(both, k);
  CHECK(t.broadcast(all, both)->same(all));
  CHECK(t.broadcast(*t.broadcast(m, k), all)->same(all));
  CHECK_FALSE(t.broadcast(both, k)->same(both));
  // An expression is no part of it, nor is a multiple.
  CHECK(t.text(*t.broadcast(t.mul(both, t.literal(2)), m)) == "2*broadcast(M, N)");
}

TEST_CASE("a size beside its minimum with another one is that size") {
  DimTable t;
  const Dim n = t.symbol("N");
  const Dim some = t.min(t.literal(128), n);
  CHECK(t.broadcast(some, n)->same(n));
  CHECK(t.broadcast(n, some)->same(n));
  CHECK(t.broadcast(*t.broadcast(some, n), n)->same(n));
  CHECK(t.broadcast(t.min(t.symbol("M"), n), n)->same(n));
  // 0 beside 1 is 0; the larger of two may be more than 1 where one of them is 1.
  const Dim maybe = t.symbol("Z", {0, 5});
  CHECK_FALSE(t.broadcast(t.min(maybe, n), n)->same(n));
  CHECK_FALSE(t.broadcast(t.max(t.symbol("M"), n), n)->same(n));
  // In the range of a profile the minimum is the size itself.
  const Dim short_one = t.symbol("S", {1, 128});
  CHECK(t.min(t.literal(128), short_one).same(short_one));
}

TEST_CASE("a broadcast atom evaluates like numpy") {
  DimTable t;
  const Dim d = *t.broadcast(t.symbol("N"), t.symbol("M"));
  const auto at = [&](std::int64_t n, std::int64_t m) {
    const DimTable::Binding values[] = {{"N", n}, {"M", m}};
    return t.evaluate(d, values);
  };
  CHECK(at(1, 5) == 5);
  CHECK(at(5, 1) == 5);
  CHECK(at(5, 5) == 5);
  CHECK_FALSE(at(2, 5).has_value());
  CHECK(t.broadcast(t.symbol("M"), t.symbol("N"))->same(d));
}

TEST_CASE("division by what may be zero is unknown") {
  DimTable t;
  const Dim n = t.symbol("N");
  const Dim zero = t.symbol("Z", {0, 5});
  for (const Dim divisor : {t.literal(0), zero, t.sub(n, t.literal(1)), t.sub(t.literal(0), n)}) {
    CHECK_FALSE(t.is_exact(t.floor_div(n, divisor)));
    CHECK_FALSE(t.is_exact(t.ceil_div(n, divisor)));
    CHECK_FALSE(t.is_exact(t.mod(n, divisor)));
  }
  CHECK_FALSE(t.is_exact(t.floor_div(t.literal(4), t.literal(0))));
  CHECK_FALSE(t.is_exact(t.mod(t.literal(4), t.literal(0))));
  CHECK(t.text(t.floor_div(n, t.literal(-2))) == "floor(N/2) - N");
  CHECK(t.text(t.ceil_div(n, t.literal(-3))) == "-floor(N/3)");
  CHECK(t.ceil_div(t.literal(-7), t.literal(-2)).is(4));
}

TEST_CASE("what leaves 61 bits becomes an unknown of its own") {
  DimTable t;
  const Dim n = t.symbol("N");
  const Dim huge = t.literal(std::int64_t{1} << 61);
  CHECK(huge.is_literal());
  const Dim over[] = {t.literal((std::int64_t{1} << 61) + 1),
                      t.literal(Interval::kMin),
                      t.add(huge, t.literal(1)),
                      t.mul(huge, t.literal(2)),
                      t.mul(huge, huge),
                      t.mul(t.mul(huge, n), t.literal(2)),
                      t.add(t.mul(huge, n), n)};
  for (const Dim d : over) {
    CHECK_FALSE(t.is_exact(d));
    CHECK_FALSE(t.is_exact(t.add(d, t.literal(1))));
  }
  CHECK(t.equal(t.mul(huge, huge), t.mul(huge, huge)) == unknown);
  CHECK(t.is_exact(t.mul(huge, n)));
  const DimTable::Binding values[] = {{"N", 1000}};
  CHECK_FALSE(t.evaluate(t.mul(huge, n), values).has_value());
  CHECK(t.bounds(t.mul(huge, n)).low == (std::int64_t{1} << 61));
  CHECK(t.bounds(t.mul(huge, t.mul(n, n))).high == Interval::kMax);
  // The sign and that it is large remain.
  CHECK(t.bounds(t.literal(Interval::kMax)).low == (std::int64_t{1} << 61));
  CHECK(t.bounds(t.literal(Interval::kMin)).high == -(std::int64_t{1} << 61));
  CHECK(t.bounds(t.mul(huge, huge)).low == (std::int64_t{1} << 61));
  CHECK(t.bounds(t.mul(huge, t.literal(-8))).high == -(std::int64_t{1} << 61));
  CHECK(t.bounds(t.mul(t.mul(huge, n), t.literal(2))).low >= (std::int64_t{1} << 61));
  CHECK(t.bounds(t.mul(t.mul(huge, n), t.sub(n, t.literal(5)))).low < 0);
}

TEST_CASE("a size against itself, raised to 0 or to 1") {
  DimTable t;
  const Dim a = t.sub(t.symbol("H"), t.literal(5));
  const Dim raised = t.max(a, t.literal(0));
  CHECK(t.broadcast(a, raised)->same(raised));
  CHECK(t.broadcast(raised, a)->same(raised));
  CHECK(t.broadcast(a, t.max(a, t.literal(1)))->same(a));
  // it cannot be 1
  const Dim larger = t.max(a, t.literal(2));
  CHECK(t.broadcast(a, larger)->same(larger));
}
