// Files beside a model behind a URL: what is asked for, and what is said of what was found.
#include <catch2/catch.hpp>

#include <onnx/onnx_pb.h>

#include "model/location.hpp"
#include "model/partial.hpp"
#include "model/tensor_values.hpp"
#include "support.hpp"

using namespace trtcheck;
using State = ExternalFile::State;

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

struct Stored {
  std::int32_t type;
  std::int64_t count;
  std::string location;
  std::uint64_t offset;
  std::string reader;  ///< operator whose input 1 it is; empty: nobody's
};

std::string model_of(const std::vector<Stored>& tensors) {
  onnx::ModelProto model;
  onnx::GraphProto& graph = *model.mutable_graph();
  for (const Stored& stored : tensors) {
    onnx::TensorProto& tensor = *graph.add_initializer();
    tensor.set_name("t" + std::to_string(graph.initializer_size()));
    tensor.set_data_type(stored.type);
    tensor.add_dims(stored.count);
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    const auto add = [&](const std::string& key, const std::string& value) {
      auto& entry = *tensor.add_external_data();
      entry.set_key(key);
      entry.set_value(value);
    };
    add("location", stored.location);
    add("offset", std::to_string(stored.offset));
    if (stored.reader.empty()) continue;
    onnx::NodeProto& node = *graph.add_node();
    node.set_op_type(stored.reader);
    node.add_input("x");
    node.add_input(tensor.name());
    node.add_output("y" + tensor.name());
  }
  return model.SerializeAsString();
}

std::vector<FarWant> wants_of(const std::vector<Stored>& tensors) {
  const std::string bytes = model_of(tensors);
  std::vector<FarWant> asked;
  const auto fetch = [&](const std::vector<FarWant>& wants) {
    asked = wants;
    return std::vector<FarFile>(wants.size());
  };
  (void)read_partial_model(test::as_bytes(bytes), "s3://b/m.onnx", {}, {{}, fetch});
  return asked;
}

Model read_with(const std::string& bytes, const FarFile& file) {
  const auto fetch = [&](const std::vector<FarWant>& wants) { return std::vector<FarFile>(wants.size(), file); };
  return read_partial_model(test::as_bytes(bytes), "s3://b/m.onnx", {}, {{}, fetch});
}

constexpr std::int32_t kFloat = onnx::TensorProto::FLOAT;
constexpr std::int32_t kInt64 = onnx::TensorProto::INT64;

}  // namespace

