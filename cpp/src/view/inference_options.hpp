// What shapes are inferred with, for a target: the ranges of its profile, made fit for the model at hand, or none.
#pragma once

#include <trtcheck/model.hpp>
#include <trtcheck/shapes.hpp>
#include <trtcheck/target.hpp>

namespace trtcheck {

/// `infer_options(target)`, except that an axis which the model fixes keeps its size, and axes of one name get one
/// range that holds all of theirs. Where the profile contradicts the model there is a finding (PRF rules), and the
/// other rules go on with what the model says.
InferOptions inference_options(const Model& model, const Target& target);

/// What holds for all sizes: without the profile.
InferOptions symbolic_options(const Target& target);

}  // namespace trtcheck
