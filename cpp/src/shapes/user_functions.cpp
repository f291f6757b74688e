#include "shapes/user_functions.hpp"

#include <fmt/core.h>

#include <trtcheck/error.hpp>

#include "schema/facts.hpp"
#include "shapes/infer.hpp"
#include "text/printable.hpp"

namespace trtcheck::shapes {

namespace {

constexpr std::string_view kStated = "the shape function says nothing of it";
constexpr std::string_view kBetween = "::";
constexpr std::size_t kMostAxes = 1024;

std::string key_of(std::string_view domain, std::string_view op) { return fmt::format("{}{}{}", domain, kBetween, op); }

UserFunction parsed(const ShapeFunction& stated) {
  const auto refuse = [&](std::string cause) {
    throw Error(stated.place, fmt::format("shape function of `{}`: {}", printable(stated.op), std::move(cause)));
  };
  const std::size_t at = stated.op.rfind(kBetween);
  const std::string_view op = std::string_view(stated.op).substr(at == std::string::npos ? 0 : at + kBetween.size());
  if (op.empty() || at == 0) refuse("an operator is named `Op` or `domain::Op`");
  if (at == std::string::npos && schema::was_ever_known("", op)) {
    refuse("ONNX has an operator of that name: name the domain of yours, `domain::Op`");
  }
  if (stated.op.substr(0, at) == "ai.onnx" && at != std::string::npos) refuse("it is in the domain of ONNX itself");
  UserFunction made;
  made.stated = &stated;
  if (stated.outputs.empty() && !stated.answer) {
    refuse("it has no outputs; a function in Python does not go into another process");
  }
  for (std::size_t i = 0; i < stated.outputs.size(); ++i) {
    try {
      made.outputs.push_back(parse_user_output(stated.outputs[i]));
    } catch (const Error& error) {
      refuse(fmt::format("output {}: {}", i, error.cause()));
    }
  }
  return made;
}

/// Runs what is stated for the node at hand. What it cannot compute is unknown, with a reason.
class Evaluation {
 public:
  explicit Evaluation(OpContext& op) : op_(&op) {}

  void set(std::size_t output, const UserOutput& stated) {
    if (stated.like) return set_like(output, *stated.like);
    const DataType type = type_of(stated.type);
    if (!stated.has_rank) {
      if (type == DataType::undefined) return op_->set_unknown(output, kStated);
      return op_->set_type(output, type, kStated);
    }
    DimVector dims;
    for (const UserDim& dim : stated.dims) {
      if (!add(dims, dim)) return op_->set_type(output, type, {});
      if (dims.size() > kMostAxes) return op_->set_type(output, type, "the shape function gives too many axes");
    }
    op_->set(output, type, dims);
  }

 private:
  void set_like(std::size_t output, std::size_t input) {
    if (op_->has_input(input)) return op_->set_like(output, input);
    op_->set_unknown(output, keep(fmt::format("the shape function names input {}, which is left out", input)));
  }

  DataType type_of(const UserType& stated) {
    switch (stated.kind) {
      case UserType::Kind::fixed:
        return stated.type;
      case UserType::Kind::input:
        return op_->type(stated.input);
      case UserType::Kind::attribute: {
        const std::int64_t number = op_->attr_int(stated.attribute, 0);
        return number > 0 && number < kTypeEnd ? DataType{static_cast<std::int32_t>(number)} : DataType::undefined;
      }
      case UserType::Kind::unknown:
        break;
    }
    return DataType::undefined;
  }

  /// False: the number of axes is not known.
  bool add(DimVector& dims, const UserDim& stated) {
    if (!stated.steps.empty()) {
      axis_ = static_cast<std::int32_t>(dims.size());
      dims.push_back(value_of(stated.steps));
      return true;
    }
    if (!op_->has_rank(stated.input)) return false;
    const auto all = op_->in(stated.input).dims;
    const auto size = static_cast<std::int64_t>(all.size());
    const auto within = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size); };
    const std::int64_t first = within(stated.first);
    const std::int64_t end = stated.end ? within(*stated.end) : size;
    if (first < end) dims.insert(dims.end(), all.begin() + first, all.begin() + end);
    return true;
  }

  Dim value_of(const std::vector<UserStep>& steps) {
    DimVector stack;
    for (const UserStep& step : steps) {
      if (step.kind < UserStep::Kind::add) {
        stack.push_back(operand(step));
        continue;
      }
      const Dim right = stack.back();
      stack.pop_back();
      stack.back() = combined(step.kind, stack.back(), right);
    }
    return stack.back();
  }

  Dim combined(UserStep::Kind kind, Dim a, Dim b) {
    DimTable& t = op_->dims();
    switch (kind) {
      case UserStep::Kind::add:
        return t.add(a, b);
      case UserStep::Kind::sub:
        return t.sub(a, b);
      case UserStep::Kind::mul:
        return t.mul(a, b);
      case UserStep::Kind::div:
        return t.floor_div(a, b);
      case UserStep::Kind::ceil_div:
        return t.ceil_div(a, b);
      case UserStep::Kind::mod:
        return t.mod(a, b);
      case UserStep::Kind::min:
        return t.min(a, b);
      default:
        return t.max(a, b);
    }
  }

