// Parts of models: what stays, what is followed into bodies and functions, what is refused.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <trtcheck/error.hpp>
#include <trtcheck/extract.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>
#include <temporary_folder.hpp>

namespace trtcheck {
namespace {

using Catch::Matchers::Contains;

constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["" : 17, "own" : 1, "deeper" : 1, "other" : 1]>
main (float[N,4] x, bool c) => (float[N,4] y, float[N,4] z) <float[4] w = {1, 2, 3, 4}, int64[1] axes = {0}> {
  [first] a = Add (x, w)
  [second] b = own.twice (a)
  [third] y = If (c) <
    then_branch = then_graph () => (float[N,4] t) <float[4] v = {1, 1, 1, 1}> { t = Mul (b, v) },
    else_branch = else_graph () => (float[N,4] e) {
      inner = Neg (b)
      e = If (c) <
        then_branch = p () => (float[N,4] p1) { p1 = Add (inner, w) },
        else_branch = q () => (float[N,4] q1) { q1 = own.thrice (k) }
      >
    }
  >
  [fourth] k = Relu (x)
  [fifth] z = Elu <alpha = 0.5> (a)
}
<domain: "own", opset_import: ["" : 17, "deeper" : 1]>
twice (p) => (q) { one = Add (p, p) q = deeper.same (one) }
<domain: "own", opset_import: ["" : 17]>
thrice (p) => (q) { one = Add (p, p) q = Add (one, p) }
<domain: "deeper", opset_import: ["" : 17]>
same (p) => (q) { q = Identity (p) }
<domain: "other", opset_import: ["" : 17]>
unused (p) => (q) { q = Identity (p) })";

/// "first second | w | x | y | own.twice": nodes, weights, inputs, outputs, functions.
std::string told(const std::string& part) {
  onnx::ModelProto made;
  REQUIRE(made.ParseFromString(part));
  std::vector<std::string> lists;
  const auto list = [&](const auto& entries, const auto& name) {
    std::string& names = lists.emplace_back();
    for (const auto& entry : entries) names += (names.empty() ? "" : " ") + name(entry);
  };
  const auto name = [](const auto& entry) { return entry.name(); };
  list(made.graph().node(), name);
  list(made.graph().initializer(), name);
  list(made.graph().input(), name);
  list(made.graph().output(), name);
  list(made.functions(), [](const auto& function) { return function.domain() + "." + function.name(); });
  return fmt::format("{}", fmt::join(lists, " | "));
}

std::string cut(const std::string& text, std::vector<std::string> inputs, std::vector<std::string> outputs,
                bool lenient = false) {
  const std::string bytes = test::onnx_bytes(text);
  ExtractOptions options{.inputs = std::move(inputs), .outputs = std::move(outputs), .limits = {}, .lenient = lenient};
  return extract(test::as_bytes(bytes), options).bytes();
}

TEST_CASE("what is needed stays, and nothing else") {
  struct Row {
    std::vector<std::string> inputs, outputs;
    std::string left;
  };
  const Row rows[] = {
      {{}, {"a"}, "first | w | x | a | "},
      {{}, {"b"}, "first second | w | x | b | own.twice deeper.same"},
      // Values that bodies read, and bodies in them; a function that only a body calls.
      {{"b", "c", "k"}, {"y"}, "third | w | c b k | y | own.thrice"},
      {{"b", "c"}, {"y"}, ""},  // `k` needs `x`
      {{"b", "c", "x"}, {"y"}, "third fourth | w | x c b | y | own.thrice"},
      {{"a"}, {"z"}, "fifth |  | a | z | "},
      {{"x", "w"}, {"a"}, "first |  | x w | a | "},
      {{"a"}, {"z", "k"}, ""},
      {{"a", "x"}, {"z", "k"}, "fourth fifth |  | x a | z k | "},
  };
  for (const Row& row : rows) {
    CAPTURE(row.inputs, row.outputs);
    if (row.left.empty()) {
      CHECK_THROWS_WITH(cut(kModel, row.inputs, row.outputs), Contains("also needs input `x` of the model"));
    } else {
      CHECK(told(cut(kModel, row.inputs, row.outputs)) == row.left);
    }
  }
}

TEST_CASE("opsets of domains that nobody uses are left out") {
  const auto domains = [](const std::string& part) {
    onnx::ModelProto made;
    REQUIRE(made.ParseFromString(part));
    std::string text;
    for (const auto& import : made.opset_import()) text += import.domain() + ";";
    return text;
  };
  CHECK(domains(cut(kModel, {}, {"a"})) == ";");
  CHECK(domains(cut(kModel, {}, {"b"})) == ";own;deeper;");
}

TEST_CASE("the plan says what is new, and counts") {
  const std::string bytes = test::onnx_bytes(kModel);
  const ExtractOptions options{.inputs = {"b", "c", "k"}, .outputs = {"y"}, .limits = {}};
  const Extracted part = extract(test::as_bytes(bytes), options);
  const ExtractPlan& plan = part.plan();
  REQUIRE(plan.inputs.size() == 3);
  CHECK((plan.inputs[0].name == "c" && !plan.inputs[0].is_new));
  CHECK((plan.inputs[1].name == "b" && plan.inputs[1].is_new && plan.inputs[1].type == "FLOAT[N,4]"));
  CHECK(plan.before.nodes == 10);
  CHECK(plan.after.nodes == 6);
  CHECK(plan.before.functions == 4);
  CHECK(plan.after.functions == 1);
  CHECK(plan.after.weights == 2);
  CHECK(plan.after.weight_bytes == 32);
  CHECK(plan.notes.empty());
  CHECK(part.size() == part.bytes().size());
  const ExtractOptions unneeded{.inputs = {"x", "c"}, .outputs = {"a"}, .limits = {}};
  CHECK(extract(test::as_bytes(bytes), unneeded).plan().notes == std::vector<std::string>{"no output needs input `c`"});
}

TEST_CASE("requests that are refused") {
  struct Row {
    std::vector<std::string> inputs, outputs;
    std::string cause;
  };
  const Row rows[] = {
      {{}, {"zz"}, "there is no tensor `zz`, did you mean `z`?"},
      {{"nowhere"}, {"z"}, "there is no tensor `nowhere`"},
      {{""}, {"z"}, "there is no tensor ``"},
      {{},
       {"inner"},
       "tensor `inner` is inside of main/third.else_branch: a model is cut at tensors of its main graph"},
      {{}, {"one"}, "tensor `one` is inside of main/second"},
      {{"a"}, {"a"}, "`a` is named as an input and as an output: nothing lies between"},
      {{"b"}, {"y"}, "output `y` also needs inputs `c`, `x` of the model (If `third` reads `c`): name them"},
      {{"a"},
       {"k"},
       "output `k` also needs input `x` of the model (Relu `fourth` reads `x`): name it among the inputs"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.inputs, row.outputs);
    CHECK_THROWS_WITH(cut(kModel, row.inputs, row.outputs), Contains(row.cause));
  }
}

TEST_CASE("types that cannot be written, and values that nothing makes") {
  const std::string strange = R"(<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
    main (float[4] x) => (float[4] y) {
      a = own.Foo (x) b = Neg (a) q = SequenceConstruct (x, b) l = SequenceLength (q) y = Add (x, nothing) })";
  CHECK_THROWS_WITH(cut(strange, {"a"}, {"b"}), Contains("the element type of `a` is not known"));
  CHECK_THROWS_WITH(cut(strange, {"q"}, {"l"}), Contains("`q` is no tensor, but a sequence"));
  CHECK_THROWS_WITH(cut(strange, {}, {"y"}), Contains("output `y` needs `nothing`, which nothing makes"));
  // Lenient: as a piece of a model that is strange already.
  CHECK_THAT(told(cut(strange, {"a"}, {"b"}, true)), Contains("| a | b |"));
  CHECK_THAT(told(cut(strange, {}, {"y"}, true)), Contains("| x | y |"));
}

