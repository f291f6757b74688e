// State of external data files, and sizes that disagree with dims.
#include <catch2/catch.hpp>

#include <onnx/onnx_pb.h>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "model/external_files.hpp"
#include "model/tensor_values.hpp"
#include "support.hpp"
#include "temporary_folder.hpp"
#include "view/tensor_view.hpp"

using namespace trtcheck;
using State = ExternalFile::State;
namespace fs = std::filesystem;

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// A model with one FLOAT[4] initializer (16 bytes) with that metadata.
std::string external_model(const Pairs& pairs) {
  onnx::ModelProto model;
  auto& tensor = *model.mutable_graph()->add_initializer();
  tensor.set_name("w");
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(4);
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  for (const auto& [key, value] : pairs) {
    auto& entry = *tensor.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
  return model.SerializeAsString();
}

void write(const fs::path& path, std::string_view content) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

using Folder = test::TemporaryFolder;

ExternalFile state_of(const Model& model) { return external_file(model, model.tensor(TensorId{0})); }

ExternalFile state_of(const fs::path& model_path, const Pairs& pairs) {
  write(model_path, external_model(pairs));
  const Model model = read_model(model_path.string());
  return state_of(model);
}

}  // namespace

TEST_CASE("external data: metadata, containment, existence, size") {
  const Folder folder;
  const fs::path m = folder.path / "m";
  const std::string sixteen(16, 'x');
  write(m / "w.bin", sixteen);
  write(m / "weights..bin", sixteen);
  write(m / "short.bin", "xxxx");
  write(m / "sub" / "w.bin", sixteen);
  write(folder.path / "m-evil" / "w.bin", sixteen);
  fs::create_directory(m / "folder");
  fs::create_symlink(folder.path / "m-evil" / "w.bin", m / "link-out.bin");
  fs::create_symlink("w.bin", m / "link-in.bin");
  fs::create_symlink("../m-evil", m / "folder-out");
  fs::create_symlink("nothing", m / "dangling.bin");

  struct Row {
    Pairs pairs;
    State state;
    std::string detail;
  };
  const std::string max = "9223372036854775807";
  const Row rows[] = {
      {{{"location", "w.bin"}}, State::ok, ""},
      {{{"location", "."}}, State::not_regular, "is the folder of the model itself"},
      {{{"location", "sub/.."}}, State::not_regular, "is the folder of the model itself"},
      {{{"location", "w.bin"}, {"offset", "0"}, {"length", "16"}}, State::ok, ""},
      {{{"location", "./w.bin"}}, State::ok, ""},
      {{{"location", "weights..bin"}}, State::ok, ""},
      {{{"location", "sub/w.bin"}}, State::ok, ""},
      {{{"location", "link-in.bin"}}, State::ok, ""},
      {{}, State::no_location, "has no location"},
      {{{"location", ""}}, State::no_location, "has no location"},
      {{{"location", "w.bin"}, {"offset", "-1"}}, State::bad_number, "offset is `-1`, no count of bytes"},
      {{{"location", "w.bin"}, {"length", "16x"}}, State::bad_number, "length is `16x`, no count of bytes"},
      {{{"location", "w.bin"}, {"length", ""}}, State::bad_number, "length is ``, no count of bytes"},
      {{{"location", "w.bin"}, {"offset", "99999999999999999999"}},
       State::bad_number,
       "offset is `99999999999999999999`, no count of bytes"},
      {{{"location", "w.bin"}, {"offset", max}, {"length", max}},
       State::bad_number,
       "offset " + max + " and length " + max + " go beyond 64 bits"},
      {{{"location", "../m-evil/w.bin"}}, State::escapes, "leaves the folder of the model"},
      {{{"location", "sub/../w.bin"}}, State::ok, ""},
      {{{"location", "none/../w.bin"}}, State::ok, ""},
      {{{"location", "sub/../../w.bin"}}, State::escapes, "leaves the folder of the model"},
      {{{"location", "/etc/passwd"}}, State::escapes, "is an absolute path"},
      {{{"location", "C:\\w.bin"}}, State::escapes, "is an absolute Windows path"},
      {{{"location", "\\\\host\\w.bin"}}, State::escapes, "is an absolute Windows path"},
      {{{"location", "sub\\..\\..\\w.bin"}}, State::escapes, "leaves the folder of the model"},
      {{{"location", std::string("w.bin\0x", 7)}}, State::escapes, "contains a NUL byte"},
      {{{"location", "link-out.bin"}},
       State::escapes,
       "leads to `" + fs::canonical(folder.path).string() + "/m-evil/w.bin`, outside of the folder of the model"},
      {{{"location", "folder-out/w.bin"}},
       State::escapes,
       "leads to `" + fs::canonical(folder.path).string() + "/m-evil/w.bin`, outside of the folder of the model"},
      {{{"location", "none.bin"}}, State::missing, "No such file or directory"},
      {{{"location", "dangling.bin"}}, State::missing, "No such file or directory"},
      {{{"location", "folder"}}, State::not_regular, "is a directory"},
      {{{"location", "short.bin"}}, State::too_short, "it has 4 bytes, 16 from byte 0 on are asked of it"},
      {{{"location", "w.bin"}, {"offset", "4"}},
       State::too_short,
       "it has 16 bytes, 16 from byte 4 on are asked of it"},
  };
  for (const Row& row : rows) {
    const ExternalFile file = state_of(m / "model.onnx", row.pairs);
    INFO((row.pairs.empty() ? "" : row.pairs[0].second));
    CHECK(file.state == row.state);
    CHECK(file.detail == row.detail);
  }
}

