#include "view/build_time.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "model/walk.hpp"
#include "schema/kinds.hpp"
#include "view/extents.hpp"

namespace trtcheck {
namespace {

constexpr std::size_t kMostSources = 256;

bool is_real(DataType type) {
  return type == DataType::float32 || type == DataType::float16 || type == DataType::bfloat16 ||
         type == DataType::float64;
}

struct Sources {
  bool has_data = false;  ///< the contents of a network input
  bool has_real = false;  ///< floating point numbers
  bool is_whole = true;   ///< everything on the way was followed
};

/// What shape inference lost, TensorRT may know.
bool has_exact_sizes(const ModelView& view, ValueId id) {
  if (!id || !view.shape(id).has_rank) return false;
  return std::ranges::all_of(view.shape(id).dims, [&](Dim dim) { return view.dims().is_exact(dim); });
}

/// An operand that says which elements are taken: what it is computed with does not count for them.
bool picks(const Node& node, std::size_t input) {
  return (node.op_type == "Slice" && input > 0) || (node.op_type == "Gather" && input == 1);
}

enum class Follow : std::uint8_t { all, taken };

/// Looks at what a value is computed from, as far as a Shape or a Size.
Sources sources_of(const ModelView& view, ValueId value, Follow follow = Follow::all) {
  const Model& model = view.model;
  Sources sources;
  const Walked end = walk<kMostSources>(view.parser.argument(value), [&](ValueId id, auto& onward) {
    sources.has_real = sources.has_real || is_real(view.shape(id).type);
    if (model.constant(id)) return false;
    const NodeId producer = producer_of(model, id);
    if (!producer) {
      const Value& found = model.value(id);
      (found.is_input && found.graph == GraphId{0} ? sources.has_data = true : sources.is_whole = false);
      return false;
    }
    const Node& node = model.node(producer);
    if (node.op_type == "Constant") return false;
    if (node.op_type == "Shape" || node.op_type == "Size") {
      sources.is_whole = sources.is_whole && has_exact_sizes(view, node.input(0));
      return false;
    }
    // Of some only the shape of an input matters, others hold graphs.
    const bool is_closed = node.call() || node.op_type == "If" || node.op_type == "Loop" || node.op_type == "Scan" ||
                           node.op_type.ends_with("Like");
    const bool is_followed = !is_closed && is_a(node.op_type, kinds::followed_by_parser);
    sources.is_whole = sources.is_whole && is_followed;
    if (is_closed) return false;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (follow == Follow::all || !picks(node, i)) onward.add(view.parser.argument(node.inputs[i]));
    }
    return false;
  });
  sources.is_whole = sources.is_whole && end != Walked::too_far;
  return sources;
}

}  // namespace

Truth is_run_time_value(const ModelView& view, ValueId value) {
  if (!value) return Truth::unknown;
  const Sources sources = sources_of(view, value);
  if (sources.has_data) return Truth::yes;
  if (holds_numbers(view.shape(value)) || view.shapes.folds_to_constant(value)) return Truth::no;
  // A profile may yet give each of the sizes one number, and the engine is built for that.
  return sources.is_whole && !view.target.profile.empty() ? Truth::yes : Truth::unknown;
}

bool is_real_layer(const ModelView& view, ValueId value) {
  const Walked end = walk<kMostSources>(view.parser.argument(value), [&](ValueId id, auto& onward) {
    const NodeId producer = view.model.constant(id) ? NodeId{} : producer_of(view.model, id);
    if (!producer) return false;
    const Node& node = view.model.node(producer);
    const ValueId first = view.parser.argument(node.input(0));
    if (node.op_type == "Shape" || node.op_type == "Size" || node.op_type == "Constant") return false;
    if (node.op_type.starts_with("Reduce") && sources_of(view, first).has_real) return true;
    const bool begins = node.op_type == "Cast" && is_real(view.shape(id).type) && !is_real(view.shape(first).type);
    if (begins && !holds_numbers(view.shape(first))) return true;
    for (const ValueId input : node.inputs) onward.add(view.parser.argument(input));
    return false;
  });
  return end != Walked::nowhere;
}

Truth is_real_arithmetic(const ModelView& view, ValueId value) {
  if (!value) return Truth::unknown;
  if (sources_of(view, value).has_data || view.model.constant(value)) return Truth::no;
  return sources_of(view, value, Follow::taken).has_real ? Truth::yes : Truth::no;
}

}  // namespace trtcheck
