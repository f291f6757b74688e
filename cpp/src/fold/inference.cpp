// Layers that do something else in training.
#include <cmath>

#include "fold/families.hpp"
#include "fold/places.hpp"

namespace trtcheck::fold {
namespace {

void refuse_training() { throw Unfolded{"it is in training mode"}; }

void refuse_trained_normalization(const Call& call) {
  if (call.opset < 7 && call.integer("is_test", 0) == 0) refuse_training();
  if (call.opset < 14 && call.node.outputs.size() > 1) refuse_training();
  if (call.opset >= 14 && call.integer("training_mode", 0) != 0) refuse_training();
  if (call.opset < 9 && call.integer("spatial", 1) != 1) throw Unfolded{"attribute `spatial` is not evaluated"};
}

Outputs normalize(const Call& call) {
  refuse_trained_normalization(call);
  const Array& x = call.in(0);
  if (x.dims.size() < 2) throw Unfolded{"the input has no channels"};
  const std::vector<double> scale = numbers<double>(call.in(1));
  const std::vector<double> bias = numbers<double>(call.in(2));
  const std::vector<double> mean = numbers<double>(call.in(3));
  const std::vector<double> variance = numbers<double>(call.in(4));
  for (const std::size_t i : {1U, 2U, 3U, 4U}) {
    if (call.in(i).dims != Dims{x.dims[1]}) throw Unfolded{"there is not one parameter for each channel"};
  }
  const double epsilon = call.real("epsilon", 1e-5F);
  std::vector<double> values = numbers<double>(x);
  const std::size_t inner = product(std::span(x.dims).subspan(2));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t c = i / inner % scale.size();
    values[i] = (values[i] - mean[c]) / std::sqrt(variance[c] + epsilon) * scale[c] + bias[c];
  }
  return one(array_of(x.type, x.dims, values));
}

Outputs dropout(const Call& call) {
  if (call.opset < 7 && call.integer("is_test", 0) == 0) refuse_training();
  if (call.opset >= 12 && call.maybe(2) != nullptr && call.one_integer(2) != 0) refuse_training();
  Outputs made = one(call.in(0));
  if (call.opset >= 10) {
    made.push_back(array_of(DataType::boolean, call.in(0).dims, Dims(call.in(0).count(), 1)));
  }
  return made;
}

constexpr Row kInferenceRows[] = {
    {"BatchNormalization", normalize},
    {"Dropout", dropout, 0b101},
};

}  // namespace

std::span<const Row> inference_rows() noexcept { return kInferenceRows; }

}  // namespace trtcheck::fold
