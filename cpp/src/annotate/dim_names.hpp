// Inferred dims in the words of a file: numbers, and texts that onnx and ONNX Runtime read as names or expressions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <trtcheck/edit.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck::annotating {

class DimNames {
 public:
  /// @param names_unknown  dims without a text get a name, "unk__0", that the file does not have
  DimNames(const Model& model, const Shapes& shapes, bool names_unknown);

  /// What to write for a dim; nothing where it is unknown.
  [[nodiscard]] edit::DimValue of(Dim dim);
  [[nodiscard]] std::vector<edit::DimValue> of(std::span<const Dim> dims);

 private:
  /// "" = there is no text that is read as the same dim.
  [[nodiscard]] std::string text_of(Dim dim);
  [[nodiscard]] std::string fresh_name();
  void note_names(const Model& model);

  const Shapes* shapes_;
  bool names_unknown_;
  std::unordered_set<std::string_view> names_;         ///< that the file gives dims
  std::unordered_set<std::string> made_up_;            ///< what inference calls axes of inputs that have no name
  std::unordered_map<std::uint32_t, edit::DimValue> known_;  ///< by the id of the dim
  std::size_t next_ = 0;                               ///< number of the next name
};

}  // namespace trtcheck::annotating