TEST_CASE("constants are asked for that somebody may look at") {
  struct Row {
    Stored tensor;
    bool is_wanted;
  };
  const Row rows[] = {
      {{kInt64, 8192, "w.bin", 0, "Reshape"}, true},
      {{kInt64, 8193, "w.bin", 0, "Reshape"}, false},
      {{kInt64, 4, "w.bin", 0, ""}, true},
      {{kInt64, 0, "w.bin", 0, "Reshape"}, false},
      {{kFloat, 4, "w.bin", 0, "Add"}, true},
      {{kFloat, 4, "w.bin", 0, "Conv"}, false},
      {{kInt64, 4, "w.bin", 0, "MatMul"}, true},
      {{kFloat, 65'536, "w.bin", 0, "DequantizeLinear"}, true},
      {{kFloat, 65'537, "w.bin", 0, "DequantizeLinear"}, false},
      {{onnx::TensorProto::STRING, 4, "w.bin", 0, "Add"}, false},
  };
  for (const Row& row : rows) {
    INFO(row.tensor.reader << " " << row.tensor.count);
    const std::vector<FarWant> wants = wants_of({row.tensor});
    REQUIRE(wants.size() == 1);
    CHECK(wants[0].ranges.empty() == !row.is_wanted);
  }
}

TEST_CASE("files are asked for once, by their place below the folder") {
  const std::vector<FarWant> wants = wants_of({{kInt64, 1, "w.bin", 8, ""},
                                               {kInt64, 1, "./w.bin", 16, ""},
                                               {kInt64, 1, "a/../w.bin", 24, ""},
                                               {kInt64, 1, "a//b/./w.bin", 0, ""},
                                               {kInt64, 1, "../w.bin", 0, ""},
                                               {kInt64, 1, "/w.bin", 0, ""},
                                               {kInt64, 1, ".", 0, ""},
                                               {kInt64, 1, "", 0, ""}});
  REQUIRE(wants.size() == 2);
  CHECK(wants[0].path == "a/b/w.bin");
  CHECK(wants[1].path == "w.bin");
  REQUIRE(wants[1].ranges.size() == 1);
  CHECK(wants[1].ranges[0].offset == 8);
  CHECK(wants[1].ranges[0].length == 24);
}

TEST_CASE("what is close together is one range, and there are not too many") {
  CHECK(wants_of({{kInt64, 1, "w", 0, ""}, {kInt64, 1, "w", kMiB / 8, ""}})[0].ranges.size() == 1);
  CHECK(wants_of({{kInt64, 1, "w", kMiB, ""}, {kInt64, 1, "w", 0, ""}})[0].ranges.size() == 2);
  std::vector<Stored> far_apart;
  std::vector<Stored> files;
  std::vector<Stored> large;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    far_apart.push_back({kInt64, 1, "w", i * kMiB, ""});
    files.push_back({kInt64, 1, std::to_string(i), 0, ""});
    large.push_back({kInt64, 8192, "w", i * kMiB / 16, ""});
  }
  CHECK(wants_of(far_apart)[0].ranges.size() == 1000);
  CHECK(wants_of(files).size() == 1000);
  CHECK(wants_of(large)[0].ranges[0].length == 64 * kMiB);
}

TEST_CASE("what was found of a file is what is said of it") {
  const std::string bytes = model_of({{kInt64, 2, "w.bin", 8, "Reshape"}});
  const std::string content("\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0", 24);
  const auto part = [&](std::size_t first, std::size_t count) {
    return std::vector<FarFile::Part>{{first, content.substr(first, count)}};
  };
  struct Row {
    FarFile file;
    State state;
    std::string why;  ///< empty: the values are there
  };
  const Row rows[] = {
      {FarFile::found(24, part(8, 16)), State::ok, ""},
      {FarFile::found(24, part(0, 24)), State::ok, ""},
      {FarFile::found({}, part(8, 16)), State::ok, ""},
      {FarFile::found(24, part(8, 15)), State::ok, "they were not fetched"},
      {FarFile::found(24, part(9, 15)), State::ok, "they were not fetched"},
      {FarFile::found(24, {}), State::ok, "they were not fetched"},
      {FarFile::found(23, part(8, 15)), State::too_short, "it has 23 bytes, 16 from byte 8 on are asked of it"},
      {FarFile::missing(), State::missing, "No such file or directory"},
      {FarFile::directory(), State::not_regular, "is a directory"},
      {FarFile::unknown("403"), State::not_fetched, "403"},
  };
  for (const Row& row : rows) {
    INFO(row.why);
    const Model model = read_with(bytes, row.file);
    const Tensor& tensor = model.tensor(TensorId{0});
    for (int round = 0; round < 2; ++round) {
      CHECK(external_file(model, tensor).state == row.state);
      const auto values = decode_ints(model, tensor, 100);
      CHECK(values.has_value() == row.why.empty());
      if (values) CHECK(*values == std::vector<std::int64_t>{2, 3});
      const auto why = why_unread(model, tensor, 100);
      CHECK(why.value_or("") == (row.why.empty() ? "" : "constants in `w.bin` could not be read (" + row.why + ")"));
      look_again(model);
    }
  }
}

TEST_CASE("a model that names no file asks for nothing") {
  onnx::ModelProto proto;
  proto.mutable_graph()->set_name("g");
  const std::string bytes = proto.SerializeAsString();
  bool is_asked = false;
  const auto fetch = [&](const std::vector<FarWant>&) {
    is_asked = true;
    return std::vector<FarFile>();
  };
  (void)read_partial_model(test::as_bytes(bytes), "x", {}, {{}, fetch});
  CHECK_FALSE(is_asked);
}

TEST_CASE("locations as places below the folder") {
  const std::pair<std::string, std::string> rows[] = {
      {"w.bin", "w.bin"}, {"./w.bin", "w.bin"}, {"a/../w.bin", "w.bin"}, {"a//b/", "a/b"}, {".", ""}, {"a/..", ""},
  };
  for (const auto& [location, path] : rows) CHECK(path_below(location) == path);
}
