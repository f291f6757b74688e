// Contents of values that follow from constants alone, computed as ONNX defines them, within a budget.
//
//     Folder folder(model, shapes);
//     if (const auto constant = folder.value(id)) write(constant->type, constant->dims, constant->bytes);
//     else print(folder.why_not(id));  // "operator `Foo` is not evaluated"
//
// What is returned is exact: + - * / and sqrt, comparisons and casts are what IEEE 754 and ONNX define, bit for bit;
// exp and its like are computed in double and rounded once. What ONNX leaves undefined (NaN to INT32, two updates of
// one place) has no value here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck {

/// A tensor as ONNX stores it in raw_data.
struct Constant {
  DataType type = DataType::undefined;
  std::vector<std::int64_t> dims;
  std::vector<std::byte> bytes;  ///< little-endian; types below 8 bits are packed, the first element lowest
};

/// How much one Folder may do.
struct Budget {
  std::int64_t elements = std::int64_t{1} << 20;  ///< of one tensor
  std::int64_t total = std::int64_t{1} << 24;     ///< of all tensors that are kept
  std::int64_t nodes = 100'000;                   ///< evaluated
  std::int64_t steps = std::int64_t{1} << 31;     ///< elements looked at, and multiplications
};

/// Remembers what it computed. Neither the model nor its shapes may end before it. Not thread-safe.
class Folder {
 public:
  Folder(const Model& model, const Shapes& shapes, Budget budget = {});
  Folder(Folder&&) noexcept;
  Folder& operator=(Folder&&) noexcept;
  ~Folder();

  /// Nothing: see why_not. Never throws for a strange model.
  [[nodiscard]] std::optional<Constant> value(ValueId id);
  /// One line for a message; "" when there is a value. Lives as long as the folder.
  [[nodiscard]] std::string_view why_not(ValueId id);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace trtcheck
