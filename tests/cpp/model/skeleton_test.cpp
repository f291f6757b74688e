// Models read with holes are the models read without: sound ones, damaged ones, and what was fetched of them.
#include <catch2/catch.hpp>

#include <onnx/onnx_pb.h>

#include <random>

#include "model/partial.hpp"
#include "model/skeleton.hpp"
#include "support.hpp"

using namespace trtcheck;

namespace {

constexpr std::size_t kWeight = std::size_t{1} << 20;

struct Fetched {
  std::string memory;
  std::vector<ByteRange> holes;
  std::size_t bytes = 0;
  std::size_t requests = 0;
};

/// As a client does it: at least what is wanted, in blocks.
Fetched fetch(const std::string& file, std::size_t block) {
  Fetched result;
  result.memory.assign(file.size(), '\0');
  Skeleton skeleton(file.size());
  std::uint64_t fetched = 0;
  while (const auto want = skeleton.next(test::as_bytes(result.memory), fetched)) {
    REQUIRE(want->offset >= fetched);
    REQUIRE(want->length > 0);
    const std::size_t length =
        std::min<std::size_t>(std::max<std::size_t>(want->length, block), file.size() - want->offset);
    REQUIRE(length >= want->length);
    result.memory.replace(want->offset, length, file, want->offset, length);
    fetched = want->offset + length;
    result.bytes += length;
    ++result.requests;
  }
  result.holes = skeleton.holes();
  return result;
}

void add_weight(onnx::TensorProto& tensor, const std::string& name, std::size_t bytes = kWeight) {
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(static_cast<std::int64_t>(bytes / 4));
  tensor.set_raw_data(std::string(bytes, 'W'));
}

void add_scalar(onnx::TensorProto& tensor, const std::string& name) {
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_float_data(2.5F);
}

/// Weights in every place that may hold some, with something small after each.
onnx::ModelProto weights_everywhere() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  onnx::GraphProto& graph = *model.mutable_graph();
  add_weight(*graph.add_initializer(), "raw");
  add_scalar(*graph.add_initializer(), "scalar");
  onnx::TensorProto& floats = *graph.add_initializer();
  floats.set_name("floats");
  floats.set_data_type(onnx::TensorProto::FLOAT);
  floats.mutable_float_data()->Resize(static_cast<int>(kWeight / 4), 1.5F);
  onnx::TensorProto& doubles = *graph.add_initializer();
  doubles.set_name("doubles");
  doubles.set_data_type(onnx::TensorProto::DOUBLE);
  doubles.mutable_double_data()->Resize(static_cast<int>(kWeight / 8), 1.5);
  add_weight(*graph.add_sparse_initializer()->mutable_values(), "sparse");
  add_weight(*graph.mutable_sparse_initializer(0)->mutable_indices(), "indices");
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type("Constant");
  node.add_output("c");
  onnx::AttributeProto& value = *node.add_attribute();
  value.set_name("value");
  value.set_type(onnx::AttributeProto::TENSOR);
  add_weight(*value.mutable_t(), "constant");
  onnx::NodeProto& branch = *graph.add_node();
  branch.set_op_type("If");
  onnx::AttributeProto& body = *branch.add_attribute();
  body.set_name("then_branch");
  body.set_type(onnx::AttributeProto::GRAPH);
  add_weight(*body.mutable_g()->add_initializer(), "inner");
  add_scalar(*body.mutable_g()->add_initializer(), "inner scalar");
  onnx::FunctionProto& function = *model.add_functions();
  function.set_name("f");
  *function.add_node() = node;
  *function.add_attribute_proto() = value;
  add_weight(*model.add_training_info()->mutable_initialization()->add_initializer(), "training");
  model.add_opset_import()->set_version(17);
  return model;
}

/// Everything that a model says but the values, or why it cannot be read.
std::string text_of(const Model& model) {
  std::string text = std::to_string(model.node_count()) + " nodes";
  for (std::uint32_t i = 0; i < model.tensor_count(); ++i) {
    const Tensor& t = model.tensor(TensorId{i});
    text += "\n" + std::string(t.name) + " " + to_string(t.type) + " " + std::to_string(t.raw.offset) + "+" +
            std::to_string(t.raw.length) + " " + std::to_string(static_cast<int>(t.data));
    for (const std::int64_t dim : t.dims) text += " " + std::to_string(dim);
  }
  for (std::uint32_t i = 0; i < model.node_count(); ++i) {
    const Node& n = model.node(NodeId{i});
    text += "\n" + std::string(n.op_type) + " " + std::string(n.name) + " " + std::to_string(n.attributes().size());
  }
  for (const OpsetImport& o : model.opset_imports()) text += "\nopset " + std::to_string(o.version);
  return text;
}

template <class Read>
std::string outcome(Read&& read) {
  try {
    return text_of(read());
  } catch (const Error& error) {
    return error.what();
  }
}

void agree(const std::string& file, const Fetched& fetched) {
  const std::string local = outcome([&] { return read_partial_model(test::as_bytes(file), "m", {}); });
  const std::string remote =
      outcome([&] { return read_partial_model(test::as_bytes(fetched.memory), "m", fetched.holes); });
  REQUIRE(remote == local);
}

}  // namespace