TEST_CASE("a model in a cache of links finds its data next to the real file") {
  const Folder folder;
  const fs::path blobs = folder.path / "blobs";
  const fs::path snapshot = folder.path / "snapshots" / "rev";
  write(blobs / "aa", external_model({{"location", "model.onnx_data"}}));
  write(blobs / "bb", std::string(16, 'x'));
  write(folder.path / "other" / "cc", std::string(16, 'x'));
  fs::create_directories(snapshot);
  fs::create_symlink("../../blobs/aa", snapshot / "model.onnx");
  fs::create_symlink("../../blobs/bb", snapshot / "model.onnx_data");
  const Model model = read_model((snapshot / "model.onnx").string());
  CHECK(state_of(model).state == State::ok);

  fs::remove(snapshot / "model.onnx_data");
  fs::create_symlink("../../other/cc", snapshot / "model.onnx_data");
  look_again(model);
  CHECK(state_of(model).state == State::escapes);
}

TEST_CASE("a model from memory has no folder unless it is told") {
  const Folder folder;
  write(folder.path / "w.bin", std::string(16, 'x'));
  const std::string bytes = external_model({{"location", "w.bin"}});
  const Model unknown = read_model(test::as_bytes(bytes));
  CHECK(state_of(unknown).state == State::unresolved);
  const Model known = read_model(test::as_bytes(bytes), folder.path.string());
  CHECK(state_of(known).state == State::ok);
  const std::string escaping = external_model({{"location", "../w.bin"}});
  const Model escapes = read_model(test::as_bytes(escaping));
  CHECK(state_of(escapes).state == State::escapes);
}

TEST_CASE("data whose size disagrees with the dims") {
  struct Row {
    std::int32_t type;
    std::vector<std::int64_t> dims;
    std::size_t raw;  ///< bytes of raw_data; npos: none
    int int32_data;   ///< numbers of int32_data
    std::optional<std::pair<std::uint64_t, std::uint64_t>> mismatch;
  };
  constexpr std::size_t kNone = std::string::npos;
  const Row rows[] = {
      {onnx::TensorProto::FLOAT, {2, 3}, 24, 0, {}},
      {onnx::TensorProto::FLOAT, {2, 3}, 20, 0, {{20, 24}}},
      {onnx::TensorProto::FLOAT, {2, 3}, kNone, 0, {{0, 24}}},
      {onnx::TensorProto::FLOAT, {0, 3}, kNone, 0, {}},
      {onnx::TensorProto::INT4, {3}, 2, 0, {}},
      {onnx::TensorProto::INT4, {3}, 3, 0, {{3, 2}}},
      {onnx::TensorProto::INT4, {3}, kNone, 2, {}},
      {onnx::TensorProto::INT4, {3}, kNone, 1, {{2, 3}}},
      {onnx::TensorProto::INT32, {3}, kNone, 3, {}},
      {onnx::TensorProto::INT32, {3}, kNone, 4, {{4, 3}}},
      {onnx::TensorProto::STRING, {3}, kNone, 0, {}},
      {99, {3}, 7, 0, {}},
      {onnx::TensorProto::FLOAT, {-1}, 7, 0, {}},
      {onnx::TensorProto::DOUBLE, {std::int64_t{1} << 61, 1}, 8, 0, {}},
  };
  for (const Row& row : rows) {
    onnx::ModelProto proto;
    auto& tensor = *proto.mutable_graph()->add_initializer();
    tensor.set_data_type(row.type);
    for (const auto dim : row.dims) tensor.add_dims(dim);
    if (row.raw != kNone) tensor.set_raw_data(std::string(row.raw, '\1'));
    for (int i = 0; i < row.int32_data; ++i) tensor.add_int32_data(1);
    const std::string bytes = proto.SerializeAsString();
    const Model model = read_model(test::as_bytes(bytes));
    const auto found = TensorView(model).size_mismatch(TensorId{0});
    INFO(row.type << " " << row.raw << " " << row.int32_data);
    CHECK(found.has_value() == row.mismatch.has_value());
    if (found && row.mismatch) {
      CHECK(found->has == row.mismatch->first);
      CHECK(found->needs == row.mismatch->second);
      CHECK(found->in_bytes == (row.int32_data == 0));
    }
  }
}

