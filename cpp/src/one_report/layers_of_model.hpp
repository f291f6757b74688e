// What `trtcheck quantization` and `trtcheck types` print about the layers of a model.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <trtcheck/layers.hpp>
#include <trtcheck/trtcheck.hpp>

namespace trtcheck::one_report {

/// A model with its layers, as its settings ask for.
class LayersOfModel {
 public:
  /// Borrows the analysis.
  /// @throws Error  an option does not fit
  LayersOfModel(const Analysis& analysis, const CheckOptions& options);

  [[nodiscard]] const Model& model() const noexcept { return analysis_->model(); }
  [[nodiscard]] const Shapes& shapes() const { return analysis_->shapes(report_.target); }
  [[nodiscard]] const Analysis& analysis() const noexcept { return *analysis_; }
  [[nodiscard]] const Report& report() const noexcept { return report_; }
  [[nodiscard]] const Target& target() const noexcept { return report_.target; }
  [[nodiscard]] const std::vector<Layer>& layers() const noexcept { return layers_; }
  [[nodiscard]] const std::vector<TypeShare>& shares() const noexcept { return shares_; }
  /// Layers that are multiplications for the most part.
  [[nodiscard]] std::size_t multiplying() const noexcept;

  /// "TensorRT 11.5"
  [[nodiscard]] std::string release() const;
  /// "model.onnx, TensorRT 11.5"
  [[nodiscard]] std::string title() const;
  /// Element types with their layers and their share of the work, and why a share is missing; "" without such layers.
  [[nodiscard]] std::string shares_text() const;
  /// That errors keep the model from being built, in the words of `trtcheck check`; "" = none do.
  [[nodiscard]] std::string refusal() const;
  /// Multiply-accumulates: "1,234,567", "9216*N", "?" where nothing is known.
  [[nodiscard]] std::string work_text(const TypeShare& share) const;
  /// What is not counted, or else why shares are missing, in a line; "" = none is.
  [[nodiscard]] std::string missing_text() const;
  /// Of a layer: "97.1 %", "" where it is not known.
  [[nodiscard]] std::string share_of(const Layer& layer) const;
  /// Path, release, errors and element types.
  [[nodiscard]] nlohmann::ordered_json head() const;
  [[nodiscard]] nlohmann::ordered_json json_of(const Layer& layer) const;

 private:
  const Analysis* analysis_;
  Report report_;
  std::vector<Layer> layers_;
  std::vector<TypeShare> shares_;
  NotCounted not_counted_;
  std::vector<DimTable::Binding> sizes_;
};

/// The document of `trtcheck types`.
[[nodiscard]] nlohmann::ordered_json types_json(const LayersOfModel& of, const std::vector<TypeBorder>& borders);
/// The document of `trtcheck quantization`.
[[nodiscard]] nlohmann::ordered_json quantization_json(const LayersOfModel& of);
/// There is something to say of quantization.
[[nodiscard]] bool has_quantized(const LayersOfModel& of);
/// "3 of 4 layers with weights run quantized, 96.6 % of the multiply-accumulates", or why none does.
[[nodiscard]] std::string quantization_summary(const LayersOfModel& of);
/// Up to 10.16 the builder may choose other types when a flag lets it; "" = it may not.
[[nodiscard]] std::string_view about_flags(const LayersOfModel& of);

/// "97.1 %", "< 0.1 %"
[[nodiscard]] std::string percent(double share);
/// "INT8"; "?" where it is not known.
[[nodiscard]] std::string type_name(DataType type);
/// "FLOAT, INT4 weights": what it computes in.
[[nodiscard]] std::string type_text(const Layer& layer);

}  // namespace trtcheck::one_report
