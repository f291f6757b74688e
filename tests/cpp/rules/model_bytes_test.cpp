// Models that ONNX text cannot express: sparse initializers, bytes that are no text, more than 2 GiB.
#include <fcntl.h>
#include <onnx/onnx_pb.h>
#include <unistd.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include <trtcheck/trtcheck.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

#include "text/printable.hpp"

namespace fs = std::filesystem;
using namespace trtcheck;
using Catch::Matchers::Contains;

namespace {

constexpr const char* kPlain = "agraph (float[2,3] x, float[3,2] w) => (float[2,2] y) { [dot] y = MatMul (x, w) }";

onnx::ModelProto parsed(const char* text) {
  onnx::ModelProto proto;
  REQUIRE(proto.ParseFromString(test::onnx_bytes(text)));
  return proto;
}

std::vector<Finding> check_proto(const onnx::ModelProto& proto) {
  const std::string bytes = proto.SerializeAsString();
  return check(test::as_bytes(bytes), {}).findings;
}

std::vector<std::string> codes(const std::vector<Finding>& findings) {
  std::vector<std::string> found;
  for (const Finding& finding : findings) found.emplace_back(finding.rule->code);
  return found;
}

}  // namespace

TEST_CASE("a sparse initializer is refused where a node reads it") {
  onnx::ModelProto proto = parsed(kPlain);
  proto.mutable_graph()->mutable_input()->RemoveLast();
  auto* sparse = proto.mutable_graph()->add_sparse_initializer();
  sparse->add_dims(3);
  sparse->add_dims(2);
  sparse->mutable_values()->set_name("w");
  sparse->mutable_values()->set_data_type(onnx::TensorProto::FLOAT);
  sparse->mutable_values()->add_dims(1);
  sparse->mutable_values()->add_float_data(1);
  sparse->mutable_indices()->set_data_type(onnx::TensorProto::INT64);
  sparse->mutable_indices()->add_dims(1);
  sparse->mutable_indices()->add_int64_data(2);
  const auto findings = check_proto(proto);
  CHECK(codes(findings) == std::vector<std::string>{"MDL214"});
  CHECK(findings.at(0).node == "dot");

  proto.mutable_graph()->mutable_node(0)->set_input(1, "x2");
  auto* input = proto.mutable_graph()->add_input();
  *input = proto.graph().input(0);
  input->set_name("x2");
  input->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_dim_value(3);
  input->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(1)->set_dim_value(2);
  CHECK(codes(check_proto(proto)) == std::vector<std::string>{"MDL401"});  // nobody reads it
}

TEST_CASE("names that are not UTF-8 are told, once") {
  onnx::ModelProto proto = parsed(kPlain);
  proto.mutable_graph()->mutable_node(0)->set_name("\xff\xfe");
  CHECK(codes(check_proto(proto)) == std::vector<std::string>{"MDL302"});

  proto = parsed(kPlain);
  proto.mutable_graph()->mutable_input(0)->set_name("\xc0\x80");
  proto.mutable_graph()->mutable_node(0)->set_input(0, "\xc0\x80");
  const auto findings = check_proto(proto);
  CHECK(codes(findings) == std::vector<std::string>{"MDL302"});
  CHECK_THAT(findings.at(0).message, Contains("an input or initializer"));
}

TEST_CASE("names that are longer than TensorRT takes") {
  const std::string longest(4095, 'n');
  const std::string longer(4096, 'n');
  for (const std::string& name : {longest, longer}) {
    const std::vector<std::string> expected =
        name == longer ? std::vector<std::string>{"MDL303"} : std::vector<std::string>{};
    onnx::ModelProto proto = parsed(kPlain);
    proto.mutable_graph()->mutable_node(0)->set_name(name);
    CHECK(codes(check_proto(proto)) == expected);

    proto = parsed(kPlain);
    proto.mutable_graph()->mutable_input(0)->set_name(name);
    proto.mutable_graph()->mutable_node(0)->set_input(0, name);
    CHECK(codes(check_proto(proto)) == expected);

    proto = parsed(kPlain);
    proto.mutable_graph()->mutable_output(0)->set_name(name);
    proto.mutable_graph()->mutable_node(0)->set_output(0, name);
    const auto findings = check_proto(proto);
    CHECK(codes(findings) == expected);
    if (name == longer) CHECK(findings.at(0).value.size() < 100);
  }
}

TEST_CASE("UTF-8 as RFC 3629 has it") {
  for (const char* good : {"", "a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf", "x\xc3\xa9y"}) {
    CHECK(is_utf8(good));
  }
  for (const char* bad : {"\x80", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                          "\xf5\x80\x80\x80", "\xe2\x82", "a\xff", "\xf0\x9f\x98"}) {
    CHECK_FALSE(is_utf8(bad));
  }
}

TEST_CASE("a model of 2 GiB or more is refused, one byte less is not") {
  // A field that onnx.proto does not know, 2 GiB long, as a hole in the file: the reader skips it.
  const std::string model = test::onnx_bytes(kPlain);
  const std::string tag_and_length("\xfa\x3e", 2);  // field 1007, length-delimited
  const fs::path path = fs::temp_directory_path() / ("trtcheck_2gib_" + std::to_string(::getpid()) + ".onnx");
  const auto check_size = [&](std::uint64_t total) {
    const std::uint64_t hole = total - model.size() - tag_and_length.size() - 5;
    std::string length;
    for (std::uint64_t rest = hole, i = 0; i < 5; ++i, rest >>= 7) {
      length.push_back(static_cast<char>((rest & 0x7f) | (i < 4 ? 0x80 : 0)));
    }
    std::ofstream(path, std::ios::binary) << model << tag_and_length << length;
    fs::resize_file(path, total);
    return codes(check(path.string(), {}).findings);
  };
  CHECK(check_size(0x80000000ULL) == std::vector<std::string>{"MDL301"});
  CHECK(check_size(0x7fffffffULL).empty());
  fs::remove(path);
}

TEST_CASE("a Constant with external data is checked like an initializer") {
  onnx::ModelProto proto =
      parsed("agraph (float[2] x) => (float[2] y) { c = Constant <value = float[2] {1, 2}> () y = Add (x, c) }");
  auto* value = proto.mutable_graph()->mutable_node(0)->mutable_attribute(0)->mutable_t();
  value->clear_float_data();
  value->clear_raw_data();
  value->set_data_location(onnx::TensorProto::EXTERNAL);
  auto* entry = value->add_external_data();
  entry->set_key("location");
  entry->set_value("../w.bin");
  const auto findings = check_proto(proto);
  CHECK(codes(findings) == std::vector<std::string>{"MDL202"});
  CHECK_THAT(findings.at(0).message, Contains("`value` of Constant `Constant_0`"));
}
