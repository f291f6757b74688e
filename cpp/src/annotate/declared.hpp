// What a model is to declare after its shapes were inferred.
#pragma once

#include <cstddef>
#include <vector>

#include <trtcheck/annotate.hpp>
#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>

#include "edit/declare.hpp"

namespace trtcheck::annotating {

struct Declarations {
  std::vector<edit::Declaration> all;
  std::size_t added = 0;
  std::size_t refined = 0;
  std::vector<ValueId> unknown;  ///< tensors, or nobody can say what, without a rank
};

[[nodiscard]] Declarations declarations(const Model& model, const Shapes& shapes, const AnnotateOptions& options);

}  // namespace trtcheck::annotating
