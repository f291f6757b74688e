// The fields of a partition, for JSON, pickling and Python.
#pragma once

#include <tuple>

#include <trtcheck/partition.hpp>

#include "report/fields.hpp"

namespace trtcheck::report {

template <>
struct Fields<CrossingTensor> {
  static constexpr std::tuple kAll{
      Field{"name", &CrossingTensor::name, "Of the tensor."},
      Field{"type", &CrossingTensor::type, "\"FLOAT[N,64,56,56]\"."},
      Field{"bytes", &CrossingTensor::bytes, "At the best sizes of the profile; None: they are not known."},
      Field{"is_of_model", &CrossingTensor::is_of_model, "It is an input or output of the model."},
  };
};

template <>
struct Fields<OperatorCount> {
  static constexpr std::tuple kAll{Field{"op_type", &OperatorCount::op_type, "\"Conv\"."},
                                   Field{"count", &OperatorCount::count, "Nodes."}};
};

template <>
struct Fields<GraphPiece> {
  static constexpr std::tuple kAll{
      Field{"number", &GraphPiece::number, "From 1, in the order of execution."},
      Field{"graph", &GraphPiece::graph, "\"main\", or the body that it lies in."},
      Field{"runs", &GraphPiece::runs, "It becomes an engine."},
      Field{"why_not", &GraphPiece::why_not, "\"\" = it runs."},
      Field{"nodes", &GraphPiece::nodes, "Labels, in the order of execution."},
      Field{"operators", &GraphPiece::operators, "Most nodes first."},
      Field{"share", &GraphPiece::share, "Of the multiply-accumulates of the model; None: they are not known."},
      Field{"inputs", &GraphPiece::inputs, "That are not weights."},
      Field{"outputs", &GraphPiece::outputs, "That somebody outside reads."},
      Field{"bytes_in", &GraphPiece::bytes_in, "Of the inputs whose size is known, those of the model left out."},
      Field{"bytes_out", &GraphPiece::bytes_out, "Of the outputs, in the same way."},
      Field{"not_built", &GraphPiece::not_built, "Nodes that the parser accepts and the builder refuses."},
      Field{"without_shape", &GraphPiece::without_shape, "Inputs whose dims the file does not state."},
      Field{"file", &GraphPiece::file, "That it was written to; \"\" = none."},
  };
};

template <>
struct Fields<RefusedNode> {
  static constexpr std::tuple kAll{
      Field{"node", &RefusedNode::node, "Label of the node of the graph that is cut."},
      Field{"op_type", &RefusedNode::op_type, "Of that node."},
      Field{"graph", &RefusedNode::graph, "\"main\", or the body that it stands in."},
      Field{"reason", &RefusedNode::reason, "\"parser\", \"body\", \"input\", \"excluded\" or \"type\"."},
      Field{"code", &RefusedNode::code, "\"OPS401:pad-mode\"; \"\" = no finding says so."},
      Field{"message", &RefusedNode::message, "One line."},
      Field{"inner", &RefusedNode::inner, "Label of the node in its bodies that is refused; \"\" = it is itself."},
      Field{"is_cut_again", &RefusedNode::is_cut_again, "It is refused only when its piece stands by itself."},
      Field{"source", &RefusedNode::source, "The line of the PyTorch program that the node comes from."},
  };
};

template <>
struct Fields<PartitionOutcome> {
  static constexpr std::tuple kAll{
      Field{"engines", &PartitionOutcome::engines, "Pieces that run."},
      Field{"nodes", &PartitionOutcome::nodes, "In them."},
      Field{"share", &PartitionOutcome::share, "Of the multiply-accumulates; None: they are not known."},
  };
};

template <>
struct Fields<PartitionCause> {
  static constexpr std::tuple kAll{
      Field{"op_type", &PartitionCause::op_type, "\"Pad\"."},
      Field{"code", &PartitionCause::code, "\"OPS401:pad-mode\"; \"\" = no finding says so."},
      Field{"message", &PartitionCause::message, "Of the first of its nodes."},
      Field{"count", &PartitionCause::count, "Nodes."},
      Field{"alone", &PartitionCause::alone, "When these alone were accepted."},
      Field{"after", &PartitionCause::after, "When these, and those of the causes before, were accepted."},
  };
};

template <>
struct Fields<ProviderOption> {
  static constexpr std::tuple kAll{Field{"name", &ProviderOption::name, "\"trt_op_types_to_exclude\"."},
                                   Field{"value", &ProviderOption::value, "As the provider reads it."},
                                   Field{"why", &ProviderOption::why, "One line."}};
};

template <>
struct Fields<PartitionBox> {
  static constexpr std::tuple kAll{
      Field{"op_type", &PartitionBox::op_type, "Of the node; of a piece \"3 Conv, 2 Relu\"."},
      Field{"name", &PartitionBox::name, "Label of the node; of a piece \"piece 1\"."},
      Field{"piece", &PartitionBox::piece, "Number of the piece that it is in; 0 = it runs elsewhere."}};
};

template <>
struct Fields<PartitionLink> {
  static constexpr std::tuple kAll{Field{"maker", &PartitionLink::maker, "Index of a box."},
                                   Field{"reader", &PartitionLink::reader, "Index of a box."},
                                   Field{"value", &PartitionLink::value, "Name of the tensor."},
                                   Field{"type", &PartitionLink::type, "\"FLOAT[N,64,56,56]\"."}};
};

template <>
struct Fields<PartitionGraph> {
  static constexpr std::tuple kAll{
      Field{"is_condensed", &PartitionGraph::is_condensed, "A piece is one box."},
      Field{"boxes", &PartitionGraph::boxes, "In the order of execution."},
      Field{"links", &PartitionGraph::links, "Between them."},
      Field{"left_out", &PartitionGraph::left_out, "Boxes beyond those that can be drawn."},
  };
};

template <>
struct Fields<PartitionReport> {
  static constexpr std::tuple kAll{
      Field{"path", &PartitionReport::path, "\"\" for a model from memory."},
      Field{"release", &PartitionReport::release, "\"10.13\", \"rtx-1.7\"."},
      Field{"provider", &PartitionReport::provider, "\"parser\", \"TensorrtExecutionProvider\", ..."},
      Field{"nodes", &PartitionReport::nodes, "Of the main graph that count."},
      Field{"now", &PartitionReport::now, "As it is."},
      Field{"pieces", &PartitionReport::pieces, "In the order of execution, those of bodies last."},
      Field{"is_consolidated", &PartitionReport::is_consolidated, "ONNX Runtime makes one engine of all pieces."},
      Field{"pieces_found", &PartitionReport::pieces_found, "Before that."},
      Field{"iterations", &PartitionReport::iterations, "That the provider needs at most, of 1,000."},
      Field{"refused", &PartitionReport::refused, "Nodes that run elsewhere, in the order of execution."},
      Field{"whole_model", &PartitionReport::whole_model, "Errors that are of no node: with one of them nothing runs."},
      Field{"causes", &PartitionReport::causes, "The most useful to repair first."},
      Field{"options", &PartitionReport::options, "For ONNX Runtime; empty without it."},
      Field{"advised", &PartitionReport::advised, "With these options; None: they change nothing."},
      Field{"profile", &PartitionReport::profile},
      Field{"notes", &PartitionReport::notes, "What else is to be known."},
      Field{"graph", &PartitionReport::graph, "For a picture."},
      Field{"checks", &PartitionReport::checks, "Of the model and of its pieces."},
  };
};

}  // namespace trtcheck::report
