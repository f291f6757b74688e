// Passes: what is known, what can be said with it, is it the same model, again.
#include <trtcheck/simplify.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <trtcheck/error.hpp>

#include "bytes/bytes.hpp"
#include "bytes/real_path.hpp"
#include "cure/agreement.hpp"
#include "cure/node_text.hpp"
#include "cure/state.hpp"
#include "edit/edited.hpp"
#include "edit/left_out.hpp"
#include "edit/write.hpp"
#include "model/fetch.hpp"
#include "model/graphs.hpp"
#include "simplify/hygiene.hpp"
#include "simplify/kinds.hpp"
#include "simplify/plan.hpp"
#include "simplify/run.hpp"
#include "simplify/sizes.hpp"

namespace trtcheck {

using cure::SourceFile;

struct Simplified::Impl : simplifying::Outcome {
  std::optional<File> file;  ///< nothing: the model is in memory
  SourceFile origin;
  Limits limits;
};

struct SimplifiedAccess {
  using Impl = Simplified::Impl;
  static Simplified make(std::unique_ptr<Impl> impl) { return Simplified(std::move(impl)); }
};

namespace {

using simplifying::Plan;
using simplifying::Step;

/// A model in the course of its simplification.
struct State {
  State(const SourceFile& origin, edit::Pieces made, const SimplifyOptions& options)
      : pieces(std::move(made)),
        model(std::make_unique<Model>(cure::model_of(origin, pieces, options.limits))),
        shapes(std::make_unique<Shapes>(infer(*model, {.shape_functions = options.shape_functions}))) {}

  edit::Pieces pieces;
  std::unique_ptr<Model> model;
  std::unique_ptr<Shapes> shapes;
};

ModelCounts counts_of(const Model& model, std::uint64_t bytes) {
  ModelCounts counts{.file_bytes = bytes};
  for (std::uint32_t g = 0; g < model.graph_count(); ++g) {
    if (!is_of_main_graph(model, GraphId{g})) continue;
    const Graph& graph = model.graph(GraphId{g});
    counts.nodes += graph.node_count;
    counts.constants += graph.initializers.size();
    for (std::uint32_t i = 0; i < graph.node_count; ++i) {
      const Node& node = model.node(NodeId{graph.first_node.index + i});
      if (node.domain().empty() && (node.op_type == "Shape" || node.op_type == "Size")) ++counts.shapes;
    }
  }
  return counts;
}

class Run {
 public:
  Run(const SourceFile& origin, const SimplifyOptions& options) : origin_(&origin), options_(&options) {}

  simplifying::Outcome run(edit::Pieces pieces) && {
    state_ = std::make_unique<State>(*origin_, std::move(pieces), *options_);
    made_.before = counts_of(*state_->model, state_->pieces.size());
    if (!options_->sizes.empty()) pin();
    for (pass_ = 1; pass_ <= options_->passes; ++pass_) {
      if (!make_pass()) break;
    }
    made_.after = counts_of(*state_->model, state_->pieces.size());
    made_.pieces = std::move(state_->pieces);
    made_.model = std::move(state_->model);
    return std::move(made_);
  }

 private:
  void pin() {
    const Plan plan = simplifying::with_sizes(*state_->model, *state_->shapes, options_->sizes);
    auto next = after(plan);
    if (next->shapes->conflicts().size() > state_->shapes->conflicts().size()) refuse_sizes(*next);
    note(plan, *next->model);
    state_ = std::move(next);
  }
  /// The first thing that cannot be any more.
  [[noreturn]] void refuse_sizes(const State& next) const {
    std::set<NodeId> known;
    for (const Conflict& conflict : state_->shapes->conflicts()) known.insert(conflict.node);
    const std::span<const Conflict> all = next.shapes->conflicts();
    auto first = std::ranges::find_if(all, [&](const Conflict& conflict) { return !known.contains(conflict.node); });
    if (first == all.end()) first = all.begin();
    throw Error("static size",
                fmt::format("the sizes contradict the graph at {} `{}`: {}", next.model->node(first->node).op_type,
                            next.model->node_label(first->node), first->message));
  }

  /// False: there is nothing left to do.
  bool make_pass() {
    made_.left.clear();
    const Plan order =
        simplifying::put_in_order(*state_->model, *state_->shapes, options_->classes, options_->fuses, made_.left);
    if (!order.edits.empty()) return take_over(order);
    if (std::ranges::find(options_->classes, CureClass::proven) == options_->classes.end()) return false;
    if (std::string why = simplifying::why_not(*state_->model); !why.empty()) {
      made_.left.push_back(std::move(why));
      return false;
    }
    const bool rounds = std::ranges::find(options_->classes, CureClass::rounding) != options_->classes.end();
    simplifying::Known known(*state_->model, *state_->shapes, rounds);
    Plan plan = simplifying::planned(known, is_late_);
    if (plan.edits.empty() && !is_late_) {
      is_late_ = true;
      plan = simplifying::planned(known, is_late_);
    }
    return !plan.edits.empty() && take_over(plan);
  }

  [[nodiscard]] std::unique_ptr<State> after(const Plan& plan) const {
    edit::Pieces pieces = edit::edited(*state_->model, plan.edits).over(state_->pieces);
    return std::make_unique<State>(*origin_, std::move(pieces), *options_);
  }

