// What the descriptors say of releases: a rule that asks for more fails (target/release_view.hpp), one that asks for
// less would be run for nothing.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include <onnx/onnx_pb.h>

#include <trtcheck/ranges.hpp>

#include <as_bytes.hpp>
#include <onnx_text.hpp>

#include "checked.hpp"
#include "engine/run.hpp"
#include "rules/list.hpp"
#include "target/gates.hpp"
#include "view/inference_options.hpp"

namespace fs = std::filesystem;
using namespace trtcheck;
using namespace trtcheck::test;

namespace {

std::vector<TrtVersion> all_releases() {
  std::vector<TrtVersion> all(known_releases().begin(), known_releases().end());
  all.insert(all.end(), known_rtx_releases().begin(), known_rtx_releases().end());
  return all;
}

/// A model of a case or of a rule's documentation, and what it is checked for.
struct Prepared {
  std::string rule;  ///< whose it is
  CaseOptions options;
  std::string bytes{};
  std::unique_ptr<Model> model{};
  std::unique_ptr<Shapes> shapes{};
};

Prepared prepared(std::string rule, std::string bytes, CaseOptions options) {
  Prepared made{.rule = std::move(rule), .options = std::move(options), .bytes = std::move(bytes)};
  made.model = std::make_unique<Model>(read_model(as_bytes(made.bytes), made.options.folder));
  made.options.ranges.graph = graph_id(*made.model);
  made.shapes = std::make_unique<Shapes>(infer(*made.model, inference_options(*made.model, made.options.target)));
  return made;
}

Prepared prepared(std::string rule, std::string_view onnx, std::string_view options_text) {
  CaseOptions options = parse_options(options_text);
  std::string bytes = onnx_bytes(onnx, options.opset);
  if (options.declares_outputs) bytes = with_declared_outputs(bytes);
  return prepared(std::move(rule), std::move(bytes), std::move(options));
}

/// What makes a rule ask and is no case of one: nothing is found, or ONNX text has no word for it.
struct Extra {
  std::string_view rule;
  std::string_view onnx;
  void (*change)(onnx::GraphProto&) = nullptr;
};

template <int kType>
void set_types(onnx::GraphProto& graph) {
  for (auto* values : {graph.mutable_input(), graph.mutable_output()}) {
    for (onnx::ValueInfoProto& value : *values) value.mutable_type()->mutable_tensor_type()->set_elem_type(kType);
  }
  for (onnx::TensorProto& tensor : *graph.mutable_initializer()) tensor.set_data_type(kType);
}
void repeat_initializer(onnx::GraphProto& graph) { *graph.add_initializer() = graph.initializer(0); }

constexpr int kInt4 = 22;
constexpr int kFloat4 = 23;
constexpr std::string_view kSum = "agraph (float[4] x) => (float[4] y) <float[4] w = {1,2,3,4}> { y = Add (x, w) }";
constexpr Extra kExtra[] = {
    {"duplicate-value", kSum, repeat_initializer},
    {"input-type-unsupported", kSum, set_types<kInt4>},
    {"input-type-unsupported", kSum, set_types<kFloat4>},
    {"initializer-type-unsupported", kSum, set_types<kInt4>},
    {"initializer-type-unsupported", kSum, set_types<kFloat4>},
    {"output-type-mismatch", kSum, set_types<kInt4>},
    {"output-type-mismatch", kSum, set_types<kFloat4>},
    {"carried-value-changes",
     R"(agraph (int64[1,4] first, float[5,4] x) => (int64[M,4] y, float[5,4] s) {
       y, s = Scan <num_scan_inputs = 1, body = body (int64[A,4] v, float[4] row) => (int64[B,4] w, float[4] o) {
         w = Concat <axis = 0> (v, v)
         o = Relu (row)
       }> (first, x)
     })"},
    {"wrong-input-type", "agraph (int64[4] x) => (a, b, c) { a = Softplus (x) b = Selu (x) c = HardSigmoid (x) }"},
    {"batchnorm-training-mode", R"(agraph (float[1,2,4,4] x) => (y, m, v) <float[2] one = {1,1}> {
       a = BatchNormalization (x, one, one, one, one)
       y, m, v = BatchNormalization <training_mode = 1> (a, one, one, one, one)
     })"},
    {"batchnorm-after-quantized-conv", R"(agraph (float[1,2,4,4] x) => (y)
     <float[2,2,1,1] w = {1,1,1,1}, float a = {0.05}, int8 z = {0}, float[2] s = {1,1}> {
       xq = QuantizeLinear (x, a, z)
       xd = DequantizeLinear (xq, a, z)
       wq = QuantizeLinear (w, a, z)
       wd = DequantizeLinear (wq, a, z)
       c = ConvTranspose (xd, wd)
       y = BatchNormalization (c, s, s, s, s)
     })"},
    {"operator-after-dequantize", R"(agraph (float[1,2,4,4] x) => (y)
     <float[2,2] w = {1,1,1,1}, float a = {0.05}, int8 z = {0}, int64[4] shape = {2,2,1,1}> {
       xq = QuantizeLinear (x, a, z)
       xd = DequantizeLinear (xq, a, z)
       wq = QuantizeLinear (w, a, z)
       wd = DequantizeLinear (wq, a, z)
       r = Reshape (wd, shape)
       y = Conv (xd, r)
     })"},
};

