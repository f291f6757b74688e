// BatchNormalization as inference needs it: training mode off, outputs of the training form cut where nobody reads
// them.
#include <fmt/format.h>

#include "cure/cure.hpp"
#include "cure/draft.hpp"

namespace trtcheck::cure::batchnorm_inference {
namespace {

constexpr std::int64_t kTrainingMode = 14;

bool make(Draft& draft, const Finding& /*finding*/) {
  const std::size_t outputs = draft.node().outputs.size();
  for (std::size_t i = 1; i < outputs; ++i) {
    if (draft.is_read(draft.node().output(i))) {
      return draft.refuse(fmt::format("`{}` is read: it exists in training only", draft.out(i)));
    }
  }
  // Before opset 14 further outputs are what makes it training.
  const bool was_training = draft.opset() >= kTrainingMode ? draft.int_attribute("training_mode", 0) != 0 : outputs > 1;
  if (!was_training && outputs < 2) return false;
  if (was_training) draft.promises(CureClass::choice);
  draft.drop_attribute("training_mode");
  if (outputs > 1) draft.add(edit::SetOutputs{draft.place(), {draft.out(0)}});
  draft.title(was_training ? "switch training mode off: the stored mean and variance are used, not those of the batch"
                           : "remove the outputs of the training form, which nobody reads");
  return true;
}

constexpr std::string_view kFindings[] = {"WGT203", "WGT204"};

}  // namespace

extern constinit const Cure cure{
    .name = "batchnorm-inference",
    .kind = CureClass::proven,
    .summary = "outputs that BatchNormalization has in training only are cut, training mode is turned off",
    .findings = kFindings,
    .make = make,
};

}  // namespace trtcheck::cure::batchnorm_inference
