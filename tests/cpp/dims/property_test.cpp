// Random expressions, each also computed directly: no wrong value, no value outside the bounds.
#include <catch2/catch.hpp>

#include <array>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <trtcheck/dim.hpp>

#include "dims/checked.hpp"

using trtcheck::Dim;
using trtcheck::DimTable;
using trtcheck::Interval;
using trtcheck::Truth;

namespace {

constexpr int kTables = 2000;
constexpr int kExpressions = 100;
constexpr std::size_t kSamples = 3;
constexpr std::array<const char*, 4> kNames{"A", "B", "C", "D"};

using Value = std::optional<std::int64_t>;

struct Expression {
  Dim dim;
  std::array<Value, kSamples> values;  // nothing: too large, or not defined for this sample
};

enum class Operation { add, sub, mul, floor_div, ceil_div, mod, min, max, broadcast };

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {
    for (const char* name : kNames) {
      const std::int64_t low = pick(1, 6);
      const std::int64_t high = pick(0, 2) == 0 ? Interval::kMax : low + pick(0, 40);
      Expression symbol{table.symbol(name, {low, high}), {}};
      for (std::size_t i = 0; i < kSamples; ++i) {
        const std::int64_t value = pick(low, high == Interval::kMax ? low + 100 : high);
        symbol.values[i] = value;
        bindings[i].push_back({name, value});
      }
      pool.push_back(symbol);
    }
  }

  std::int64_t pick(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }

  Expression operand() {
    if (pick(0, 3) == 0) {
      Expression literal{{}, {}};
      const std::int64_t value = pick(-9, 12);
      literal.dim = table.literal(value);
      literal.values.fill(value);
      return literal;
    }
    return pool[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(pool.size()) - 1))];
  }

  // Nothing when the operation is not defined (a divisor that may be zero, sizes that cannot broadcast).
  std::optional<Expression> next() {
    const Expression a = operand();
    const Expression b = operand();
    const auto operation = static_cast<Operation>(pick(0, 8));
    const bool is_division =
        operation == Operation::floor_div || operation == Operation::ceil_div || operation == Operation::mod;
    if (is_division && table.bounds(b.dim).low < 1) return std::nullopt;
    const std::optional<Dim> made = symbolic(operation, a.dim, b.dim);
    Expression out{made.value_or(Dim{}), {}};
    for (std::size_t i = 0; i < kSamples; ++i) {
      if (a.values[i] && b.values[i]) out.values[i] = direct(operation, *a.values[i], *b.values[i]);
    }
    if (made) return out;
    for (const Value& value : out.values) CHECK_FALSE(value.has_value());
    return std::nullopt;
  }

  std::optional<Dim> symbolic(Operation operation, Dim a, Dim b) {
    switch (operation) {
      case Operation::add:
        return table.add(a, b);
      case Operation::sub:
        return table.sub(a, b);
      case Operation::mul:
        return table.mul(a, b);
      case Operation::floor_div:
        return table.floor_div(a, b);
      case Operation::ceil_div:
        return table.ceil_div(a, b);
      case Operation::mod:
        return table.mod(a, b);
      case Operation::min:
        return table.min(a, b);
      case Operation::max:
        return table.max(a, b);
      case Operation::broadcast:
        break;
    }
    return table.broadcast(a, b);
  }

  static Value direct(Operation operation, std::int64_t a, std::int64_t b) {
    Value out;
    switch (operation) {
      case Operation::add:
        out = trtcheck::checked_add(a, b);
        break;
      case Operation::sub:
        out = trtcheck::checked_sub(a, b);
        break;
      case Operation::mul:
        out = trtcheck::checked_mul(a, b);
        break;
      case Operation::floor_div:
        out = floor_of(a, b);
        break;
      case Operation::ceil_div:
        out = -floor_of(-a, b);
        break;
      case Operation::mod:
        out = a - b * floor_of(a, b);
        break;
      case Operation::min:
        out = std::min(a, b);
        break;
      case Operation::max:
        out = std::max(a, b);
        break;
      case Operation::broadcast:
        if (a == 1 || a == b)
          out = b;
        else if (b == 1)
          out = a;
        break;
    }
    constexpr std::int64_t kLarge = std::int64_t{1} << 40;
    return out && *out > -kLarge && *out < kLarge ? out : std::nullopt;
  }

  static std::int64_t floor_of(std::int64_t a, std::int64_t b) {
    std::int64_t q = a / b;
    while (q * b > a) --q;
    return q;
  }

  DimTable table;
  std::array<std::vector<DimTable::Binding>, kSamples> bindings;
  std::vector<Expression> pool;

 private:
  std::mt19937_64 random_;
};

