// The bounded walk over values.
#include <as_bytes.hpp>
#include <catch2/catch.hpp>
#include <onnx_text.hpp>
#include <string>
#include <vector>

#include <trtcheck/model.hpp>

#include "model/walk.hpp"

namespace trtcheck::test {
namespace {

/// A model, and the bytes that its names lie in.
struct Read {
  explicit Read(std::string_view text) : bytes(onnx_bytes(text, 17)), model(read_model(as_bytes(bytes))) {}
  std::string bytes;
  Model model;
};

/// x -> v0 -> v1 -> ... by operators of one name.
Read chain(std::size_t nodes, const std::string& op) {
  std::string text = "agraph (float[2] x) => (float[2] v" + std::to_string(nodes - 1) + ") {";
  for (std::size_t i = 0; i < nodes; ++i) {
    text += " v" + std::to_string(i) + " = " + op + "(" + (i == 0 ? "x" : "v" + std::to_string(i - 1)) + ")";
  }
  return Read(text + " }");
}

ValueId named(const Model& model, std::string_view name) {
  for (std::uint32_t i = 0; i < model.value_count(); ++i) {
    if (model.value(ValueId{i}).name == name) return ValueId{i};
  }
  return {};
}

template <std::size_t most>
std::pair<Walked, std::vector<std::string>> upward(const Model& model, ValueId from, std::string_view until = "") {
  std::vector<std::string> names;
  const Walked end = walk<most>(from, [&](ValueId id, auto& onward) {
    names.emplace_back(model.value(id).name);
    if (model.value(id).name == until) return true;
    if (const NodeId producer = model.value(id).producer) onward.add(model.node(producer).inputs);
    return false;
  });
  return {end, names};
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a walk ends where it was told to, where nothing is left, or where it has gone far enough") {
  const Read read = chain(4, "Relu");
  const Model& model = read.model;
  const ValueId last = named(model, "v3");
  CHECK(upward<8>(model, last) == std::pair(Walked::nowhere, Names{"v3", "v2", "v1", "v0", "x"}));
  CHECK(upward<8>(model, last, "v1") == std::pair(Walked::found, Names{"v3", "v2", "v1"}));
  CHECK(upward<3>(model, last) == std::pair(Walked::too_far, Names{"v3", "v2", "v1"}));
  CHECK(upward<5>(model, last) == std::pair(Walked::nowhere, Names{"v3", "v2", "v1", "v0", "x"}));
  // The last value that it may visit is visited.
  CHECK(upward<3>(model, last, "v1").first == Walked::found);
  CHECK(upward<3>(model, ValueId{}) == std::pair(Walked::nowhere, Names{}));
}

TEST_CASE("a value that several ways lead to is visited once") {
  const Read read(
      "agraph (float[2] x) => (float[2] y) { a = Relu(x) b = Neg(x) c = Add(a, b) d = Mul(c, c) y = Add(d, a) }");
  const Model& model = read.model;
  CHECK(upward<16>(model, named(model, "y")).second == Names{"y", "d", "a", "c", "x", "b"});
}

TEST_CASE("a walk in a circle comes to its end") {
  const Read read("agraph (float[2] x) => (float[2] y) { a = Add(x, b) b = Relu(a) y = Neg(b) }");
  const Model& model = read.model;
  CHECK(upward<16>(model, named(model, "y")).first == Walked::nowhere);
}

TEST_CASE("the node that reads a value alone") {
  const Read read("agraph (float[2] x) => (float[2] y) { a = Relu(x) b = Mul(a, a) c = Neg(b) y = Add(c, x) }");
  const Model& model = read.model;
  CHECK(model.node(sole_reader(model, named(model, "b"))).op_type == "Neg");
  CHECK_FALSE(sole_reader(model, named(model, "x")));
  CHECK_FALSE(sole_reader(model, named(model, "a")));  // twice, by one node
  CHECK_FALSE(sole_reader(model, named(model, "y")));
  CHECK_FALSE(sole_reader(model, ValueId{}));
}

TEST_CASE("what stands in front of Identity nodes") {
  const Read read = chain(3, "Identity");
  const Model& model = read.model;
  CHECK(passed_on(model, named(model, "v2")) == named(model, "x"));
  CHECK(passed_on(model, named(model, "x")) == named(model, "x"));
  CHECK_FALSE(passed_on(model, ValueId{}));
  const Read other_read = chain(2, "Neg");
  const Model& other = other_read.model;
  CHECK(passed_on(other, named(other, "v1")) == named(other, "v1"));
  // A chain that nobody writes.
  const Read longer_read = chain(40, "Identity");
  const Model& longer = longer_read.model;
  CHECK(passed_on(longer, named(longer, "v39")) == named(longer, "v24"));
}

}  // namespace trtcheck::test
