// Shape functions of the user: found by operator, run for a node. Private to this floor.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/shape_functions.hpp>

#include "shapes/op_context.hpp"
#include "shapes/user_language.hpp"

namespace trtcheck::shapes {

struct UserFunction {
  const ShapeFunction* stated = nullptr;
  std::vector<UserOutput> outputs;
};

class UserFunctions {
 public:
  /// @throws Error  one of them makes no sense, or an operator has two
  explicit UserFunctions(const std::vector<ShapeFunction>& stated);

  [[nodiscard]] bool empty() const noexcept { return by_op_.empty(); }
  /// Of "domain::Op", else of "Op" when the domain does not have it; nullptr when there is none.
  [[nodiscard]] const UserFunction* find(std::string_view domain, std::string_view op, bool by_name) const;

 private:
  std::map<std::string, UserFunction, std::less<>> by_op_;
};

/// @throws  what an answer in another language throws
void run_user_function(OpContext& op, const UserFunction& function);

}  // namespace trtcheck::shapes