TEST_CASE("weights are stepped over in every place, and nothing else is") {
  const std::string file = weights_everywhere().SerializeAsString();
  for (const std::size_t block : {std::size_t{1}, std::size_t{4096}, std::size_t{100'000}}) {
    const Fetched fetched = fetch(file, block);
    agree(file, fetched);
    CHECK(fetched.holes.size() == 10);
    for (const ByteRange hole : fetched.holes) CHECK(hole.length >= kWeight - block - 512);
    CHECK(fetched.bytes < 11 * (block + 512));
  }
}

TEST_CASE("a file without large weights is fetched as a whole") {
  onnx::ModelProto model = weights_everywhere();
  for (onnx::TensorProto& tensor : *model.mutable_graph()->mutable_initializer()) {
    tensor.clear_raw_data();
    tensor.clear_float_data();
    tensor.clear_double_data();
  }
  model.clear_functions();
  model.clear_training_info();
  model.mutable_graph()->clear_sparse_initializer();
  model.mutable_graph()->clear_node();
  SECTION("small") {}
  SECTION("with values that a rule may ask for") {
    onnx::TensorProto& scale = *model.mutable_graph()->add_initializer();
    add_weight(scale, "scale", Skeleton::kRemote.largest_values);
  }
  SECTION("with a long list of integers, which the reader counts") {
    onnx::TensorProto& list = *model.mutable_graph()->add_initializer();
    list.set_data_type(onnx::TensorProto::INT32);
    list.mutable_int32_data()->Resize(static_cast<int>(kWeight), 3);
  }
  SECTION("with a long string") { model.mutable_graph()->set_doc_string(std::string(kWeight, 'd')); }
  const std::string file = model.SerializeAsString();
  const Fetched fetched = fetch(file, 4096);
  CHECK(fetched.holes.empty());
  CHECK(fetched.bytes == file.size());
  CHECK(fetched.memory == file);
}

TEST_CASE("a payload that is mostly there already is not worth a hole") {
  onnx::ModelProto model;
  add_weight(*model.mutable_graph()->add_initializer(), "w");
  const std::string file = model.SerializeAsString();
  CHECK(fetch(file, kWeight - Skeleton::kRemote.smallest_hole + 100).holes.empty());
  CHECK(fetch(file, kWeight - Skeleton::kRemote.smallest_hole - 100).holes.size() == 1);
}

TEST_CASE("damaged files give the same error with holes and without") {
  const std::uint32_t seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random(seed);
  const std::string sound = weights_everywhere().SerializeAsString();
  // Where the structure is: what lies between the holes.
  std::vector<std::size_t> structure;
  std::size_t from = 0;
  for (const ByteRange hole : fetch(sound, 1).holes) {
    for (std::size_t i = from; i < hole.offset + 2; ++i) structure.push_back(i);
    from = hole.offset + hole.length - 2;
  }
  for (std::size_t i = from; i < sound.size(); ++i) structure.push_back(i);
  const auto any = [&] { return structure[random() % structure.size()]; };
  for (int i = 0; i < 300; ++i) {
    std::string file = sound;
    const std::size_t at = any();
    switch (random() % 4) {
      case 0:
        file[at] = static_cast<char>(random());
        break;
      case 1:
        file.resize(at);
        break;
      case 2:
        file.insert(at, 1 + random() % 3, static_cast<char>(random()));
        break;
      default:
        file.erase(at, 1 + random() % 5);
    }
    CAPTURE(i, at);
    agree(file, fetch(file, random() % 2 == 0 ? 1 : 65'536));
  }
}

TEST_CASE("lengths that lie do not make it fetch beyond the end, nor loop") {
  using std::string_literals::operator""s;
  const std::string rows[] = {
      ""s,
      "\x3a"s,
      "\x3a\xff\xff\xff\xff\x0f"s,
      "\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s,
      "\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"s,
      "\x3b\x00"s,
      "\x00\x00"s,
      "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"s,
      "\x09\x01"s,
      "\x3a\x82\x80\x80\x80\x80\x00\x00\x00"s,
  };
  for (const std::string& start : rows) {
    for (const std::size_t tail : {std::size_t{0}, std::size_t{3}, 2 * kWeight}) {
      const std::string file = start + std::string(tail, '\x2a');
      CAPTURE(file.substr(0, 20));
      const Fetched fetched = fetch(file, 1);
      agree(file, fetched);
    }
  }
}

TEST_CASE("messages in messages without end are refused as without holes") {
  for (const int depth : {30, 150, 600}) {
    std::string file(kWeight, '\0');
    for (int i = 0; i < depth; ++i) {
      onnx::ModelProto message;  // protobuf writes the length
      message.set_producer_name(file);
      file = message.SerializeAsString();
      file[0] = "\x2a\x0a\x32"[i % 3];  // from inside: NodeProto.attribute, GraphProto.node, AttributeProto.g
    }
    onnx::ModelProto whole;
    whole.set_producer_name(file);
    file = whole.SerializeAsString();
    file[0] = '\x3a';  // ModelProto.graph
    agree(file, fetch(file, 4096));
  }
}
