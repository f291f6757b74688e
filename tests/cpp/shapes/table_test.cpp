// The operator table.
#include <catch2/catch.hpp>

#include "schema/facts.hpp"
#include "shapes/table.hpp"

namespace trtcheck::test {
namespace {

TEST_CASE("rows are found by the version that is in force") {
  CHECK(shapes::find_op("", "Reshape", 4) != nullptr);
  CHECK(shapes::find_op("", "Reshape", 4)->since == 1);
  CHECK(shapes::find_op("", "Reshape", 5)->since == 5);
  CHECK(shapes::find_op("", "Reshape", 21)->since == 5);
  CHECK(shapes::find_op("", "Range", 10) == nullptr);
  CHECK(shapes::find_op("", "Zzz", 21) == nullptr);
  CHECK(shapes::find_op("com.acme", "Reshape", 21) == nullptr);
}

TEST_CASE("every row of the table is an operator that ONNX knows") {
  for (const shapes::OpRow& row : shapes::op_table()) {
    if (!row.domain.empty()) continue;
    INFO(row.op);
    CHECK(schema::was_ever_known(row.domain, row.op));
  }
}

TEST_CASE("every operator that ONNX has has a row") {
  for (const schema::SchemaFacts& facts : schema::all_facts()) {
    if (facts.deprecated) continue;
    INFO(facts.domain << " " << facts.op << " " << facts.since);
    CHECK(shapes::find_op(facts.domain, facts.op, facts.since) != nullptr);
  }
}

}  // namespace
}  // namespace trtcheck::test