TEST_CASE("a node that also makes what is fed keeps its other output") {
  onnx::ModelProto made;
  REQUIRE(made.ParseFromString(
      cut("agraph (float[4] x) => (float[2] y) { a, b = Split (x) y = Add (a, b) }", {"x", "a"}, {"y"})));
  CHECK(made.graph().node(0).output(0) == "a/not_read");
  CHECK(made.graph().node(0).output(1) == "b");
}

/// `w`, `v`: four floats each, in a file beside the model.
std::string external_model(const std::filesystem::path& folder) {
  onnx::ModelProto made;
  made.ParseFromString(
      test::onnx_bytes(R"(agraph (float[4] x) => (float[4] y) <float[4] w = {0,0,0,0}, float[4] v = {0,0,0,0}> {
    a = Add (x, w) y = Mul (a, v) })"));
  int number = 0;
  for (onnx::TensorProto& tensor : *made.mutable_graph()->mutable_initializer()) {
    tensor.clear_float_data();
    tensor.clear_raw_data();
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    const auto add = [&](const char* key, const std::string& value) {
      auto& entry = *tensor.add_external_data();
      entry.set_key(key);
      entry.set_value(value);
    };
    add("location", "net.data");
    add("offset", std::to_string(16 * number++));
    add("length", "16");
  }
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "net.data", std::ios::binary) << std::string(16, 'w') + std::string(16, 'v');
  std::ofstream(folder / "net.onnx", std::ios::binary) << made.SerializeAsString();
  return (folder / "net.onnx").string();
}