struct Tally {
  std::size_t compared = 0;
  std::size_t reread = 0;
  std::size_t reread_otherwise = 0;
  std::size_t wrong = 0;
  std::size_t outside = 0;
  std::size_t wrong_answers = 0;
};

void compare(Generator& g, const Expression& e, Tally& tally) {
  const Interval bounds = g.table.bounds(e.dim);
  for (std::size_t i = 0; i < kSamples; ++i) {
    if (!e.values[i]) continue;
    const std::int64_t expected = *e.values[i];
    if (expected < bounds.low || expected > bounds.high) {
      ++tally.outside;
      UNSCOPED_INFO("outside its bounds: " << g.table.text(e.dim) << " = " << expected);
    }
    const Value got = g.table.evaluate(e.dim, g.bindings[i]);
    if (!got) continue;
    ++tally.compared;
    if (*got == expected) continue;
    ++tally.wrong;
    UNSCOPED_INFO("wrong: " << g.table.text(e.dim) << " gives " << *got << " instead of " << expected);
  }
}

// What is printed reads back as the same dim, unless it holds an atom that has no spelling in a file.
void reread(Generator& g, const Expression& e, Tally& tally) {
  const std::string text = g.table.text(e.dim);
  const bool has_spelling =
      text.find_first_of("<.?") == std::string::npos && text.find("broadcast") == std::string::npos;
  if (e.dim.is_literal() || !has_spelling || text.size() > 1000) return;
  ++tally.reread;
  if (g.table.parse(text).same(e.dim)) return;
  ++tally.reread_otherwise;
  UNSCOPED_INFO("reads back as " << g.table.text(g.table.parse(text)) << ": " << text);
}

void question(Generator& g, const Expression& a, const Expression& b, Tally& tally) {
  const Truth equal = g.table.equal(a.dim, b.dim);
  const Truth less_equal = g.table.less_equal(a.dim, b.dim);
  const Truth divides = g.table.divides(b.dim, a.dim);
  for (std::size_t i = 0; i < kSamples; ++i) {
    if (!a.values[i] || !b.values[i]) continue;
    const std::int64_t x = *a.values[i];
    const std::int64_t y = *b.values[i];
    const auto is_wrong = [](Truth answer, bool truth) { return answer == (truth ? Truth::no : Truth::yes); };
    const bool is_multiple = y == 0 ? x == 0 : x % y == 0;
    if (is_wrong(equal, x == y) || is_wrong(less_equal, x <= y) || is_wrong(divides, is_multiple)) {
      ++tally.wrong_answers;
      UNSCOPED_INFO("wrong answer: " << g.table.text(a.dim) << " = " << x << " and " << g.table.text(b.dim) << " = "
                                     << y);
    }
  }
}

}  // namespace

TEST_CASE("200,000 random expressions have no wrong value") {
  const char* const wished = std::getenv("TRTCHECK_SEED");
  const std::uint64_t seed = wished != nullptr ? std::stoull(wished) : std::random_device{}();
  Tally tally;
  std::size_t made = 0;
  for (int table = 0; table < kTables; ++table) {
    Generator g(seed + static_cast<std::uint64_t>(table));
    for (int i = 0; i < kExpressions;) {
      const auto e = g.next();
      if (!e) continue;
      ++i;
      ++made;
      compare(g, *e, tally);
      question(g, *e, g.operand(), tally);
      reread(g, *e, tally);
      if (g.pool.size() < 24)
        g.pool.push_back(*e);
      else
        g.pool[static_cast<std::size_t>(g.pick(static_cast<std::int64_t>(kNames.size()), 23))] = *e;
    }
  }
  WARN("seed " << seed << ": " << made << " expressions, " << tally.compared << " values compared, " << tally.reread
               << " texts read back");
  CHECK(made == 200'000);
  CHECK(tally.compared > 400'000);
  CHECK(tally.wrong == 0);
  CHECK(tally.outside == 0);
  CHECK(tally.wrong_answers == 0);
  CHECK(tally.reread > 50'000);
  CHECK(tally.reread_otherwise == 0);
}
