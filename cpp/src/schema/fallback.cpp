#include "schema/fallback.hpp"

#include <array>
#include <deque>
#include <exception>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include <onnx/defs/operator_sets.h>
#include <onnx/defs/operator_sets_ml.h>
#include <onnx/defs/operator_sets_preview.h>
#include <onnx/defs/operator_sets_training.h>
#include <onnx/defs/schema.h>
#include <onnx/defs/shape_inference.h>

#include "schema/facts.hpp"
#include "schema/protos.hpp"

namespace trtcheck::schema {

namespace {

template <class Set>
void add_set() {
  onnx::RegisterOpSetSchema<Set>();
}

using AddSet = void (*)();
/// The schemas that an opset brought, from opset 1 on. All of them together take longer than a thousand small models.
constexpr AddSet kSets[] = {
    add_set<onnx::OpSet_Onnx_ver1>,  add_set<onnx::OpSet_Onnx_ver2>,  add_set<onnx::OpSet_Onnx_ver3>,
    add_set<onnx::OpSet_Onnx_ver4>,  add_set<onnx::OpSet_Onnx_ver5>,  add_set<onnx::OpSet_Onnx_ver6>,
    add_set<onnx::OpSet_Onnx_ver7>,  add_set<onnx::OpSet_Onnx_ver8>,  add_set<onnx::OpSet_Onnx_ver9>,
    add_set<onnx::OpSet_Onnx_ver10>, add_set<onnx::OpSet_Onnx_ver11>, add_set<onnx::OpSet_Onnx_ver12>,
    add_set<onnx::OpSet_Onnx_ver13>, add_set<onnx::OpSet_Onnx_ver14>, add_set<onnx::OpSet_Onnx_ver15>,
    add_set<onnx::OpSet_Onnx_ver16>, add_set<onnx::OpSet_Onnx_ver17>, add_set<onnx::OpSet_Onnx_ver18>,
    add_set<onnx::OpSet_Onnx_ver19>, add_set<onnx::OpSet_Onnx_ver20>, add_set<onnx::OpSet_Onnx_ver21>,
    add_set<onnx::OpSet_Onnx_ver22>, add_set<onnx::OpSet_Onnx_ver23>, add_set<onnx::OpSet_Onnx_ver24>,
    add_set<onnx::OpSet_Onnx_ver25>, add_set<onnx::OpSet_Onnx_ver26>, add_set<onnx::OpSet_Onnx_ver27>,
    add_set<onnx::OpSet_Onnx_ver28>};

/// The registry is a part of the onnx library; what is ours is to fill it, with what is asked for.
class Registry {
 public:
  const onnx::OpSchema* find(const Node& node, std::int64_t opset) {
    const SchemaFacts* facts = schema_facts(node.domain, node.op_type, opset);
    if (facts == nullptr || opset > std::numeric_limits<int>::max()) return nullptr;
    const std::lock_guard lock(mutex_);
    if (!node.domain.empty()) {
      add_other_domains();
    } else if (!add(static_cast<std::size_t>(facts->since))) {
      return nullptr;
    }
    return onnx::OpSchemaRegistry::Schema(std::string(node.op_type), static_cast<int>(opset), std::string(node.domain));
  }

 private:
  bool add(std::size_t since) {
    if (since == 0 || since > std::size(kSets)) return false;
    if (!std::exchange(has_[since - 1], true)) kSets[since - 1]();
    return true;
  }
  void add_other_domains() {
    if (std::exchange(has_others_, true)) return;
    onnx::RegisterOnnxMLOperatorSetSchema();
    onnx::RegisterOnnxPreviewOperatorSetSchema();
    onnx::RegisterOnnxTrainingOperatorSetSchema();
  }