std::string location_of(const std::string& path) {
  onnx::ModelProto made;
  std::ifstream file(path, std::ios::binary);
  REQUIRE(made.ParseFromIstream(&file));
  REQUIRE(made.graph().initializer_size() == 1);
  const onnx::TensorProto& tensor = made.graph().initializer(0);
  return tensor.external_data_size() == 0 ? "in the file" : tensor.external_data(0).value();
}

TEST_CASE("external data stays, is copied, or goes into the file") {
  const test::TemporaryFolder folder;
  const std::string path = external_model(folder.path / "a");
  const Extracted part = extract(path, {.inputs = {"a"}, .outputs = {"y"}, .limits = {}});
  CHECK(part.plan().after.weight_bytes == 16);
  const auto output = [&](const char* name) { return (folder.path / name).string(); };
  part.write(output("a/part.onnx"));
  CHECK(location_of(output("a/part.onnx")) == "net.data");
  part.write(output("above.onnx"));
  CHECK(location_of(output("above.onnx")) == "a/net.data");
  std::filesystem::create_directories(folder.path / "b");
  CHECK_THROWS_AS(part.write(output("b/part.onnx")), Error);
  CHECK_FALSE(std::filesystem::exists(folder.path / "b/part.onnx"));
  part.write(output("b/part.onnx"), edit::DataPlace::copied);
  CHECK(std::filesystem::file_size(folder.path / "b/part.onnx.data") >= 16);
  part.write(output("b/whole.onnx"), edit::DataPlace::inlined);
  CHECK(location_of(output("b/whole.onnx")) == "in the file");
  std::filesystem::remove(folder.path / "a/net.data");
  CHECK_THROWS_AS(part.write(output("b/late.onnx"), edit::DataPlace::inlined), Error);
  CHECK_FALSE(std::filesystem::exists(folder.path / "b/late.onnx"));
}

TEST_CASE("files that are no models, and models that change under the hand") {
  const test::TemporaryFolder folder;
  const std::string path = (folder.path / "net.onnx").string();
  CHECK_THROWS_AS(extract(path, {.inputs = {}, .outputs = {"y"}, .limits = {}}), Error);
  std::ofstream(path, std::ios::binary) << "this is no model";
  CHECK_THROWS_AS(extract(path, {.inputs = {}, .outputs = {"y"}, .limits = {}}), Error);
  std::ofstream(path, std::ios::binary) << test::onnx_bytes(
      "agraph (float[4] x) => (float[4] y) { a = Neg (x) y = Abs (a) }");
  const Extracted part = extract(path, {.inputs = {}, .outputs = {"a"}, .limits = {}});
  CHECK_THROWS_AS(part.write((folder.path / "no/where.onnx").string()), Error);
  std::ofstream(path, std::ios::binary | std::ios::app) << "more";
  CHECK_THROWS_AS(part.write((folder.path / "part.onnx").string()), Error);
  CHECK_FALSE(std::filesystem::exists(folder.path / "part.onnx"));
}

}  // namespace
}  // namespace trtcheck