Prepared prepared(const Extra& extra) {
  std::string bytes = onnx_bytes(extra.onnx, 17);
  if (extra.change != nullptr) {
    onnx::ModelProto proto;
    proto.ParseFromString(bytes);
    extra.change(*proto.mutable_graph());
    bytes = proto.SerializeAsString();
  }
  return prepared(std::string(extra.rule), std::move(bytes), {});
}

std::vector<Prepared> all_prepared() {
  std::vector<Prepared> all;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(TRTCHECK_SOURCE_DIR) / "tests/rules")) {
    if (entry.path().extension() != ".md") continue;
    std::string rule = entry.path().stem().string();
    std::ranges::replace(rule, '_', '-');
    std::ifstream file(entry.path(), std::ios::binary);
    std::ostringstream read;
    read << file.rdbuf();
    for (const RuleCase& one : rule_cases(read.str())) all.push_back(prepared(rule, one.onnx, one.options));
  }
  for (const Rule* rule : all_rules()) {
    for (const CodeBlock& block : code_blocks(rule->docs)) {
      if (block.language == "onnx") all.push_back(prepared(std::string(rule->name), block.text, block.options));
    }
  }
  for (const Extra& extra : kExtra) all.push_back(prepared(extra));
  return all;
}

bool fails(const Rule& rule, const Prepared& one, Target target) {
  static const std::vector<TrtVersion> kReleases = all_releases();
  const Rule* const only[] = {&rule};
  const engine::Selection selection;
  const auto results =
      engine::run_rules({.model = *one.model,
                         .shapes = *one.shapes,
                         .target = target,
                         .selection = selection,
                         .releases = kReleases,
                         .rules = only,
                         .numbers = {.ranges = one.options.ranges.tensors.empty() ? nullptr : &one.options.ranges,
                                     .read_weights = one.options.read_weights}});
  return std::ranges::any_of(results, [](const engine::RunResult& result) {
    return std::ranges::any_of(result.findings,
                               [](const Finding& f) { return f.rule == &rules::internal_error::rule; });
  });
}

bool fails(const Rule& rule, const Prepared& one) {
  Target strong = one.options.target;
  strong.strongly_typed = true;
  return fails(rule, one, one.options.target) || fails(rule, one, strong);
}

/// Whether the rule fails in some case, in some release: in one of its own, mostly.
bool fails(const Rule& rule) {
  static const std::vector<Prepared> kAll = all_prepared();
  const auto is_own = [&](const Prepared& one) { return one.rule == rule.name; };
  const auto does = [&](const Prepared& one) { return fails(rule, one); };
  return std::ranges::any_of(kAll, [&](const Prepared& one) { return is_own(one) && does(one); }) ||
         std::ranges::any_of(kAll, [&](const Prepared& one) { return !is_own(one) && does(one); });
}

GateSet without(const GateSet& gates, const Gate& left_out) {
  GateSet made;
  for (const Gate* gate : gates::kAll) {
    if (gate != &left_out && gates.contains(*gate)) made.add(*gate);
  }
  return made;
}

}  // namespace

TEST_CASE("a rule asks every gate that its descriptor lists, and no other") {
  for (const Rule* rule : all_rules()) {
    if (rule->check == nullptr) continue;
    INFO(rule->code << " " << rule->name);
    CHECK_FALSE(fails(*rule));
    for (const Gate* gate : gates::kAll) {
      if (!rule->gates.contains(*gate)) continue;
      INFO("lists " << gate->name);
      Rule less = *rule;
      less.gates = without(rule->gates, *gate);
      CHECK(fails(less));
    }
  }
}

TEST_CASE("a rule asks of a release what its descriptor says, and no more") {
  for (const Rule* rule : all_rules()) {
    if (rule->check == nullptr || rule->asks == Asks::gates) continue;
    INFO(rule->code << " " << rule->name);
    Rule less = *rule;
    less.asks = rule->asks == Asks::release ? Asks::operators : Asks::gates;
    CHECK(fails(less));
  }
}