  Dim operand(const UserStep& step) {
    const std::string_view input = "input";
    switch (step.kind) {
      case UserStep::Kind::number:
        return op_->literal(step.number);
      case UserStep::Kind::dim:
        return axis_of(step);
      case UserStep::Kind::rank:
        return op_->has_rank(step.input) ? op_->literal(static_cast<std::int64_t>(op_->rank(step.input)))
                                         : unknown(fmt::format("the rank of {} {} is not known", input, step.input));
      case UserStep::Kind::size: {
        const auto count = op_->element_count(step.input);
        return count ? *count : unknown(fmt::format("the size of {} {} is not known", input, step.input));
      }
      case UserStep::Kind::value:
        return value_of_input(step);
      case UserStep::Kind::attribute:
        return attribute(step);
      default:
        return op_->unknown(kStated, axis_);
    }
  }

  Dim axis_of(const UserStep& step) {
    if (!op_->has_rank(step.input)) return unknown(fmt::format("the rank of input {} is not known", step.input));
    const auto rank = static_cast<std::int64_t>(op_->rank(step.input));
    const std::int64_t axis = step.number < 0 ? step.number + rank : step.number;
    if (axis >= 0 && axis < rank) return op_->dim(step.input, static_cast<std::size_t>(axis));
    return unknown(fmt::format("the shape function asks for axis {} of input {}, which has {} axes", step.number,
                               step.input, rank));
  }

  Dim value_of_input(const UserStep& step) {
    const auto contents = op_->contents(step.input) ? op_->contents(step.input) : op_->known(step.input);
    const auto count = contents ? static_cast<std::int64_t>(contents->size()) : 0;
    const std::int64_t at = step.number < 0 ? step.number + count : step.number;
    if (at >= 0 && at < count) return (*contents)[static_cast<std::size_t>(at)];
    return unknown(fmt::format("element {} of input {} is not known", step.number, step.input));
  }

  Dim attribute(const UserStep& step) {
    const Attribute* found = op_->attr(step.name);
    if (found != nullptr && !step.is_entry && found->type == AttributeType::int_) return op_->literal(found->i());
    if (const auto entries = step.is_entry ? op_->attr_ints(step.name) : std::nullopt) {
      const auto count = static_cast<std::int64_t>(entries->size());
      const std::int64_t at = step.number < 0 ? step.number + count : step.number;
      if (at >= 0 && at < count) return op_->literal((*entries)[static_cast<std::size_t>(at)]);
    }
    if (found == nullptr && step.fallback) return op_->literal(*step.fallback);
    return unknown(fmt::format("attribute `{}` has no such whole number", step.name));
  }

  std::string_view keep(std::string text) { return op_->state().result.keep(std::move(text)); }
  Dim unknown(std::string reason) { return op_->unknown(keep(std::move(reason)), axis_); }

  static constexpr std::int64_t kTypeEnd = 64;
  OpContext* op_;
  std::int32_t axis_ = -1;  ///< of the output that is being computed
};

ShapeQuestion question(OpContext& op) {
  ShapeQuestion asked{.model = &op.model(), .node = op.id(), .inputs = {}};
  for (std::size_t i = 0; i < op.input_count(); ++i) {
    ShapeQuestion::Input& input = asked.inputs.emplace_back();
    input.given = op.has_input(i);
    if (op.type(i) != DataType::undefined) input.type = to_string(op.type(i));
    input.has_rank = op.has_rank(i);
    for (std::size_t axis = 0; input.has_rank && axis < op.rank(i); ++axis) {
      const Dim dim = op.dim(i, axis);
      input.dims.push_back(dim.is_literal() ? std::optional(dim.value()) : std::nullopt);
    }
  }
  return asked;
}

/// What an answer in another language says, in the language of this one.
std::vector<UserOutput> answered(OpContext& op, const ShapeFunction& stated) {
  std::vector<UserOutput> out;
  for (const std::string& text : (*stated.answer)(question(op))) {
    try {
      out.push_back(parse_user_output(text));
    } catch (const Error& error) {
      throw Error(stated.place, fmt::format("shape function of `{}`, node `{}`: {}", printable(stated.op),
                                            printable(op.model().node_label(op.id())), error.cause()));
    }
  }
  return out;
}

}  // namespace

UserFunctions::UserFunctions(const std::vector<ShapeFunction>& stated) {
  for (const ShapeFunction& each : stated) {
    if (!by_op_.emplace(each.op, parsed(each)).second) {
      throw Error(each.place, fmt::format("`{}` has two shape functions", printable(each.op)));
    }
  }
}

const UserFunction* UserFunctions::find(std::string_view domain, std::string_view op, bool by_name) const {
  auto found = domain.empty() ? by_op_.end() : by_op_.find(key_of(domain, op));
  if (found == by_op_.end() && by_name) found = by_op_.find(op);
  return found == by_op_.end() ? nullptr : &found->second;
}

void run_user_function(OpContext& op, const UserFunction& function) {
  const std::vector<UserOutput> made =
      function.stated->answer ? answered(op, *function.stated) : std::vector<UserOutput>{};
  const std::vector<UserOutput>& outputs = function.stated->answer ? made : function.outputs;
  Evaluation evaluation(op);
  for (std::size_t i = 0; i < op.output_count(); ++i) {
    if (i < outputs.size()) {
      evaluation.set(i, outputs[i]);
    } else {
      op.set_unknown(i, kStated);
    }
  }
}

}  // namespace trtcheck::shapes

namespace trtcheck {

void check_shape_function(const ShapeFunction& function) { (void)shapes::UserFunctions({function}); }

}  // namespace trtcheck
