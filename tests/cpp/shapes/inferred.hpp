// A model in ONNX text, read and inferred: what tests of this floor look at.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck::test {

class Inferred {
 public:
  explicit Inferred(std::string_view text, int opset = 17, const InferOptions& options = {});

  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] const Shapes& shapes() const { return shapes_; }
  /// The value of that name, in whichever graph; inner graphs win.
  [[nodiscard]] ValueId value(std::string_view name) const;
  /// "FLOAT[N,4]" of a value.
  [[nodiscard]] std::string text(std::string_view name) const { return shapes_.text(value(name)); }
  /// "1,N,?" of known contents, "-" when not known.
  [[nodiscard]] std::string known(std::string_view name) const;
  /// Messages of the conflicts, one per line.
  [[nodiscard]] std::string conflicts() const;
  /// "equal N 3", one per line.
  [[nodiscard]] std::string obligations() const;
  [[nodiscard]] std::string mismatches() const;

 private:
  std::unique_ptr<std::string> bytes_;
  Model model_;
  Shapes shapes_;
};

}  // namespace trtcheck::test
