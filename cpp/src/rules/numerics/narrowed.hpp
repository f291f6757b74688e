// Stored FLOAT tensors that become FLOAT16 or BFLOAT16.
#pragma once

#include <string>
#include <vector>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

/// One of them, with what was found out about it.
struct Narrowed {
  StoredTensor stored;
  HalfScan scan;
  double value = 0;                 ///< of the only element, when there is but one
  DataType to = DataType::float16;  ///< or bfloat16
  bool by_cast = false;             ///< a Cast in the file does it, not the builder
  std::string_view reader;          ///< operator that reads it, behind the Cast

  [[nodiscard]] bool is_half() const { return to == DataType::float16; }
  /// Finite elements that become infinite.
  [[nodiscard]] std::uint64_t too_large() const { return is_half() ? scan.too_large : scan.too_large_for_bfloat16; }
};

/// With precision FP16, or BF16 alone, all that a layer computes with; without only small constants behind a Cast. What
/// stays in FLOAT, or is folded into something else before (scales, BatchNormalization, limits of Clip), is left out.
[[nodiscard]] std::vector<Narrowed> narrowed_tensors(const RuleContext& context);

/// Who computes with a stored tensor.
struct Reader {
  NodeId node;                        ///< none: nobody
  bool by_cast = false;               ///< behind a Cast to FLOAT16 or BFLOAT16
  DataType to = DataType::undefined;  ///< of that Cast
};
[[nodiscard]] Reader reader_of(const RuleContext& context, const StoredTensor& stored);

/// "constant `c` (-3.4e+38)", "weights `w`".
[[nodiscard]] std::string shown(const RuleContext& context, const Narrowed& narrowed);

}  // namespace trtcheck::rules
