// What `?` stands for, in words.
#pragma once

#include <string>

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

namespace trtcheck {

/// "operator Foo is not known (at `Foo_1`)", of the rank, of each unknown inside the dims and of each inside the
/// contents, every reason once; "" when all of it is known, or known to be whatever the sizes of the inputs make it.
[[nodiscard]] std::string why_unknown(const Model& model, const Shapes& shapes, const ValueShape& shape);

}  // namespace trtcheck