TEST_CASE("small constants in other files are read, and only what the dims demand") {
  const Folder folder;
  const std::vector<float> numbers{1.5F, -2, 3, 4, 5, 6};
  write(folder.path / "w.bin", {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)});
  struct Row {
    Pairs pairs;
    std::optional<std::vector<double>> values;
  };
  const Row rows[] = {
      {{{"location", "w.bin"}}, {{1.5, -2, 3, 4}}},
      {{{"location", "w.bin"}, {"offset", "8"}, {"length", "16"}}, {{3, 4, 5, 6}}},
      {{{"location", "w.bin"}, {"offset", "12"}, {"length", "16"}}, {}},
      {{{"location", "w.bin"}, {"offset", "0"}, {"length", "24"}}, {}},
      {{{"location", "w.bin"}, {"offset", "0"}, {"length", "8"}}, {}},
      {{{"location", "w.bin"}, {"offset", "x"}}, {}},
      {{{"location", "none.bin"}}, {}},
      {{}, {}},
  };
  for (const Row& row : rows) {
    const std::string bytes = external_model(row.pairs);
    const Model model = read_model(test::as_bytes(bytes), folder.path.string());
    CHECK(decode_floats(model, model.tensor(TensorId{0}), 4) == row.values);
    CHECK_FALSE(decode_floats(model, model.tensor(TensorId{0}), 3));
  }
  const std::string bytes = external_model({{"location", "w.bin"}});
  const Model model = read_model(test::as_bytes(bytes));
  CHECK_FALSE(decode_floats(model, model.tensor(TensorId{0}), 4));
  CHECK(why_unread(model, model.tensor(TensorId{0}), 4) ==
        "constants in `w.bin` could not be read (the folder of the model is not known)");
  CHECK_FALSE(why_unread(model, model.tensor(TensorId{0}), 3));
}

TEST_CASE("what is no ordinary file beside the model is not opened, and nothing waits for it") {
  const Folder folder;
  REQUIRE(::mkfifo((folder.path / "fifo").c_str(), 0600) == 0);
  fs::create_symlink("/dev/zero", folder.path / "zero");
  fs::create_directory(folder.path / "folder");
  write(folder.path / "outside" / "w.bin", std::string(16, 'x'));
  fs::create_directory(folder.path / "m");
  fs::create_symlink("../outside/w.bin", folder.path / "m" / "link");
  for (const std::string name : {"fifo", "zero", "folder", "../outside/w.bin", "/etc/hostname"}) {
    const std::string bytes = external_model({{"location", name}});
    const Model model = read_model(test::as_bytes(bytes), folder.path.string());
    INFO(name);
    CHECK_FALSE(decode_floats(model, model.tensor(TensorId{0}), 4));
    CHECK(why_unread(model, model.tensor(TensorId{0}), 4));
  }
  const std::string bytes = external_model({{"location", "link"}});
  const Model model = read_model(test::as_bytes(bytes), (folder.path / "m").string());
  CHECK_FALSE(decode_floats(model, model.tensor(TensorId{0}), 4));
}

TEST_CASE("a file that changes between being found and being read") {
  const Folder folder;
  const fs::path data = folder.path / "w.bin";
  write(data, std::string(16, 'x'));
  const std::string bytes = external_model({{"location", "w.bin"}});
  const Model model = read_model(test::as_bytes(bytes), folder.path.string());
  const Tensor& tensor = model.tensor(TensorId{0});
  REQUIRE(state_of(model).state == State::ok);
  SECTION("cut") {
    fs::resize_file(data, 3);
    CHECK_FALSE(decode_floats(model, tensor, 4));
    CHECK(state_of(model).detail == "became shorter while it was read");
  }
  SECTION("gone") {
    fs::remove(data);
    CHECK_FALSE(decode_floats(model, tensor, 4));
    CHECK(state_of(model).detail == "cannot be opened: No such file or directory");
  }
  SECTION("a link now") {
    fs::rename(data, folder.path / "v.bin");
    fs::create_symlink("v.bin", data);
    CHECK_FALSE(decode_floats(model, tensor, 4));
  }
  SECTION("a pipe now") {
    fs::remove(data);
    REQUIRE(::mkfifo(data.c_str(), 0600) == 0);
    CHECK_FALSE(decode_floats(model, tensor, 4));
  }
  CHECK(state_of(model).state == State::unreadable);
  fs::remove(data);
  write(data, std::string(16, 'x'));
  look_again(model);
  CHECK(decode_floats(model, tensor, 4));
}
