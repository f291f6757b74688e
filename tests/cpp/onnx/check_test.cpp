// What is said of a message is what is said of its file.
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <thread>

#include "messages.hpp"
#include "temporary_folder.hpp"

using namespace trtcheck;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> models_in(const fs::path& folder) {
  std::vector<fs::path> found;
  if (!fs::is_directory(folder)) return found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".onnx") found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

std::size_t peak_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") {
      std::size_t kilobytes = 0;
      status >> kilobytes;
      return kilobytes;
    }
  }
  return 0;
}

}  // namespace

TEST_CASE("a message gets the report of its file, byte for byte") {
  std::vector<fs::path> models = models_in(fs::path(TRTCHECK_SOURCE_DIR) / "examples/models");
  REQUIRE(models.size() >= 8);
  const std::vector<fs::path> others = models_in(TRTCHECK_ONNX_TESTDATA);
  for (std::size_t i = 0; i < others.size(); i += 4) models.push_back(others[i]);
  CheckOptions options;
  options.target.precisions = {Precision::fp16};
  std::size_t compared = 0;
  for (const fs::path& path : models) {
    CAPTURE(path);
    onnx::ModelProto message;
    if (!message.ParseFromString(test::content(path))) continue;
    ++compared;
    const Report of_file = check(path.string(), options);
    CHECK(test::json(check(message, options, path.parent_path().string())) == test::json(of_file));
  }
  CHECK(compared >= 8);
}

TEST_CASE("weights are looked at where a check asks for them") {
  onnx::ModelProto message = test::repairable();
  const bool is_large = GENERATE(false, true);
  CAPTURE(is_large);
  test::add_weights(*message.mutable_graph(), "v", {400, is_large ? 3'000 : 30}, 70'000);
  onnx::NodeProto& node = *message.mutable_graph()->add_node();
  node.set_op_type("MatMul");
  for (const char* name : {"y", "v"}) node.add_input(name);
  node.add_output("u");
  *message.mutable_graph()->add_output() = message.graph().output(0);
  message.mutable_graph()->mutable_output(1)->set_name("u");

  const test::TemporaryFolder folder;
  const std::string path = (folder.path / "m.onnx").string();
  std::ofstream(path, std::ios::binary) << message.SerializeAsString();
  for (const bool is_half : {false, true}) {
    CAPTURE(is_half);
    CheckOptions options;
    if (is_half) options.target.precisions = {Precision::fp16};
    const Report report = check(message, options);
    CHECK(test::json(report) == test::json(check(path, options)));
    const bool overflows = std::ranges::any_of(
        report.findings, [](const Finding& finding) { return finding.rule->name == "half-overflow"; });
    CHECK(overflows == is_half);
  }
}

TEST_CASE("external data is looked for beside the message") {
  onnx::ModelProto message = test::repairable();
  onnx::TensorProto& tensor = test::weights(message, "w");
  const std::string raw = tensor.raw_data();
  tensor.clear_raw_data();
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  onnx::StringStringEntryProto& entry = *tensor.add_external_data();
  entry.set_key("location");
  entry.set_value("w.bin");
  const test::TemporaryFolder folder;
  const std::string path = (folder.path / "m.onnx").string();
  std::ofstream(path, std::ios::binary) << message.SerializeAsString();
  const std::string without = test::json(check(path, {}));
  CHECK(test::json(check(message, {}, folder.path.string())) == without);
  std::ofstream(folder.path / "w.bin", std::ios::binary) << raw;
  const std::string with = test::json(check(path, {}));
  CHECK(test::json(check(message, {}, folder.path.string())) == with);
  CHECK(with != without);
}

TEST_CASE("shapes of a message") {
  const onnx::ModelProto message = test::repairable();
  const ProtoShapes shapes = infer(message);
  CHECK(shapes.text("y") == "FLOAT[N,400]");
  CHECK(shapes.text("z") == "FLOAT[N,400]");
  CHECK(shapes.text("w") == "FLOAT[300,400]");
  CHECK(shapes.text("nothing") == "?");
  InferOptions options;
  options.ranges = {{"x", {{4, 4}, {300, 300}}}};
  CHECK(infer(message, options).text("y") == "FLOAT[4,400]");
  options.ranges = {{"no input", {{4, 4}}}};
  CHECK_THROWS_AS(infer(message, options), Error);
}

TEST_CASE("a message that was opened serves every function of a model") {
  const onnx::ModelProto message = test::repairable();
  ProtoModel opened(message);
  const ProtoModel moved = std::move(opened);
  const Analysis analysis(moved.model());
  const TrtVersion releases[] = {parse_release("8.6"), parse_release("11.5")};
  const std::vector<Report> reports = check(analysis, {}, releases);
  REQUIRE(reports.size() == 2);
  CheckOptions options;
  options.target.release = releases[0];
  CHECK(test::json(reports[0]) == test::json(check(message, options)));
  CHECK(moved.model().value(moved.value("y")).name == "y");
}

TEST_CASE("an option that makes no sense is an error") {
  const onnx::ModelProto message = test::repairable();
  CheckOptions options;
  options.select = {"NO999"};
  CHECK_THROWS_AS(check(message, options), Error);
  options = {};
  options.limits.tensors = 1;
  CHECK_THROWS_WITH(check(message, options), Catch::Contains("not read: "));
}

TEST_CASE("threads may check one message at once") {
  const onnx::ModelProto message = test::repairable();
  const std::string alone = test::json(check(message));
  std::vector<std::string> said(4);
  std::vector<std::thread> threads;
  for (std::string& one : said) threads.emplace_back([&] { one = test::json(check(message)); });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& one : said) CHECK(one == alone);
}

TEST_CASE("a check of large weights needs no second copy of them") {
  onnx::ModelProto message = test::repairable();
  constexpr std::size_t kLarge = std::size_t{96} << 20;
  onnx::TensorProto& tensor = test::weights(message, "w");
  tensor.set_dims(1, static_cast<std::int64_t>(kLarge / 1200));
  tensor.mutable_raw_data()->assign(kLarge / 1200 * 1200, '\0');
  static_cast<void>(check(message));  // what is made once
  // The highest mark so far counts only if it can be set back.
  if (!(std::ofstream("/proc/self/clear_refs") << 5).flush()) return;
  const std::size_t before = peak_kilobytes();
  CheckOptions options;
  options.target.precisions = {Precision::fp16};
  const Report report = check(message, options);
  CHECK(report.node_count == 3);
  CHECK(peak_kilobytes() - before < 8 * 1024);
}
