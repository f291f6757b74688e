// RNN, GRU and LSTM.
#include <fmt/core.h>

#include "shapes/ops/agree.hpp"

namespace trtcheck::shapes {

namespace {

struct Layout {
  Dim steps;
  Dim batch;
  bool is_batch_first = false;
};

constexpr std::string_view kFirstPart = "the first part of the weights is read";

/// What TensorRT makes of weights with another number of directions; "" when it refuses them. GRU slices what it
/// needs, LSTM broadcasts one slice to two or reads the first, RNN broadcasts only.
std::string_view directions_taken_as(OpContext& op, Dim given, Dim needed) {
  const std::string_view type = op.node().op_type;
  if (!given.is_literal()) return {};
  if (given.value() < needed.value())
    return type == "GRU" ? std::string_view{} : "both directions use the same weights";
  if (type == "GRU") return kFirstPart;
  const bool has_fixed_steps = op.has_rank(0) && op.rank(0) == 3 && op.dim(0, 0).is_literal();
  return type == "LSTM" && needed.is(1) && has_fixed_steps ? kFirstPart : std::string_view{};
}

/// The same for another number of rows, and for columns. RNN broadcasts one row, LSTM reads more that W and R have
/// alike.
std::string_view extent_taken_as(OpContext& op, Dim given, Dim needed, bool is_row) {
  if (op.node().op_type == "RNN" && is_row && given.is(1)) return "every unit uses the one row";
  if (op.dims().less_equal(needed, given) != Truth::yes) return {};
  if (op.node().op_type == "GRU") return kFirstPart;
  const bool is_common = op.has_rank(1) && op.has_rank(2) && op.rank(1) == 3 && op.rank(2) == 3 &&
                         op.dims().equal(op.dim(1, 1), op.dim(2, 1)) == Truth::yes;
  return op.node().op_type == "LSTM" && is_row && is_common ? kFirstPart : std::string_view{};
}

/// As `agree`, where a difference may be taken.
template <class Message>
void fits(OpContext& op, Dim given, Dim needed, std::string_view why, std::size_t input, int axis,
          std::string_view taken_as, Message message) {
  if (given.same(needed)) return;
  if (op.dims().equal(given, needed) != Truth::no) return (void)op.require_equal(given, needed, why);
  op.onnx_forbids(message(), taken_as, op.node().input(input), axis);
}

void check_matrix(OpContext& op, std::size_t input, std::int64_t gates, Dim directions, Dim hidden) {
  DimTable& t = op.dims();
  const Dim slices = op.dim(input, 0);
  fits(op, slices, directions, "weights have one slice per direction", input, 0,
       directions_taken_as(op, slices, directions), [&] {
         return fmt::format("input {} has {} directions, the node has {}", input, t.text(slices), t.text(directions));
       });
  const Dim rows = t.mul(hidden, t.literal(gates));
  const Dim given = op.dim(input, 1);
  fits(op, given, rows, "weights have hidden_size rows per gate", input, 1, extent_taken_as(op, given, rows, true),
       [&] {
         return fmt::format("input {} has {} rows, {} gates of hidden size {} need {}", input, t.text(given), gates,
                            t.text(hidden), t.text(rows));
       });
}

/// A stored bias without elements is none.
std::string_view bias_taken_as(OpContext& op) {
  const bool is_empty = op.dim(3, 0).is(0) || op.dim(3, 1).is(0);
  return is_empty && op.model().constant(op.node().input(3)) ? "the bias counts as left out" : std::string_view{};
}

/// The bias is cut into two halves per direction: another size is refused.
void check_bias(OpContext& op, std::int64_t gates, Dim directions, Dim hidden) {
  if (!op.has_input(3) || !op.has_rank(3) || op.rank(3) != 2) return;
  DimTable& t = op.dims();
  const Dim wanted = t.mul(hidden, t.literal(2 * gates));
  const std::string_view taken_as = bias_taken_as(op);
  fits(op, op.dim(3, 0), directions, "the bias has one row per direction", 3, 0, taken_as, [&] {
    return fmt::format("input 3 has {} directions, the node has {}", t.text(op.dim(3, 0)), t.text(directions));
  });
  fits(op, op.dim(3, 1), wanted, "the bias has two values per row of the weights", 3, 1, taken_as, [&] {
    return fmt::format("input 3 has {} values per direction, {} gates of hidden size {} need {}", t.text(op.dim(3, 1)),
                       gates, t.text(hidden), t.text(wanted));
  });
}

void check_weights(OpContext& op, std::int64_t gates, Dim directions, Dim hidden, bool has_input_size) {
  DimTable& t = op.dims();
  for (const std::size_t input : {std::size_t{1}, std::size_t{2}}) {
    if (op.has_rank(input) && op.rank(input) == 3) check_matrix(op, input, gates, directions, hidden);
  }
  check_bias(op, gates, directions, hidden);
  if (op.has_rank(2) && op.rank(2) == 3) {
    const Dim columns = op.dim(2, 2);
    fits(op, columns, hidden, "the recurrent weights are square per gate", 2, 2,
         extent_taken_as(op, columns, hidden, false),
         [&] { return fmt::format("input 2 has {} columns, the hidden size is {}", t.text(columns), t.text(hidden)); });
  }
  if (!has_input_size || !op.has_rank(1) || op.rank(1) != 3) return;
  const Dim size = op.dim(0, 2);
  const Dim wanted = op.dim(1, 2);
  fits(op, size, wanted, "the input size is the weight's", 0, 2, extent_taken_as(op, wanted, size, false),
       [&] { return fmt::format("input 0 has size {}, weight expects {}", t.text(size), t.text(wanted)); });
}

Dim hidden_size(OpContext& op) {
  const std::int64_t stated = op.attr_int("hidden_size", 0);
  if (stated > 0) return op.literal(stated);
  return op.has_rank(2) && op.rank(2) == 3 ? op.dim(2, 2) : op.unknown("the hidden size is not known");
}

void infer(OpContext& op, std::int64_t gates) {
  const DataType type = op.type(0);
  const Dim directions = op.literal(op.attr_string("direction", "forward") == "bidirectional" ? 2 : 1);
  const Dim hidden = hidden_size(op);
  Layout layout;
  layout.is_batch_first = op.attr_int("layout", 0) != 0;
  const auto data = dims_of_rank(op, 0, 3);
  if (data) {
    layout.steps = (*data)[layout.is_batch_first ? 1 : 0];
    layout.batch = (*data)[layout.is_batch_first ? 0 : 1];
  } else {
    layout.steps = op.unknown("input 0 does not have 3 axes", 0);
    layout.batch = op.unknown("input 0 does not have 3 axes", 1);
  }
  check_weights(op, gates, directions, hidden, data && op.has_rank(0));
  if (layout.is_batch_first) {
    op.set(0, type, {layout.batch, layout.steps, directions, hidden});
  } else {
    op.set(0, type, {layout.steps, directions, layout.batch, hidden});
  }
  for (const std::size_t output : {std::size_t{1}, std::size_t{2}}) {
    if (layout.is_batch_first) {
      op.set(output, type, {layout.batch, directions, hidden});
    } else {
      op.set(output, type, {directions, layout.batch, hidden});
    }
  }
}

}  // namespace

void infer_rnn(OpContext& op) { infer(op, 1); }
void infer_gru(OpContext& op) { infer(op, 3); }
void infer_lstm(OpContext& op) { infer(op, 4); }

}  // namespace trtcheck::shapes
