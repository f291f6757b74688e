// BatchNormalization in training mode: what it computes, the statistics of the batch, written out.
#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::batchnorm_statistics {
namespace {

constexpr std::int64_t kTrainingMode = 14;
constexpr std::int64_t kAxesAsInput = 18;

std::string mean_of(Draft& draft, const std::string& value, std::size_t rank) {
  std::vector<std::int64_t> axes;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (axis != 1) axes.push_back(static_cast<std::int64_t>(axis));
  }
  if (draft.opset() >= kAxesAsInput) return draft.op("ReduceMean", {value, draft.ints_constant(axes, "axes")});
  return draft.op("ReduceMean", {value}, {{"axes", axes}});
}

/// A parameter with one value for each channel, beside data of this rank.
std::string beside(Draft& draft, const std::string& parameter, std::size_t rank) {
  std::vector<std::int64_t> shape(rank - 1, 1);
  shape[0] = -1;
  return draft.op("Reshape", {parameter, draft.ints_constant(shape, "shape")});
}

/// A further output: old * momentum + new * (1 - momentum).
void write_running(Draft& draft, std::size_t index, const std::string& batch, DataType type) {
  const Value& running = draft.model().value(draft.node().output(index));
  if (draft.out(index).empty() || (running.users.empty() && !running.is_output)) return;
  const double momentum = draft.float_attribute("momentum", 0.9F);
  const std::string flat = draft.op("Reshape", {batch, draft.ints_constant({-1}, "shape")});
  const std::string kept = draft.op("Mul", {draft.in(index + 2), draft.scalar(momentum, type, "momentum")});
  const std::string added = draft.op("Mul", {flat, draft.scalar(1.0 - momentum, type, "share")});
  draft.op_to({draft.out(index)}, "Add", {kept, added});
}

bool make(Draft& draft, const Finding& /*finding*/) {
  const auto rank = draft.rank(draft.node().input(0));
  const auto type = draft.type(draft.node().input(0));
  if (draft.opset() < kTrainingMode || draft.int_attribute("training_mode", 0) == 0) return false;
  if (!rank || *rank < 2) return draft.refuse(fmt::format("the rank of `{}` is not known", draft.in(0)));
  for (std::size_t i = 0; i < draft.node().inputs.size(); ++i) {
    if (type != DataType::float32 || draft.type(draft.node().input(i)) != type)
      return draft.refuse("data and parameters are not all FLOAT");
  }
  const std::string mean = mean_of(draft, draft.in(0), *rank);
  const std::string centered = draft.op("Sub", {draft.in(0), mean});
  const std::string variance = mean_of(draft, draft.op("Mul", {centered, centered}), *rank);
  const std::string epsilon = draft.scalar(draft.float_attribute("epsilon", 1e-5F), *type, "epsilon");
  const std::string deviation = draft.op("Sqrt", {draft.op("Add", {variance, epsilon})});
  const std::string scaled =
      draft.op("Mul", {draft.op("Div", {centered, deviation}), beside(draft, draft.in(1), *rank)});
  draft.op_to({draft.out(0)}, "Add", {scaled, beside(draft, draft.in(2), *rank)});
  for (std::size_t i = 1; i < draft.node().outputs.size(); ++i) {
    write_running(draft, i, i == 1 ? mean : variance, *type);
  }
  draft.remove();
  draft.title(
      "write the statistics of the batch out, as training mode computes them (`model.eval()` before the export "
      "gives those of the training)");
  return true;
}

constexpr std::string_view kFindings[] = {"WGT203", "WGT204"};

}  // namespace

extern constinit const Cure cure{
    .name = "batchnorm-statistics",
    .kind = CureClass::rounding,
    .summary = "BatchNormalization in training mode is written out with the statistics of its batch",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::batchnorm_statistics
