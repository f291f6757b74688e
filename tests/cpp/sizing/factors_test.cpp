// How the numbers of a Reshape are found in dims of which some become dynamic.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sizing/factors.hpp"

using namespace trtcheck;
using sizing::Factor;
using sizing::Factors;

namespace {

/// Dims by their factors: a letter is a dynamic size, with the number that the file says behind it.
struct Case {
  DimTable dims;

  [[nodiscard]] Factor fixed(std::int64_t number) { return {.dim = dims.literal(number), .number = number}; }
  [[nodiscard]] Factor free(std::string_view name, std::int64_t number) {
    return {.dim = dims.symbol(name), .number = number, .is_dynamic = true};
  }
  /// "[N, 12]"; "cut apart"; behind it the number of ways where there are several.
  [[nodiscard]] std::string text(const std::vector<Factors>& given, const std::vector<std::int64_t>& wanted,
                                 std::size_t way = 0) {
    const auto made = sizing::split(given, wanted, way);
    if (!made) return "cut apart";
    std::vector<std::string> parts;
    for (const Factors& factors : made->dims) parts.push_back(dims.text(sizing::product_of(dims, factors)));
    const std::string ways = made->ways > 1 ? fmt::format(" of {}", made->ways) : "";
    return fmt::format("[{}]{}", fmt::join(parts, ", "), ways);
  }
};

}  // namespace

TEST_CASE("a batch stays where it is") {
  Case c;
  const std::vector<Factors> given{{c.free("N", 4)}, {c.fixed(6)}};
  CHECK(c.text(given, {4, 6}) == "[N, 6]");
  CHECK(c.text(given, {4, 2, 3}) == "[N, 2, 3]");
  CHECK(c.text(given, {24}) == "[6*N]");
  CHECK(c.text(given, {8, 3}) == "[2*N, 3]");
}

TEST_CASE("what cannot be found") {
  Case c;
  const std::vector<Factors> given{{c.free("N", 4)}, {c.fixed(6)}};
  CHECK(c.text(given, {2, 12}) == "cut apart");
  CHECK(c.text(given, {4, 5}) == "cut apart");
  CHECK(c.text(given, {4, 6, 2}) == "cut apart");
  CHECK(c.text(given, {0, 6}) == "cut apart");
}

TEST_CASE("a merged dim is taken apart as it was put together") {
  Case c;
  const std::vector<Factors> batch_first{{c.free("N", 1), c.fixed(12)}, {c.fixed(5)}};
  CHECK(c.text(batch_first, {1, 12, 5}) == "[N, 12, 5]");
  const std::vector<Factors> batch_last{{c.fixed(12), c.free("N", 1)}, {c.fixed(5)}};
  CHECK(c.text(batch_last, {12, 1, 5}) == "[12, N, 5]");
  CHECK(c.text(batch_last, {3, 4, 1, 5}) == "[3, 4, N, 5]");
}

TEST_CASE("a batch of one without a place of its own") {
  Case c;
  const std::vector<Factors> in_front{{c.free("N", 1)}, {c.fixed(12)}, {c.fixed(5)}};
  CHECK(c.text(in_front, {12, 5}) == "[12*N, 5]");
  CHECK(c.text(in_front, {60}) == "[60*N]");
  const std::vector<Factors> between{{c.fixed(12)}, {c.free("N", 1)}, {c.fixed(5)}};
  CHECK(c.text(between, {12, 5}, 0) == "[12, 5*N] of 2");
  CHECK(c.text(between, {12, 5}, 1) == "[12*N, 5] of 2");
  CHECK(c.text(between, {60}) == "[60*N]");
}

TEST_CASE("several ones") {
  Case c;
  const std::vector<Factors> given{{c.free("N", 1)}, {c.fixed(1)}, {c.fixed(5)}};
  CHECK(c.text(given, {1, 1, 5}) == "[N, 1, 5]");
  CHECK(c.text(given, {1, 5}) == "[N, 5]");
  CHECK(c.text(given, {1, 1, 1, 5}, 0) == "[N, 1, 1, 5] of 2");
  CHECK(c.text(given, {1, 1, 1, 5}, 1) == "[1, 1, N, 5] of 2");
  const std::vector<Factors> two{{c.free("N", 1)}, {c.free("M", 1)}, {c.fixed(5)}};
  CHECK(c.text(two, {1, 5}) == "[M*N, 5]");
}