  bool take_over(const Plan& plan) {
    auto next = after(plan);
    if (const auto problem = cure::changed_value(*state_->model, *state_->shapes, *next->model, *next->shapes)) {
      made_.left.push_back(fmt::format("pass {} was taken back: {}", pass_, *problem));
      return false;
    }
    note(plan, *next->model);
    state_ = std::move(next);
    return true;
  }

  void note(const Plan& plan, const Model& next) {
    const Model& model = *state_->model;
    std::unordered_map<std::string_view, ValueId> values;
    for (std::uint32_t i = 0; options_->texts && i < next.value_count(); ++i) {
      values.emplace(next.value(ValueId{i}).name, ValueId{i});
    }
    for (const Step& step : plan.steps) {
      Simplification made{.name = std::string(step.name),
                          .kind = simplifying::kind_named(step.name).kind,
                          .title = step.title,
                          .node = model.node_label(step.node),
                          .op_type = std::string(model.node(step.node).op_type),
                          .graph = step.node ? model.graph_path(model.node(step.node).graph) : std::string(),
                          .before = {},
                          .after = {},
                          .pass = pass_};
      if (options_->texts && step.node) add_texts(step.node, next, values, made);
      made_.applied.push_back(std::move(made));
    }
  }

  void add_texts(NodeId id, const Model& next, const std::unordered_map<std::string_view, ValueId>& values,
                 Simplification& made) const {
    made.before.push_back(cure::node_text(*state_->model, id));
    for (const ValueId output : state_->model->node(id).outputs) {
      const auto found = values.find(state_->model->value(output).name);
      if (!output || found == values.end()) continue;
      const NodeId now = next.value(found->second).producer;
      if (!now) continue;
      std::string text = cure::node_text(next, now);
      if (std::ranges::find(made.after, text) == made.after.end()) made.after.push_back(std::move(text));
    }
  }

  const SourceFile* origin_;
  const SimplifyOptions* options_;
  simplifying::Outcome made_;
  std::unique_ptr<State> state_;
  std::size_t pass_ = 0;
  bool is_late_ = false;  ///< nothing else was left to do once
};

Simplified simplified(std::unique_ptr<SimplifiedAccess::Impl> impl, const SimplifyOptions& options) {
  impl->limits = options.limits;
  edit::Pieces all;
  all.copy({0, impl->origin.file.size});
  static_cast<simplifying::Outcome&>(*impl) = Run(impl->origin, options).run(std::move(all));
  return SimplifiedAccess::make(std::move(impl));
}

}  // namespace

simplifying::Outcome simplifying::run(const SourceFile& origin, edit::Pieces pieces, const SimplifyOptions& options) {
  return Run(origin, options).run(std::move(pieces));
}

Simplified::Simplified(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Simplified::Simplified(Simplified&&) noexcept = default;
Simplified& Simplified::operator=(Simplified&&) noexcept = default;
Simplified::~Simplified() = default;

std::span<const Simplification> Simplified::applied() const noexcept { return impl_->applied; }
const ModelCounts& Simplified::before() const noexcept { return impl_->before; }
const ModelCounts& Simplified::after() const noexcept { return impl_->after; }
bool Simplified::is_changed() const noexcept {
  const std::span<const edit::Pieces::Piece> all = impl_->pieces.all();
  if (impl_->origin.file.size == 0) return !all.empty();
  return all.size() != 1 || all[0].is_new || all[0].from != 0 || all[0].length != impl_->origin.file.size;
}
std::span<const std::string> Simplified::left() const noexcept { return impl_->left; }
std::uint64_t Simplified::size() const noexcept { return impl_->pieces.size(); }

void Simplified::write(const std::string& output) const {
  const edit::Origin origin{impl_->origin.file, impl_->file ? &*impl_->file : nullptr};
  edit::put(*impl_->model, impl_->pieces, origin, output, edit::DataPlace::kept,
            edit::same_model(*impl_->model, output, impl_->limits));
}

std::string Simplified::bytes_without(std::span<const ByteRange> weights, std::string_view mark) const {
  return edit::content_without(*impl_->model, impl_->pieces, impl_->origin.file, {weights, mark});
}

std::string Simplified::bytes() const { return impl_->pieces.content(impl_->origin.file.read); }

Simplified simplify(const std::string& path, const SimplifyOptions& options) {
  auto impl = std::make_unique<SimplifiedAccess::Impl>();
  impl->file.emplace(File::open(path));
  if (impl->file->is_pipe()) throw Error(path, "is a pipe, a file is required to be simplified");
  impl->origin = {readable(*impl->file), folder_of(path)};
  return simplified(std::move(impl), options);
}

namespace {

Simplified simplified_in_memory(Readable memory, const SimplifyOptions& options, const std::string& base_dir) {
  auto impl = std::make_unique<SimplifiedAccess::Impl>();
  impl->origin = {std::move(memory), base_dir};
  return simplified(std::move(impl), options);
}

}  // namespace

Simplified simplify(std::span<const std::byte> bytes, const SimplifyOptions& options, const std::string& base_dir) {
  return simplified_in_memory(readable(bytes), options, base_dir);
}

Simplified simplify(const Parts& parts, const SimplifyOptions& options, const std::string& base_dir) {
  return simplified_in_memory(readable(parts), options, base_dir);
}

}  // namespace trtcheck