  std::mutex mutex_;
  std::array<bool, std::size(kSets)> has_{};
  bool has_others_ = false;
};

const onnx::OpSchema* find_schema(const Node& node, std::int64_t opset) {
  static Registry registry;
  return registry.find(node, opset);
}

class Context final : public onnx::InferenceContext {
 public:
  Context(const Model& model, const Node& node, std::span<const CarriedValue> inputs)
      : model_(&model), inputs_(inputs), input_types_(inputs.size()), output_types_(node.outputs.size()) {
    for (const Attribute& attribute : node.attributes) {
      attributes_.emplace(attribute.name, to_proto(model, attribute));
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) input_types_[i] = type_proto(inputs[i]);
  }

  const onnx::AttributeProto* getAttribute(const std::string& name) const override {
    const auto found = attributes_.find(name);
    return found == attributes_.end() ? nullptr : &found->second;
  }
  std::size_t getNumInputs() const override { return inputs_.size(); }
  const onnx::TypeProto* getInputType(std::size_t i) const override {
    return i < inputs_.size() && inputs_[i].kind != CarriedValue::Kind::absent ? &input_types_[i] : nullptr;
  }
  const onnx::TensorProto* getInputData(std::size_t i) const override {
    if (i >= inputs_.size()) return nullptr;
    auto proto = data_proto(*model_, inputs_[i]);
    if (!proto) return nullptr;
    data_.push_back(std::move(*proto));
    return &data_.back();
  }
  const onnx::SparseTensorProto* getInputSparseData(std::size_t) const override { return nullptr; }
  const onnx::TensorShapeProto* getSymbolicInput(std::size_t i) const override {
    if (i >= inputs_.size() || !inputs_[i].has_contents) return nullptr;
    contents_.push_back(shape_proto(inputs_[i].contents));
    return &contents_.back();
  }
  std::size_t getNumOutputs() const override { return output_types_.size(); }
  onnx::TypeProto* getOutputType(std::size_t i) override {
    if (i >= output_types_.size()) throw onnx::InferenceError("output " + std::to_string(i) + " is out of range");
    return &output_types_[i];
  }
  onnx::GraphInferencer* getGraphAttributeInferencer(const std::string&) override { return nullptr; }

  [[nodiscard]] const std::vector<onnx::TypeProto>& outputs() const { return output_types_; }

 private:
  const Model* model_;
  std::span<const CarriedValue> inputs_;
  std::vector<onnx::TypeProto> input_types_;
  std::vector<onnx::TypeProto> output_types_;
  std::map<std::string, onnx::AttributeProto, std::less<>> attributes_;
  // Made when asked for; the callers keep the addresses.
  mutable std::deque<onnx::TensorProto> data_;
  mutable std::deque<onnx::TensorShapeProto> contents_;
};

/// "[ShapeInferenceError] (op_type:X) text\n\n==> Context: ..." -> "text".
std::string one_line(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  if (text.starts_with('[')) {
    const std::size_t end = text.find("] ");
    if (end != std::string_view::npos) text.remove_prefix(end + 2);
  }
  return std::string(text);
}

bool has_graphs(const Node& node) {
  for (const Attribute& attribute : node.attributes) {
    if (attribute.type == AttributeType::graph || attribute.type == AttributeType::graphs) return true;
  }
  return false;
}

}  // namespace

Outcome infer_by_onnx(const Model& model, const Node& node, std::int64_t opset, std::span<const CarriedValue> inputs) {
  Outcome outcome;
  if (has_graphs(node)) {
    outcome.failure = "graphs of this operator are not followed";
    return outcome;
  }
  const onnx::OpSchema* schema = find_schema(node, opset);
  if (schema == nullptr || !schema->has_type_and_shape_inference_function()) {
    outcome.failure = "ONNX defines no shape inference for the operator";
    return outcome;
  }
  try {
    Context context(model, node, inputs);
    schema->GetTypeAndShapeInferenceFunction()(context);
    for (const onnx::TypeProto& type : context.outputs()) outcome.outputs.push_back(carried(type));
  } catch (const std::exception& complaint) {
    // Whatever the library throws at a malformed node is its answer, not a fault of ours.
    outcome.outputs.clear();
    outcome.failure = one_line(complaint.what());
    if (outcome.failure.empty()) outcome.failure = "ONNX's shape inference refuses the node";
  }
  return outcome;
}

}  // namespace trtcheck::schema
