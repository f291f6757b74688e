// Decoded twice: our reader against protoc's, over every model of libonnx-testdata and random mutations of them.
//
// Where the two differ on purpose (each has a test of its own in bad_input_test.cpp): a file without a graph,
// groups (protobuf skips them as unknown fields), more than Limits::rank dims, types nested more than 32 deep,
// and graphs nested 35 to 64 deep, which protobuf's depth limit of 100 messages refuses and we read.
#include <catch2/catch.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <random>

#include "compare.hpp"
#include "model/tensor_values.hpp"
#include "support.hpp"

using namespace trtcheck;

namespace {

std::vector<std::filesystem::path> test_models() {
  std::vector<std::filesystem::path> result;
  const std::filesystem::path folder = TRTCHECK_ONNX_TESTDATA;
  if (!std::filesystem::is_directory(folder)) return result;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".onnx") result.push_back(entry.path());
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Ours {
  std::optional<Model> model;
  std::string cause;
};

Ours read_ours(const std::string& bytes) {
  try {
    return {read_model(test::as_bytes(bytes)), {}};
  } catch (const Error& error) {
    return {std::nullopt, error.cause()};
  }
}

bool is_deliberate(const std::string& cause) {
  // What has no graph and is text besides is called so.
  static constexpr std::array kCauses{"no graph", "a text file", "is empty", "a group", " dims", "types are nested"};
  return std::any_of(kCauses.begin(), kCauses.end(), [&](const char* c) { return cause.find(c) != std::string::npos; });
}

/// Empty: the two agree.
std::string disagreement(const std::string& bytes) {
  onnx::ModelProto proto;
  const bool theirs = proto.ParseFromString(bytes);
  const Ours ours = read_ours(bytes);
  if (theirs && ours.model) return test::first_difference(proto, *ours.model);
  if (!theirs && ours.model) return ours.model->graph_depth() > 34 ? "" : "only protobuf refuses";
  if (theirs && !is_deliberate(ours.cause)) return "only we refuse: " + ours.cause;
  return {};
}

void mutate(std::string& bytes, std::mt19937& random) {
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n == 0 ? 0 : n - 1)(random);
  };
  static constexpr std::array kTelling{'\0', '\x01', '\x7f', '\x80', '\xff', '\x08', '\x0a', '\x12', '\x1b', '\x3a'};
  for (std::size_t edits = 1 + below(3); edits > 0 && !bytes.empty(); --edits) {
    const std::size_t at = below(bytes.size());
    switch (below(6)) {
      case 0:
        bytes[at] = static_cast<char>(below(256));
        break;
      case 1:
        bytes[at] = kTelling[below(kTelling.size())];
        break;
      case 2:
        bytes.resize(at);
        break;
      case 3:
        bytes.insert(at, 1 + below(3), static_cast<char>(below(256)));
        break;
      case 4:
        bytes.erase(at, 1 + below(8));
        break;
      default:
        bytes.insert(below(bytes.size()), bytes.substr(at, 1 + below(64)));
        break;
    }
  }
}

}  // namespace

TEST_CASE("every model of libonnx-testdata reads as protobuf reads it") {
  const auto models = test_models();
  if (models.empty()) {
    WARN("libonnx-testdata is not installed");
    return;
  }
  for (const auto& path : models) {
    INFO(path);
    onnx::ModelProto proto;
    REQUIRE(proto.ParseFromString(content(path)));
    const Model model = read_model(path.string());
    CHECK(test::first_difference(proto, model).empty());
    CHECK(model.defects().empty());
  }
}

TEST_CASE("random mutations are read alike or refused by both") {
  const auto models = test_models();
  const unsigned seed = Catch::rngSeed() != 0 ? Catch::rngSeed() : 20240607;
  CAPTURE(seed);
  std::mt19937 random(seed);
  std::vector<std::string> texts;
  for (const auto& path : models) {
    if (std::filesystem::file_size(path) < 6000) texts.push_back(content(path));
  }
  texts.push_back(test::onnx_bytes(R"(<ir_version: 9, opset_import: ["" : 17, "lib" : 1]>
    g (float[2] x, bool c) => (float[2] y) <float[2] w = {1, 2}> { t = lib.f <a = 0.5> (x)
      y = If(c) <then_branch = a () => (float[2] p) { p = lib.f (t) }, else_branch = b () => (float[2] q) { q = Add(t, w) }> }
    <domain: "lib", opset_import: ["" : 15]> f <a: float = 0.25> (i) => (o) { o = LeakyRelu <alpha: float = @a> (i) })"));
  std::size_t read = 0;
  constexpr int kRounds = 30'000;
  for (int round = 0; round < kRounds; ++round) {
    std::string bytes = texts[std::uniform_int_distribution<std::size_t>(0, texts.size() - 1)(random)];
    mutate(bytes, random);
    const std::string where = disagreement(bytes);
    if (!where.empty()) FAIL("round " << round << ": " << where);
    read += read_ours(bytes).model.has_value() ? 1U : 0U;
  }
  // Both outcomes must be common, or the mutations test nothing.
  CHECK(read > kRounds / 20);
  CHECK(read < kRounds * 19 / 20);
}

TEST_CASE("a file with small things between large weights reads as protobuf reads it") {
  onnx::ModelProto proto;
  auto& graph = *proto.mutable_graph();
  const auto fill = [](onnx::TensorProto& tensor, const std::string& name, std::int64_t count) {
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.add_dims(count);
    tensor.set_raw_data(std::string(static_cast<std::size_t>(count) * 4, '\x11'));
  };
  for (int i = 0; i < 12; ++i) {
    const std::string n = std::to_string(i);
    fill(*graph.add_initializer(), "weight" + n, 300'000);
    fill(*graph.add_initializer(), "bias" + n, 5);
    auto& constant = *graph.add_node();
    constant.set_op_type("Constant");
    constant.set_name("constant" + n);
    constant.add_output("c" + n);
    auto& attribute = *constant.add_attribute();
    attribute.set_name("value");
    attribute.set_type(onnx::AttributeProto::TENSOR);
    fill(*attribute.mutable_t(), "", 200'000);
    auto& add = *graph.add_node();
    add.set_op_type("Add");
    add.add_input("c" + n);
    add.add_input("bias" + n);
    add.add_output("y" + n);
  }
  const auto path =
      std::filesystem::temp_directory_path() / ("trtcheck-oracle-" + std::to_string(::getpid()) + ".onnx");
  std::ofstream(path, std::ios::binary) << proto.SerializeAsString();
  const Model model = read_model(path.string());
  std::filesystem::remove(path);
  CHECK(test::first_difference(proto, model).empty());
  CHECK(model.defects().empty());
  for (std::uint32_t i = 0; i < model.tensor_count(); ++i) {
    const Tensor& tensor = model.tensor(TensorId{i});
    const auto values = decode_floats(model, tensor, 1000);
    CHECK(values.has_value() == (tensor.element_count() == 5));
    if (values) CHECK(values->back() == values->front());
  }
}

TEST_CASE("a model cut at every byte") {
  const std::string whole = test::onnx_bytes(R"(<ir_version: 9, opset_import: ["" : 17]>
    g (float[N, 2] x, bool c) => (float[N, 2] y) <float[2] w = {1, 2}> {
      y = If(c) <then_branch = a () => (float[N, 2] p) { p = Add(x, w) },
                 else_branch = b () => (float[N, 2] q) { q = LeakyRelu <alpha = 0.5> (x) }> })");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    INFO(length);
    CHECK(disagreement(whole.substr(0, length)).empty());
  }
  CHECK(disagreement(whole).empty());
}
