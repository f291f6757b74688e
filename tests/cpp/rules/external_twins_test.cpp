// A model and its twin, whose constants are all in a file beside it (as onnx.save writes it with
// save_as_external_data=True, size_threshold=0, convert_attribute=True): the same findings, fingerprints and shapes.
#include <catch2/catch.hpp>

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <trtcheck/shapes.hpp>
#include <trtcheck/trtcheck.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>
#include <temporary_folder.hpp>

#include "checked.hpp"

namespace fs = std::filesystem;
using namespace trtcheck;
using namespace trtcheck::test;

namespace {

template <class T, class Numbers>
std::string packed(const Numbers& numbers) {
  std::string bytes;
  for (const auto number : numbers) {
    const T value = static_cast<T>(number);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes;
}

/// Nothing for types that are never raw.
std::optional<std::string> raw_of(const onnx::TensorProto& tensor) {
  if (tensor.has_raw_data()) return tensor.raw_data();
  switch (static_cast<DataType>(tensor.data_type())) {
    case DataType::float32:
      return packed<float>(tensor.float_data());
    case DataType::float64:
      return packed<double>(tensor.double_data());
    case DataType::int64:
      return packed<std::int64_t>(tensor.int64_data());
    case DataType::int32:
      return packed<std::int32_t>(tensor.int32_data());
    case DataType::uint64:
      return packed<std::uint64_t>(tensor.uint64_data());
    case DataType::uint32:
      return packed<std::uint32_t>(tensor.uint64_data());
    case DataType::float16:
    case DataType::bfloat16:
    case DataType::int16:
    case DataType::uint16:
      return packed<std::uint16_t>(tensor.int32_data());
    case DataType::string:
    case DataType::complex64:
    case DataType::complex128:
      return std::nullopt;
    default:
      return packed<std::uint8_t>(tensor.int32_data());
  }
}

struct Moved {
  std::string file;
  int count = 0;

  void tensor(onnx::TensorProto& proto) {
    if (proto.data_location() == onnx::TensorProto::EXTERNAL) return;
    const std::optional<std::string> raw = raw_of(proto);
    if (!raw || raw->empty()) return;
    const auto add = [&](const char* key, const std::string& value) {
      auto& entry = *proto.add_external_data();
      entry.set_key(key);
      entry.set_value(value);
    };
    proto.clear_raw_data();
    proto.clear_float_data();
    proto.clear_double_data();
    proto.clear_int64_data();
    proto.clear_int32_data();
    proto.clear_uint64_data();
    proto.set_data_location(onnx::TensorProto::EXTERNAL);
    add("location", "w.bin");
    add("offset", std::to_string(file.size()));
    add("length", std::to_string(raw->size()));
    file += *raw;
    ++count;
  }
  void node(onnx::NodeProto& proto) {
    for (auto& attribute : *proto.mutable_attribute()) {
      if (attribute.has_t()) tensor(*attribute.mutable_t());
      for (auto& each : *attribute.mutable_tensors()) tensor(each);
      if (attribute.has_g()) graph(*attribute.mutable_g());
      for (auto& each : *attribute.mutable_graphs()) graph(each);
    }
  }
  void graph(onnx::GraphProto& proto) {
    for (auto& each : *proto.mutable_initializer()) tensor(each);
    for (auto& each : *proto.mutable_node()) node(each);
  }
  void model(onnx::ModelProto& proto) {
    graph(*proto.mutable_graph());
    for (auto& function : *proto.mutable_functions()) {
      for (auto& each : *function.mutable_node()) node(each);
    }
  }
};

std::string text_of(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text += finding.fingerprint + " " + describe(finding);
  return text;
}

std::string shapes_of(const Model& model) {
  const Shapes shapes = infer(model);
  std::string text;
  for (std::uint32_t i = 0; i < model.value_count(); ++i) {
    text += std::string(model.value(ValueId{i}).name) + " " + shapes.text(ValueId{i});
    for (const Dim dim : shapes[ValueId{i}].known) text += " " + shapes.dims().text(dim);
    text += "\n";
  }
  return text;
}

std::vector<RuleCase> all_cases() {
  std::vector<RuleCase> cases;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(TRTCHECK_SOURCE_DIR) / "tests/rules")) {
    if (entry.path().extension() != ".md") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    std::ranges::move(rule_cases(text.str()), std::back_inserter(cases));
  }
  return cases;
}

}  // namespace

TEST_CASE("constants in a file beside the model give the same answers as in the model") {
  const TemporaryFolder folder;
  int moved = 0;
  for (const RuleCase& item : all_cases()) {
    const CaseOptions options = parse_options(item.options);
    const std::string bytes = onnx_bytes(item.onnx, options.opset);
    // These are about where constants are, or have too few of them.
    if (bytes.find("location") != std::string::npos || bytes.find("offset") != std::string::npos) continue;
    onnx::ModelProto proto;
    if (!proto.ParseFromString(bytes)) continue;  // nested deeper than protobuf reads
    Moved twin;
    twin.model(proto);
    if (twin.count == 0) continue;
    moved += twin.count;
    std::ofstream(folder.path / "w.bin", std::ios::binary) << twin.file;
    const std::string outside = proto.SerializeAsString();
    CheckOptions how;
    how.target = options.target;
    INFO(item.name << "\n" << item.onnx);
    const std::vector<Finding> expected = check(as_bytes(bytes), how).findings;
    // MDL21x is about too few values; which types the parser reads (MDL312) differs outside of the model.
    if (std::ranges::any_of(
            expected, [](const Finding& f) { return f.rule->code.starts_with("MDL21") || f.rule->code == "MDL312"; })) {
      continue;
    }
    CHECK(text_of(check(as_bytes(outside), how, folder.path.string()).findings) == text_of(expected));
    CHECK(shapes_of(read_model(as_bytes(outside), folder.path.string())) == shapes_of(read_model(as_bytes(bytes))));
  }
  CHECK(moved > 500);
}
