#include "profile/reasons.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "rules/shape/obligation_words.hpp"

namespace trtcheck::profiles {
namespace {

std::string_view usual(Axis kind) {
  switch (kind) {
    case Axis::batch:
      return "the usual sizes of a batch";
    case Axis::space:
      return "the usual sizes of images";
    case Axis::volume:
      return "the usual sizes of volumes";
    case Axis::other:
      break;
  }
  return "the usual lengths";
}

/// A table of so many positions that is cut to the length, and cannot be longer; nothing: it is no such condition.
std::optional<std::string> table_text(const Model& model, const Obligation& obligation, const FittingSizes& fitting) {
  const std::vector<std::int64_t>& sizes = fitting.sizes;
  const bool is_run = sizes.size() > 2 && sizes.back() < fitting.tried_up_to &&
                      sizes.back() - sizes.front() + 1 == static_cast<std::int64_t>(sizes.size());
  if (obligation.need != Obligation::Need::one_or_equal || !is_run) return std::nullopt;
  return fmt::format("{} `{}` adds a table of {} positions", model.node(obligation.node).op_type,
                     model.node_label(obligation.node), sizes.back());
}

std::string condition_text(const Model& model, const Shapes& shapes, const Obligation& obligation) {
  return fmt::format("{} `{}` needs {}", model.node(obligation.node).op_type, model.node_label(obligation.node),
                     rules::wanted(shapes.dims(), obligation));
}

/// What the sizes that fit have in common; they do not include every size that was tried.
std::string fitting_text(const FittingSizes& fitting, Interval allowed) {
  std::span<const std::int64_t> sizes = fitting.sizes;
  if (sizes.empty()) return fmt::format("no size up to {} fits", fitting.tried_up_to);
  if (sizes.size() == 1) {
    const bool is_all = fitting.tried_up_to == allowed.high;
    return fmt::format("{} is the only size{} that fits", sizes[0],
                       is_all ? "" : fmt::format(" up to {}", fitting.tried_up_to));
  }
  // What broadcasts takes 1 besides.
  const bool with_one = sizes.size() > 2 && sizes[0] == 1 && sizes[1] > 2;
  if (with_one) sizes = sizes.subspan(1);
  const std::int64_t step = sizes[1] - sizes[0];
  bool is_regular = true;
  for (std::size_t i = 1; i < sizes.size(); ++i) is_regular = is_regular && sizes[i] - sizes[i - 1] == step;
  const bool reaches_end = sizes.back() + step > fitting.tried_up_to;
  if (is_regular && reaches_end && step == 1) return fmt::format("sizes from {} on fit", sizes[0]);
  if (is_regular && step == 1 && sizes[0] == allowed.low) return fmt::format("sizes up to {} fit", sizes.back());
  if (is_regular && step == 1) return fmt::format("sizes from {} to {} fit", sizes[0], sizes.back());
  if (is_regular && reaches_end && sizes[0] % step == 0) {
    const std::string from = sizes[0] - step < allowed.low ? "" : fmt::format(" from {} on", sizes[0]);
    return fmt::format("{}multiples of {}{} fit", with_one ? "1 and " : "", step, from);
  }
  return sizes.size() == 2 ? fmt::format("{} and {} fit", sizes[0], sizes[1]) : "not every size fits";
}

}  // namespace

std::string reason_of(const Model& model, const Shapes& shapes, const OpenInputs& inputs, const SizeChooser& chooser,
                      std::size_t place) {
  const OpenDim& dim = inputs.dims()[place];
  std::string reason = dim.given_by.empty() ? std::string(usual(dim.kind)) : "given by " + dim.given_by;
  const FittingSizes* fitting = chooser.fitting(place);
  if (fitting != nullptr && fitting->first != nullptr) {
    return fmt::format(
        "{}; {}: {}", reason, fitting_text(*fitting, dim.allowed),
        table_text(model, *fitting->first, *fitting).value_or(condition_text(model, shapes, *fitting->first)));
  }
  const Condition* together = chooser.together(place);
  if (together == nullptr) return reason;
  return fmt::format("{}; {}", reason, condition_text(model, shapes, *together->obligation));
}

}  // namespace trtcheck::profiles
