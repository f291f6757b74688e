// What is known of names beyond their ranges: multiples, limits, meanings, and ranges of expressions.
#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <vector>

#include <trtcheck/dim.hpp>

using trtcheck::Dim;
using trtcheck::DimTable;
using trtcheck::Interval;
using trtcheck::Origin;
using trtcheck::Truth;

TEST_CASE("a multiple divides, and prints as its name", "[dims]") {
  DimTable table;
  table.set_multiple("S", 8);
  const Dim s = table.symbol("S");
  const Dim n = table.symbol("N");
  CHECK(table.text(s) == "S");
  CHECK(table.text(table.mul(table.mul(s, s), n)) == "N*S*S");
  CHECK(table.text(table.add(table.mul(s, table.literal(3)), table.literal(1))) == "3*S + 1");
  CHECK(table.divides(table.literal(8), table.mul(n, s)) == Truth::yes);
  CHECK(table.divides(table.literal(16), s) == Truth::unknown);
  CHECK(table.divides(table.literal(8), table.add(s, table.literal(3))) == Truth::no);
  const Dim half = table.floor_div(s, table.literal(2));
  CHECK(table.mul(half, table.literal(2)).same(s));
  CHECK(table.text(half) == "floor(S/2)");
  CHECK(table.text(table.floor_div(s, table.literal(8))) == "floor(S/8)");
  CHECK(table.text(table.floor_div(s, table.literal(16))) == "floor(S/16)");
  CHECK(table.bounds(s).low == 8);
  CHECK(table.symbols(half) == std::vector<std::string_view>{"S"});
  const std::vector<DimTable::Binding> sixteen{{"S", 16}};
  CHECK(table.evaluate(half, sixteen) == 8);
  const std::vector<DimTable::Binding> seven{{"S", 7}};
  CHECK_FALSE(table.evaluate(half, seven));
}

TEST_CASE("factors add up, and a range with one multiple is a number", "[dims]") {
  DimTable table;
  table.set_multiple("A", 4);
  table.set_multiple("A", 6);
  CHECK(table.divides(table.literal(12), table.symbol("A")) == Truth::yes);
  table.set_multiple("B", 8);
  table.limit("B", {5, 12});
  CHECK(table.symbol("B").is(8));
  table.set_multiple("C", 8);
  table.limit("C", {1, 7});
  CHECK(table.bounds(table.symbol("C")) == Interval{1, 7});
}

TEST_CASE("limits lie in the range that a symbol gets", "[dims]") {
  DimTable table;
  table.limit("N", {0, 512});
  table.limit("N", {3, 900});
  CHECK(table.bounds(table.symbol("N", {1, Interval::kMax})) == Interval{3, 512});
  table.limit("M", {Interval::kMin, 9});
  CHECK(table.bounds(table.symbol("M", {0, Interval::kMax})) == Interval{0, 9});
}

TEST_CASE("a name stands for an expression", "[dims]") {
  DimTable table;
  const Dim past = table.symbol("past");
  const Dim seq = table.symbol("seq");
  const Dim zero = table.sub(table.symbol("total"), table.add(past, seq));
  const auto total = table.solved_for("total", zero);
  REQUIRE(total);
  CHECK(table.text(*total) == "past + seq");
  table.define("total", *total);
  CHECK(table.symbol("total").same(table.add(past, seq)));
  CHECK(table.parse("total - seq").same(past));
  table.define("later", table.mul(past, seq));
  CHECK(table.text(table.symbol("later")) == "past*seq");
}

TEST_CASE("what cannot be solved for a name", "[dims]") {
  DimTable table;
  const Dim n = table.symbol("N");
  const Dim m = table.symbol("M");
  CHECK_FALSE(table.solved_for("N", table.sub(table.mul(n, table.literal(2)), m)));
  CHECK(table.text(*table.solved_for("M", table.sub(table.mul(n, table.literal(2)), m))) == "2*N");
  CHECK_FALSE(table.solved_for("N", table.sub(table.mul(n, n), m)));
  CHECK_FALSE(table.solved_for("N", table.add(n, table.floor_div(n, table.literal(2)))));
  CHECK_FALSE(table.solved_for("Z", n));
  CHECK_FALSE(table.solved_for("N", table.literal(3)));
}

TEST_CASE("another dim in place of a name", "[dims]") {
  DimTable table;
  const Dim n = table.symbol("N");
  const Dim m = table.symbol("M");
  const Dim in = table.add(table.mul(n, n), table.floor_div(table.add(n, m), table.literal(2)));
  CHECK(table.replaced(in, "N", table.literal(3))
            .same(table.add(table.literal(9), table.floor_div(table.add(m, table.literal(3)), table.literal(2)))));
  CHECK(table.replaced(in, "Z", table.literal(3)).same(in));
  CHECK(table.replaced(table.max(n, m), "N", m).same(m));
}

TEST_CASE("the range of an expression", "[dims]") {
  DimTable table;
  const Dim sum = table.add(table.symbol("a"), table.symbol("b"));
  CHECK(table.bounds(sum) == Interval{2, Interval::kMax});
  table.narrow(sum, {0, 512});
  CHECK(table.bounds(sum) == Interval{2, 512});
  const Dim apart = table.sub(table.symbol("t"), table.symbol("p"));
  table.narrow(apart, {1, Interval::kMax});
  CHECK(table.less_equal(table.symbol("p"), table.symbol("t")) == Truth::yes);
  CHECK(table.equal(table.symbol("p"), table.symbol("t")) == Truth::no);
  CHECK(table.less_equal(table.symbol("t"), table.symbol("p")) == Truth::no);
  CHECK(table.less_equal(table.symbol("t"), table.symbol("a")) == Truth::unknown);
}

TEST_CASE("names of unknowns", "[dims]") {
  DimTable table;
  const Dim unknown = table.unknown({.node = 3, .reason = "data"}, {0, 80});
  const Dim twice = table.add(table.mul(unknown, table.literal(2)), table.literal(1));
  const std::vector<Origin> origins = table.origins(twice);
  REQUIRE(origins.size() == 1);
  CHECK(origins[0].range == Interval{0, 80});
  CHECK(table.text(twice) == "2*? + 1");
  CHECK(table.text(twice, {{origins[0].number, "nonzero_1"}}) == "2*nonzero_1 + 1");
  CHECK(table.text(twice, {{origins[0].number + 1, "other"}}) == "2*? + 1");
}

TEST_CASE("expressions over names that are no words", "[dims]") {
  DimTable table;
  const std::vector<std::string_view> names{"batch", "batch-size", "N"};
  const auto read = table.expression("2*batch-size + N", names);
  REQUIRE(read);
  CHECK(table.symbols(*read) == std::vector<std::string_view>{"N", "batch-size"});
  CHECK_FALSE(table.expression("2 +", names));
  CHECK_FALSE(table.expression("", names));
  CHECK(table.expression("12", names)->is(12));
  CHECK(table.symbols(*table.expression("batches", names)) == std::vector<std::string_view>{"batches"});
}
