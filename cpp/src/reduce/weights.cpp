#include "reduce/weights.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "model/external_files.hpp"
#include "reduce/numbers.hpp"

namespace trtcheck::reducing {
namespace {

// Tables of whole numbers that are no larger are looked at by inference, or by TensorRT's parser.
constexpr std::int64_t kTable = 4096;
// Beyond it a file of ONNX cannot hold the tensor.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;

/// A stored tensor: an initializer, or the value of a Constant.
struct Weight {
  std::string name;  ///< of the value
  ValueId value;
  TensorId tensor;
  NodeId constant;  ///< none = an initializer
};

std::vector<Weight> weights_of(const Model& model) {
  std::vector<Weight> found;
  for (std::uint32_t i = 0; i < model.value_count(); ++i) {
    const Value& value = model.value(ValueId{i});
    const Graph::Kind kind = model.graph(value.graph).kind;
    if (kind != Graph::Kind::main && kind != Graph::Kind::body) continue;
    if (value.initializer) {
      found.push_back({std::string(value.name), ValueId{i}, value.initializer, {}});
    } else if (value.producer && model.node(value.producer).op_type == "Constant") {
      const Attribute* const stored = model.node(value.producer).attribute("value");
      if (stored != nullptr && stored->type == AttributeType::tensor && stored->t()) {
        found.push_back({std::string(value.name), ValueId{i}, stored->t(), value.producer});
      }
    }
  }
  return found;
}

bool is_float(DataType type) {
  return type == DataType::float32 || type == DataType::float16 || type == DataType::bfloat16 ||
         type == DataType::float64;
}

bool is_replaced(const Model& model, const Shapes& shapes, const Weight& weight) {
  const Tensor& tensor = model.tensor(weight.tensor);
  const auto count = tensor.element_count();
  if (!count || *count == 0 || tensor.is_sparse || bits_of(tensor.type) == 0) return false;
  // Sizes are computed from it.
  if (shapes[weight.value].is_known && !is_float(tensor.type)) return false;
  // Zero points and small tables of whole numbers.
  return is_float(tensor.type) || is_small_float(tensor.type) || (tensor.dims.size() > 1 && *count > 1) ||
         *count > kTable;
}

edit::Edit replaced(const Model& model, const Weight& weight, ReducedWeights by, std::uint64_t seed) {
  const Tensor& tensor = model.tensor(weight.tensor);
  edit::TensorValue made{.type = tensor.type, .dims = {tensor.dims.begin(), tensor.dims.end()}};
  const Traits traits = traits_of(model, weight.value, tensor);
  made.bytes = by == ReducedWeights::zero ? zeros(tensor, traits) : random_numbers(tensor, traits, seed);
  if (weight.constant) return edit::SetAttribute{edit::place_of(model, weight.constant), {"value", std::move(made)}};
  return edit::PutTensor{edit::place_of(model, model.value(weight.value).graph), weight.name, std::move(made)};
}

class Replacer {
 public:
  Replacer(Trial& trial, ReducedWeights by) : trial_(&trial), by_(by) {}

  /// All of these; where the finding does not allow that, each half.
  void replace(std::span<const std::string> names) {
    if (names.empty()) return;
    std::vector<edit::Edit> edits;
    std::uint64_t bytes = 0;
    for (const Weight& weight : weights_of(trial_->model())) {
      if (std::ranges::find(names, weight.name) == names.end()) continue;
      const Tensor& tensor = trial_->model().tensor(weight.tensor);
      bytes += bytes_of_elements(tensor).value_or(kMostBytes + 1);
      if (bytes > kMostBytes) break;
      edits.push_back(replaced(trial_->model(), weight, by_, hash_of(weight.name)));
    }
    if (bytes <= kMostBytes && trial_->attempt_with_same_shapes(edits)) return;
    if (names.size() == 1) {
      kept_.push_back(names.front());
      return;
    }
    const std::size_t half = names.size() / 2;
    replace(names.first(half));
    replace(names.subspan(half));
  }
  [[nodiscard]] std::vector<std::string> kept() && { return std::move(kept_); }

 private:
  Trial* trial_;
  ReducedWeights by_;
  std::vector<std::string> kept_;
};

}  // namespace

std::vector<std::string> replace_weights(Trial& trial, ReducedWeights by) {
  if (by == ReducedWeights::keep) return {};
  std::vector<std::string> names;
  for (const Weight& weight : weights_of(trial.model())) {
    if (is_replaced(trial.model(), trial.shapes(), weight)) names.push_back(weight.name);
  }
  Replacer replacer(trial, by);
  replacer.replace(names);
  std::vector<std::string> kept = std::move(replacer).kept();
  for (std::string& name : kept)
    name = fmt::format("weights of `{}` are those of the model: the finding, or a shape, needs them", name);
  return kept;
}

}  // namespace trtcheck::reducing
