// Strange models: a whole check gives a report or an Error. Random bytes seldom are a model, so the mutator edits
// what protobuf makes of them: operators, names, dims, attributes, types, versions.
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <span>
#include <string>

#include <onnx/onnx_pb.h>

#include <trtcheck/trtcheck.hpp>

namespace {

using Random = std::minstd_rand;

std::size_t below(Random& random, int n) { return random() % static_cast<std::size_t>(n); }

std::int64_t odd_number(Random& random) {
  static constexpr std::int64_t kNumbers[] = {0,
                                              1,
                                              -1,
                                              2,
                                              3,
                                              7,
                                              64,
                                              -2,
                                              1000,
                                              1LL << 31,
                                              1LL << 40,
                                              std::numeric_limits<std::int64_t>::max(),
                                              std::numeric_limits<std::int64_t>::min()};
  return kNumbers[random() % std::size(kNumbers)];
}

template <class List>
auto* pick(List* list, Random& random) {
  return list->empty() ? nullptr : list->Mutable(static_cast<int>(below(random, list->size())));
}

void edit_attribute(onnx::AttributeProto& a, Random& random) {
  switch (random() % 4) {
    case 0:
      a.set_i(odd_number(random));
      break;
    case 1:
      a.set_f(static_cast<float>(odd_number(random)));
      break;
    case 2:
      if (a.ints_size() > 0) a.set_ints(static_cast<int>(below(random, a.ints_size())), odd_number(random));
      break;
    default:
      if (random() % 2 == 0)
        a.add_ints(odd_number(random));
      else
        a.clear_ints();
  }
}

void edit_node(onnx::GraphProto& graph, onnx::NodeProto& node, Random& random) {
  const onnx::NodeProto other = *pick(graph.mutable_node(), random);
  switch (random() % 10) {
    case 0:
      node.set_op_type(other.op_type());
      break;
    case 8:
      if (node.output_size() > 0) node.set_output(static_cast<int>(below(random, node.output_size())), "");
      break;
    case 9:
      if (node.input_size() > 0) node.set_input(static_cast<int>(below(random, node.input_size())), "");
      break;
    case 1:
      if (node.input_size() > 0) node.mutable_input()->RemoveLast();
      break;
    case 2:
      if (other.output_size() > 0) node.add_input(other.output(0));
      break;
    case 3:
      if (node.input_size() > 0 && other.output_size() > 0) {
        node.set_input(static_cast<int>(below(random, node.input_size())), other.output(0));
      }
      break;
    case 4:
      if (node.output_size() > 0 && random() % 2 == 0) node.add_output(node.output(0) + "x");
      break;
    case 5:
      *graph.add_node() = other;
      break;
    case 6:
      if (other.attribute_size() > 0) *node.add_attribute() = other.attribute(0);
      break;
    default:
      if (auto* a = pick(node.mutable_attribute(), random)) {
        if (a->has_g() && a->g().node_size() > 0)
          edit_node(*a->mutable_g(), *pick(a->mutable_g()->mutable_node(), random), random);
        else
          edit_attribute(*a, random);
      }
  }
}

void edit_type(onnx::ValueInfoProto& info, Random& random) {
  auto* tensor = info.mutable_type()->mutable_tensor_type();
  switch (random() % 4) {
    case 0:
      tensor->set_elem_type(static_cast<int>(random() % 29));
      break;
    case 1:
      tensor->mutable_shape()->add_dim()->set_dim_value(odd_number(random));
      break;
    case 2:
      tensor->mutable_shape()->clear_dim();
      break;
    default:
      if (auto* dim = pick(tensor->mutable_shape()->mutable_dim(), random)) {
        if (random() % 2 == 0)
          dim->set_dim_value(odd_number(random));
        else
          dim->set_dim_param(random() % 2 == 0 ? "N" : "N*2+1");
      }
  }
}

void edit(onnx::ModelProto& model, Random& random) {
  onnx::GraphProto& graph = *model.mutable_graph();
  switch (random() % 8) {
    case 0:
      if (auto* info = pick(graph.mutable_input(), random)) edit_type(*info, random);
      break;
    case 1:
      if (auto* info = pick(graph.mutable_value_info(), random)) edit_type(*info, random);
      break;
    case 2:
      if (auto* tensor = pick(graph.mutable_initializer(), random)) {
        if (random() % 2 == 0)
          tensor->set_data_type(static_cast<int>(random() % 29));
        else if (tensor->dims_size() > 0)
          tensor->set_dims(static_cast<int>(below(random, tensor->dims_size())), odd_number(random));
        else
          tensor->add_dims(odd_number(random));
        break;
      }
      [[fallthrough]];
    case 3:
      if (auto* import = pick(model.mutable_opset_import(), random))
        import->set_version(static_cast<int>(random() % 26));
      break;
    default:
      if (auto* node = pick(graph.mutable_node(), random)) edit_node(graph, *node, random);
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  onnx::ModelProto model;
  if (!model.ParseFromArray(data, static_cast<int>(size))) return size;
  Random random(seed);
  for (std::size_t edits = 1 + random() % 4; edits > 0; --edits) edit(model, random);
  const std::string bytes = model.SerializeAsString();
  if (bytes.size() > max_size) return size;
  std::copy(bytes.begin(), bytes.end(), data);
  return bytes.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const trtcheck::CheckOptions options{.limits = {.nodes = 5'000, .expansion = 2'000}};
    const trtcheck::Report report = trtcheck::check(std::as_bytes(std::span(data, size)), options);
    if (trtcheck::render({&report, 1}, {}).empty()) std::abort();
    // A rule that threw reports so itself: for the fuzzer that is a crash.
    for (const trtcheck::Finding& finding : report.findings) {
      if (finding.rule != nullptr && finding.rule->code == "MDL900") std::abort();
    }
  } catch (const trtcheck::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
