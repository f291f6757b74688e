// Stored FLOAT tensors that become FLOAT16.
#pragma once

#include <string>
#include <vector>

#include "rules/rule_context.hpp"

namespace trtcheck::rules {

/// One of them, with what was found out about it.
struct Narrowed {
  StoredTensor stored;
  HalfScan scan;
  double value = 0;         ///< of the only element, when there is but one
  bool by_cast = false;     ///< a Cast in the file does it, not the builder
  std::string_view reader;  ///< operator that reads it, behind the Cast
};

/// With precision FP16 all that a layer computes with; without only small constants behind a Cast to FLOAT16. What
/// stays in FLOAT, or is folded into something else before (scales, BatchNormalization, limits of Clip), is left out.
[[nodiscard]] std::vector<Narrowed> narrowed_tensors(const RuleContext& context);

/// Who computes with a stored tensor.
struct Reader {
  NodeId node;           ///< none: nobody
  bool by_cast = false;  ///< behind a Cast to FLOAT16
};
[[nodiscard]] Reader reader_of(const RuleContext& context, const StoredTensor& stored);

/// "constant `c` (-3.4e+38)", "weights `w`".
[[nodiscard]] std::string shown(const RuleContext& context, const Narrowed& narrowed);

}  // namespace trtcheck::rules
