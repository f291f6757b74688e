// What is read of a file: everything but large weights, and then the file is not needed any more.
#include <catch2/catch.hpp>

#include <onnx/onnx_pb.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "model/fetch.hpp"
#include "model/partial.hpp"
#include "model/tensor_values.hpp"
#include "support.hpp"
#include "temporary_folder.hpp"

using namespace trtcheck;
namespace fs = std::filesystem;

namespace {

using Folder = test::TemporaryFolder;

void add_floats(onnx::GraphProto& graph, const std::string& name, std::int64_t count, bool is_raw) {
  onnx::TensorProto& tensor = *graph.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(count);
  const std::vector<float> values(static_cast<std::size_t>(count), 1.5F);
  if (is_raw) {
    tensor.set_raw_data(values.data(), values.size() * sizeof(float));
  } else {
    tensor.mutable_float_data()->Assign(values.begin(), values.end());
  }
}

/// Weights, and between them scales as large as anybody may ask for.
std::string mixed() {
  onnx::ModelProto model;
  onnx::GraphProto& graph = *model.mutable_graph();
  for (const bool is_raw : {true, false}) {
    add_floats(graph, "weight", 300'000, is_raw);
    const std::string scale = is_raw ? "raw scale" : "scale";
    add_floats(graph, scale, kMostElements, is_raw);
    onnx::NodeProto& node = *graph.add_node();
    node.set_op_type(is_raw ? "QuantizeLinear" : "Identity");
    node.add_output(is_raw ? "q" : "i");
    if (is_raw) node.add_input("weight");
    node.add_input(scale);
    add_floats(graph, "one more", kMostElements + 1, is_raw);
    add_floats(graph, "small", 3, is_raw);
  }
  return model.SerializeAsString();
}

std::string write(const Folder& folder, const std::string& content) {
  const std::string path = (folder.path / "m.onnx").string();
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

std::optional<std::size_t> decoded(const Model& model, std::uint32_t tensor) {
  const auto values = decode_floats(model, model.tensor(TensorId{tensor}), 1'000'000);
  if (!values) return std::nullopt;
  for (const double value : *values) REQUIRE(value == 1.5);
  return values->size();
}

}  // namespace

TEST_CASE("what may be asked for is there, large weights are not, and neither needs the file") {
  const Folder folder;
  const std::string content = mixed();
  const std::string path = write(folder, content);
  const Model model = read_model(path);
  fs::resize_file(path, 0);
  const Model whole = read_model(test::as_bytes(content));
  for (std::uint32_t i = 0; i < model.tensor_count(); ++i) {
    INFO(model.tensor(TensorId{i}).name << " " << i);
    CHECK(decoded(model, i) == decoded(whole, i));
  }
  CHECK(decoded(model, 1) == 65'536);
  CHECK(decoded(model, 2) == std::nullopt);
  CHECK(decoded(model, 3) == 3);
  CHECK(decoded(model, 5) == 65'536);
  CHECK(model.bytes().size() == content.size());
  CHECK(is_missing(model, model.tensor(TensorId{0}).raw));
  CHECK_FALSE(is_missing(whole, whole.tensor(TensorId{0}).raw));
}

TEST_CASE("a file that is cut before all of it was read is an error") {
  const Folder folder;
  const std::string content = mixed();
  const std::string path = write(folder, content);
  const File file = File::open(path);
  for (const std::uint64_t size :
       {std::uint64_t{content.size() - 1}, std::uint64_t{content.size() / 2}, std::uint64_t{4096}, std::uint64_t{0}}) {
    fs::resize_file(path, size);
    CHECK_THROWS_WITH(read_model(file, path, ""), path + ": became shorter while it was read");
  }
  CHECK(read_model(test::as_bytes(content)).tensor_count() == 8);
}

TEST_CASE("somebody cuts and restores the file all the time") {
  const Folder folder;
  const std::string content = mixed();
  const std::string path = write(folder, content);
  std::atomic<bool> done{false};
  std::thread writer([&] {
    while (!done.load()) {
      fs::resize_file(path, 100);
      std::ofstream(path, std::ios::binary) << content;
    }
  });
  int outcomes = 0;
  for (int i = 0; i < 300; ++i) {
    try {
      const Model model = read_model(path);
      for (std::uint32_t t = 0; t < model.tensor_count(); ++t) {
        static_cast<void>(decode_floats(model, model.tensor(TensorId{t}), kMostElements));
      }
      ++outcomes;
    } catch (const Error& error) {
      CHECK(error.path() == path);
      ++outcomes;
    }
  }
  done.store(true);
  writer.join();
  CHECK(outcomes == 300);
}

TEST_CASE("every byte of a small file and none of a large weight is read") {
  const Folder folder;
  onnx::ModelProto model;
  add_floats(*model.mutable_graph(), "weight", 1 << 20, true);
  const std::string content = model.SerializeAsString();
  const Fetched large = fetch_structure(File::open(write(folder, content)));
  REQUIRE(large.missing.size() == 1);
  CHECK(content.size() - large.missing[0].length < 16'384);
  model.mutable_graph()->mutable_initializer()->Clear();
  add_floats(*model.mutable_graph(), "weight", 60'000, true);
  CHECK(fetch_structure(File::open(write(folder, model.SerializeAsString()))).missing.empty());
}
