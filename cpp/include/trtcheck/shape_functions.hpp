// Shape functions: what a user says of the outputs of an operator that nobody else knows.
//
//     trtcheck::InferOptions options;
//     options.shape_functions.push_back({.op = "mydomain::MyOp", .outputs = {"FLOAT[in0[0], 4 * in0[1], ?]"}});
//     const trtcheck::Shapes shapes = trtcheck::infer(model, options);
//
// One text per output. `in0` has the type and the dims of input 0, `FLOAT[...]` those that stand there, `FLOAT` no
// known rank, `?` nothing known. A type is a name of ONNX, `type(in0)`, `attr.to` or `?`. Between the brackets stand,
// with commas, whole numbers, `in0[1]`, `in0[-1]`, `attr.k`, `attr.pads[2]`, `attr.k or 1`, `rank(in0)`, `size(in0)`,
// `value(in1)[0]`, `min(a, b)`, `max(a, b)`, `ceil(a / b)`, `+ - * / %` (division rounds down), `?`, and `...in0` or
// `...in0[1:-1]` for several axes at once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/model.hpp>

namespace trtcheck {

/// What a shape function in another language is asked about.
struct ShapeQuestion {
  /// What is known of an input.
  struct Input {
    bool given = false;                             ///< listed and not left out
    std::string type;                               ///< "FLOAT"; "" = unknown
    bool has_rank = false;                          ///< false: `dims` is empty
    std::vector<std::optional<std::int64_t>> dims;  ///< nothing: no number, an expression or unknown
  };
  const Model* model = nullptr;  ///< never null
  NodeId node;                   ///< that is asked about
  std::vector<Input> inputs;     ///< one for each input of the node
};

/// One text per output, as in `ShapeFunction::outputs`. May throw: the error goes through `infer`.
using ShapeAnswer = std::function<std::vector<std::string>(const ShapeQuestion&)>;

/// What is said of one operator. It goes before what is known of operators outside of ONNX, and after the body of a
/// model-local function.
struct ShapeFunction {
  std::string op;                             ///< "mydomain::MyOp"; "MyOp" = in any domain that ONNX does not define
  std::vector<std::string> outputs;           ///< empty: `answer` is asked
  std::string place;                          ///< "shapes.toml:7", for errors; may be empty
  std::shared_ptr<const ShapeAnswer> answer;  ///< null when `outputs` are stated
};

/// @throws Error  `function.place`: what is wrong with the operator or one of the outputs
TRTCHECK_API void check_shape_function(const ShapeFunction& function);

}  // namespace trtcheck
