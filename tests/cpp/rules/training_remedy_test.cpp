// What WGT203 and WGT204 propose, by what exporters record of the node. The texts are those of torch 2.13, cut.
#include <onnx/onnx_pb.h>
#include <catch2/catch.hpp>

#include <string>

#include <trtcheck/trtcheck.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

using namespace trtcheck;
using Catch::Matchers::StartsWith;

namespace {

enum class Record { doc_string, metadata };

/// The fix of the only finding.
std::string fix_of(Record record, const std::string& key, const std::string& text) {
  onnx::ModelProto proto;
  REQUIRE(proto.ParseFromString(test::onnx_bytes(R"(agraph (float[1,2,4,4] x) => (float[1,2,4,4] y)
    <float[2] s = {1,1}, float[2] b = {0,0}, float[2] m = {0,0}, float[2] v = {1,1}> {
      y = BatchNormalization <training_mode = 1> (x, s, b, m, v)
    })")));
  onnx::NodeProto& node = *proto.mutable_graph()->mutable_node(0);
  if (record == Record::doc_string) {
    node.set_doc_string(text);
  } else {
    auto* entry = node.add_metadata_props();
    entry->set_key(key);
    entry->set_value(text);
  }
  const std::string bytes = proto.SerializeAsString();
  const Report report = check(test::as_bytes(bytes), {});
  REQUIRE(report.findings.size() == 1);
  REQUIRE(report.findings[0].rule->code == "WGT203");
  return report.findings[0].fix.value().title;
}

constexpr const char* kModule = "call `model.eval()` before the export (and";
constexpr const char* kCall = "write `training=self.training`";
constexpr const char* kEither = "call `model.eval()` before the export and pass no";

}  // namespace

TEST_CASE("the flag of a module, and the flag that is written into a call") {
  struct Row {
    Record record;
    const char* key;
    const char* text;
    const char* fix;
  };
  const std::string functional = "/v/site-packages/torch/nn/functional.py(2898): batch_norm\n";
  const std::string module_frame = functional + "/v/site-packages/torch/nn/modules/batchnorm.py(210): forward\n";
  const std::string windows_frame =
      "C:\\v\\torch\\nn\\functional.py(2898): batch_norm\n"
      "C:\\v\\torch\\nn\\modules\\batchnorm.py(210): forward\n";
  const std::string call_frame = functional + "/p/net.py(8): forward\n";
  const char* const stack = "pkg.torch.onnx.stack_trace";
  const Row rows[] = {
      {Record::doc_string, "", module_frame.c_str(), kModule},
      {Record::doc_string, "", windows_frame.c_str(), kModule},
      {Record::doc_string, "", call_frame.c_str(), kCall},
      {Record::doc_string, "", "/p/net.py(8): forward\n", kEither},
      {Record::doc_string, "", "/p/nn/modules/batchnorm.py(8): forward\n", kEither},
      {Record::metadata, stack,
       "File \"/p/net.py\", line 16, in forward\n    return s.bn(s.conv(x))\n"
       "  File \"/v/site-packages/torch/nn/modules/batchnorm.py\", line 210, in forward\n    return F.batch_norm(",
       kModule},
      {Record::metadata, stack,
       "File \"/p/net.py\", line 18, in forward\n    return F.batch_norm(x, s.m, s.v, training=True)", kCall},
      {Record::metadata, stack, "File \"/p/net.py\", line 18, in forward\n    return s.block(x)", kEither},
      {Record::metadata, "pkg.torch.onnx.class_hierarchy",
       "['m.Net', 'torch.nn.modules.batchnorm.BatchNorm2d', 'aten._native_batch_norm_legit.no_stats']", kModule},
      {Record::metadata, "pkg.torch.onnx.class_hierarchy",
       "['m.Net', 'm.Own', 'aten._native_batch_norm_legit_functional.default']", kEither},
  };
  for (const Row& row : rows) {
    CAPTURE(row.key, row.text);
    CHECK_THAT(fix_of(row.record, row.key, row.text), StartsWith(row.fix));
  }
}
