#include <catch2/catch.hpp>

#include <trtcheck/trtcheck.hpp>

#include "onnx_text.hpp"
#include "rules/rule_context.hpp"
#include "shapes/op_context.hpp"

TEST_CASE("an error is one line that names file, cause and byte") {
  CHECK(std::string(trtcheck::Error("a.onnx", "cut off", 12).what()) == "a.onnx: cut off (at byte 12)");
  CHECK(std::string(trtcheck::Error("", "cut off").what()) == "cut off");
}

TEST_CASE("ONNX text gives bytes") {
  CHECK(trtcheck::test::onnx_bytes("g (float[N] x) => (float[N] y) { y = Relu(x) }").size() > 20);
}
