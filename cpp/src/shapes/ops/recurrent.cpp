// RNN, GRU and LSTM.
#include <fmt/format.h>

#include "shapes/ops/agree.hpp"

namespace trtcheck::shapes {

namespace {

struct Layout {
  Dim steps;
  Dim batch;
  bool is_batch_first = false;
};

void check_weights(OpContext& op, std::int64_t gates, Dim directions, Dim hidden, bool has_input_size) {
  DimTable& t = op.dims();
  for (const std::size_t input : {std::size_t{1}, std::size_t{2}}) {
    if (!op.has_rank(input) || op.rank(input) != 3) continue;
    const ValueId value = op.node().input(input);
    agree(op, op.dim(input, 0), directions, "weights have one slice per direction", value, 0, [&] {
      return fmt::format("input {} has {} directions, the node has {}", input, t.text(op.dim(input, 0)),
                         t.text(directions));
    });
    const Dim rows = t.mul(hidden, t.literal(gates));
    agree(op, op.dim(input, 1), rows, "weights have hidden_size rows per gate", value, 1, [&] {
      return fmt::format("input {} has {} rows, {} gates of hidden size {} need {}", input, t.text(op.dim(input, 1)),
                         gates, t.text(hidden), t.text(rows));
    });
  }
  if (!has_input_size || !op.has_rank(1) || op.rank(1) != 3) return;
  const Dim size = op.dim(0, 2);
  const Dim wanted = op.dim(1, 2);
  agree(op, size, wanted, "the input size is the weight's", op.node().input(0), 2,
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
