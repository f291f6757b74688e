// Small models with a planted defect, judged in memory.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <trtcheck/error.hpp>
#include <trtcheck/reduce.hpp>
#include <trtcheck/trtcheck.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>
#include <temporary_folder.hpp>

namespace trtcheck {
namespace {

using Catch::Matchers::Contains;

onnx::ModelProto parsed(const std::string& bytes) {
  onnx::ModelProto made;
  if (!made.ParseFromString(bytes)) throw std::runtime_error("not a model");
  return made;
}

onnx::ModelProto loaded(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  onnx::ModelProto made;
  if (!made.ParseFromIstream(&file)) throw std::runtime_error("not a model: " + path);
  return made;
}

std::vector<std::string> operators(const onnx::ModelProto& model) {
  std::vector<std::string> made;
  for (const auto& node : model.graph().node()) made.push_back(node.op_type());
  return made;
}

bool has(const onnx::ModelProto& model, const std::string& op_type) {
  for (const auto& node : model.graph().node()) {
    if (node.op_type() == op_type) return true;
  }
  return false;
}

Reduced reduced(const std::string& bytes, const ReduceOptions& options) {
  return reduce(test::as_bytes(bytes), options);
}

ReduceOptions finding(const std::string& words) {
  ReduceOptions options;
  options.finding = words;
  return options;
}

ReduceOptions judged(std::function<bool(const onnx::ModelProto&)> judge) {
  ReduceOptions options;
  options.judge = [judge = std::move(judge)](const std::string& path) { return judge(loaded(path)); };
  return options;
}

/// A long chain with a node that TensorRT does not have in its middle.
std::string planted(std::size_t count, std::size_t defect) {
  std::string nodes;
  for (std::size_t i = 0; i < count; ++i) {
    const char* op = i == defect ? "my.Foo" : i % 3 == 0 ? "Relu" : i % 3 == 1 ? "Neg" : "Abs";
    nodes += fmt::format("[n{}] t{} = {} (t{}) ", i, i + 1, op, i);
  }
  return test::onnx_bytes(fmt::format(R"(<ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    agraph (float[N,4] t0) => (float[N,4] t{}) {{ {} }})",
                                      count, nodes));
}

TEST_CASE("a planted defect is what is left, wherever it stands") {
  for (const std::size_t defect : {0U, 1U, 30U, 58U, 59U}) {
    CAPTURE(defect);
    const std::string bytes = planted(60, defect);
    const Reduced small = reduced(bytes, finding("OPS103"));
    const onnx::ModelProto made = parsed(small.bytes());
    CHECK(operators(made) == std::vector<std::string>{"Foo"});
    REQUIRE(small.finding() != nullptr);
    CHECK(small.finding()->rule->code == "OPS103");
    CHECK(small.before().nodes == 60);
    CHECK(small.after().nodes == 1);
    CHECK(small.steps() < 60);
    CHECK_FALSE(small.is_partial());
    CHECK(small.nodes().size() == 1);
    // The result has the finding when it is read again, and no error of another kind.
    const std::string again = small.bytes();
    const Report report = check(read_model(test::as_bytes(again)), {});
    CHECK(report.count(Severity::error) == 1);
  }
}

TEST_CASE("a judge in memory says what has to stay") {
  struct Row {
    std::string name;
    std::function<bool(const onnx::ModelProto&)> judge;
    std::vector<std::string> left;
  };
  const std::string bytes = test::onnx_bytes(
      R"(agraph (float[2,4] x) => (float[2,4] y) <float[4,4] w = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16}> {
    a = MatMul (x, w) b = Relu (a) c = Softmax (b) d = Neg (c) e = MatMul (d, w) y = Sigmoid (e) })");
  const Row rows[] = {
      {"one operator", [](const auto& m) { return has(m, "Softmax"); }, {"Softmax"}},
      {"two that are apart", [](const auto& m) { return has(m, "Relu") && has(m, "Neg"); }, {"Relu", "Neg"}},
      {"two of one",
       [](const auto& m) { return std::ranges::count(operators(m), "MatMul") == 2; },
       {"MatMul", "MatMul"}},
      {"all of it",
       [](const auto& m) { return m.graph().node_size() == 6; },
       {"MatMul", "Relu", "Softmax", "Neg", "MatMul", "Sigmoid"}},
      // A near miss: a condition that no part fulfils leaves the model.
      {"at least five", [](const auto& m) { return m.graph().node_size() >= 5; }, {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const Reduced small = reduced(bytes, judged(row.judge));
    const onnx::ModelProto made = parsed(small.bytes());
    CHECK(row.judge(made));
    CHECK(small.finding() == nullptr);
    if (row.left.empty()) {
      CHECK(made.graph().node_size() == 5);
    } else {
      const std::vector<std::string> found = operators(made);
      CHECK(std::multiset<std::string>(found.begin(), found.end()) ==
            std::multiset<std::string>(row.left.begin(), row.left.end()));
    }
  }
}

TEST_CASE("weights are replaced, or stay") {
  const std::string bytes = test::onnx_bytes(R"(<ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    agraph (float[4] x) => (float[4] y) <float[2,4] w = {1,2,3,4,5,6,7,8}> { y = my.Foo (x, w) })");
  const auto weight = [&](ReducedWeights weights) {
    ReduceOptions options = finding("OPS103");
    options.weights = weights;
    const onnx::ModelProto made = parsed(reduced(bytes, options).bytes());
    REQUIRE(made.graph().initializer_size() == 1);
    const onnx::TensorProto& tensor = made.graph().initializer(0);
    CHECK((tensor.dims_size() == 2 && tensor.dims(0) == 2 && tensor.dims(1) == 4));
    std::vector<float> numbers(tensor.float_data().begin(), tensor.float_data().end());
    if (numbers.empty()) {
      numbers.resize(8);
      REQUIRE(tensor.raw_data().size() == 32);
      std::memcpy(numbers.data(), tensor.raw_data().data(), 32);
    }
    return numbers;
  };
  const std::vector<float> whole{1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(weight(ReducedWeights::keep) == whole);
  CHECK(weight(ReducedWeights::zero) == std::vector<float>(8, 1.0F));  // what is positive becomes 1
  const std::vector<float> random = weight(ReducedWeights::random);
  CHECK(random != whole);
  CHECK(std::ranges::all_of(random, [](float number) { return number > 0; }));
  CHECK(random == weight(ReducedWeights::random));
}

TEST_CASE("bodies and functions become the model") {
  const std::string bytes = test::onnx_bytes(R"(<ir_version: 8, opset_import: ["" : 17, "my" : 1, "own" : 1]>
    agraph (bool c, float[4] x) => (float[4] y, float[4] z) <float[4] w = {1,2,3,4}> {
      k = Constant <value_floats = [1.0, 2.0, 3.0, 4.0]> ()
      y = If (c) <
        then_branch = t () => (float[4] u) { a = Add (x, w) u = my.Foo (a, k) },
        else_branch = e () => (float[4] v) { v = Neg (x) }
      >
      z = own.outer (x, w)
    }
    <domain: "own", opset_import: ["" : 17, "own" : 1]>
    outer (p, q) => (r) { h = Abs (p) r = own.inner (h, q) }
    <domain: "own", opset_import: ["" : 17, "my" : 1]>
    inner (p, q) => (r) { r = my.Bar (p, q) })");
  const auto left = [&](const std::string& op_type) {
    ReduceOptions options = judged([op_type](const onnx::ModelProto& m) {
      return has(m, op_type) || [&] {
        for (const auto& function : m.functions()) {
          for (const auto& node : function.node()) {
            if (node.op_type() == op_type) return true;
          }
        }
        for (const auto& node : m.graph().node()) {
          for (const auto& attribute : node.attribute()) {
            for (const auto& inner : attribute.g().node()) {
              if (inner.op_type() == op_type) return true;
            }
          }
        }
        return false;
      }();
    });
    options.weights = ReducedWeights::keep;
    return parsed(reduced(bytes, options).bytes());
  };
  const onnx::ModelProto of_body = left("Foo");
  CHECK(std::ranges::count(operators(of_body), "Foo") == 1);
  CHECK_FALSE(has(of_body, "If"));
  CHECK(of_body.functions_size() == 0);
  const onnx::ModelProto of_function = left("Bar");
  CHECK(operators(of_function) == std::vector<std::string>{"Bar"});
  CHECK(of_function.functions_size() == 0);
  // The weight that both calls hand on.
  REQUIRE(of_function.graph().initializer_size() == 1);
  CHECK(of_function.graph().initializer(0).name() == of_function.graph().node(0).input(1));
}

TEST_CASE("judges that throw, that change their mind, that are stopped") {
  const std::string bytes = planted(12, 5);
  CHECK_THROWS_AS(reduced(bytes, judged([](const onnx::ModelProto&) -> bool { throw std::out_of_range("judge"); })),
                  std::out_of_range);
  CHECK_THROWS_WITH(reduced(bytes, judged([](const onnx::ModelProto&) { return false; })),
                    Contains("says no of the model itself"));
  ReduceOptions once = judged([said = 0](const onnx::ModelProto&) mutable { return said++ == 0; });
  CHECK(reduced(bytes, once).after().nodes == 12);
  ReduceOptions stopped = finding("OPS103");
  stopped.cancelled = [] { return true; };
  CHECK_THROWS_WITH(reduced(bytes, stopped), Contains("was interrupted before anything was taken away"));
  ReduceOptions later = judged([](const onnx::ModelProto& m) { return m.graph().node_size() >= 2; });
  later.cancelled = [asked = 0]() mutable { return ++asked > 6; };
  const Reduced partial = reduced(bytes, later);
  CHECK(partial.is_partial());
  CHECK(partial.after().nodes < 12);
}

TEST_CASE("requests that make no sense") {
  const std::string bytes = planted(4, 2);
  const auto cause = [&](const std::string& words) {
    try {
      static_cast<void>(reduced(bytes, finding(words)));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(cause("OPS101"), Contains("there is no finding OPS101 in it") && Contains("OPS103"));
  CHECK_THAT(cause("OPS103@n22"), Contains("did you mean `n2`?"));
  CHECK_THAT(cause("OPS103@"), Contains("there is no node after the `@`"));
  CHECK_THAT(cause("OPS9999"), Contains("is no rule code"));
  CHECK(cause("OPS103@n2").empty());
  CHECK_THROWS_WITH(reduced(bytes, {}), Contains("a finding or a command is required"));
  CHECK_THROWS_WITH(parse_reduced_weights("radnom"), Contains("did you mean `random`"));
  ReduceOptions ranges = finding("OPS103");
  ranges.check.ranges = std::make_shared<const Ranges>();
  CHECK_THROWS_WITH(reduced(bytes, ranges), Contains("measured ranges are of the whole model"));
}

TEST_CASE("files") {
  const test::TemporaryFolder folder;
  const std::string path = (folder.path / "net.onnx").string();
  CHECK_THROWS_AS(reduce(path, finding("OPS103")), Error);
  std::ofstream(path, std::ios::binary) << "this is no model";
  CHECK_THROWS_AS(reduce(path, finding("OPS103")), Error);
  const std::string bytes = planted(9, 4);
  std::ofstream(path, std::ios::binary) << bytes;
  const Reduced small = reduce(path, finding("OPS103"));
  small.write((folder.path / "small.onnx").string());
  CHECK(operators(loaded((folder.path / "small.onnx").string())) == std::vector<std::string>{"Foo"});
  CHECK(std::filesystem::file_size(folder.path / "small.onnx") == small.size());
  CHECK_THROWS_AS(small.write((folder.path / "no/where.onnx").string()), Error);
  small.write_report((folder.path / "bug").string());
  for (const char* name : {"model.onnx", "finding.txt", "finding.json", "environment.txt", "issue.md"}) {
    CHECK(std::filesystem::file_size(folder.path / "bug" / name) > 0);
  }
  std::ifstream file(path, std::ios::binary);
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == bytes);
}

}  // namespace
}  // namespace trtcheck
