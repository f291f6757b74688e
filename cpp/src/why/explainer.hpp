// The ways back of several places of one model: one inference serves them all.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <trtcheck/why.hpp>

#include "provenance/provenance.hpp"
#include "shapes/trace.hpp"

namespace trtcheck::whys {

class Explainer {
 public:
  Explainer(const Model& model, const InferOptions& options) : model_(&model), tracer_(model, options), lines_(model) {}

  [[nodiscard]] Why of(ValueId value, std::optional<std::size_t> axis);
  /// Breadth first from all of them.
  /// @param most    so many steps
  /// @param is_cut  there is more
  [[nodiscard]] std::vector<WhyStep> steps(std::vector<TracePlace> starts, std::size_t most, bool& is_cut);
  [[nodiscard]] Tracer& tracer() noexcept { return tracer_; }
  [[nodiscard]] rules::Provenances& lines() noexcept { return lines_; }

 private:
  [[nodiscard]] WhyStep step(const TracePlace& place);
  [[nodiscard]] std::vector<TracePlace> followed(const TracePlace& place, WhyStep& made);
  /// The unknowns of the place that its node makes itself.
  [[nodiscard]] std::string begins_here(const TracePlace& place) const;

  const Model* model_;
  Tracer tracer_;
  rules::Provenances lines_;
};

/// "`a` axis 1 is 6: constant `w` axis 0, through Conv `c`, Relu `r`"; follows the first source of each step.
[[nodiscard]] std::string brief(std::span<const WhyStep> steps, std::size_t start);

}  // namespace trtcheck::whys
