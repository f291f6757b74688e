#include "axes/causes.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "edit/declared_dim.hpp"
#include "edit/edited.hpp"
#include "model/fetch.hpp"
#include "model/graphs.hpp"

namespace trtcheck::axis {
namespace {

/// Of all checks beyond the first two, for each axis.
constexpr std::size_t kChecksPerAxis = 4;
/// Sets of pins are tried one by one up to so many axes.
constexpr int kMostTried = 14;
/// Of one finding: sets of axes that are pinned to look for another set of causes.
constexpr std::size_t kMostPinned = 256;

std::string key_of(const Finding& finding) {
  return fmt::format("{}:{}:{}:{}", finding.rule->code, finding.fact, finding.node_id.index,
                     finding.node_id ? std::string() : finding.value);
}

/// What is there for every dynamic model is said by `trtcheck profile`.
bool is_about_profiles(const Finding& finding) { return finding.rule->code.starts_with("PRF"); }

void collect(const std::vector<Finding>& findings, std::vector<const Finding*>& into) {
  for (const Finding& finding : findings) {
    into.push_back(&finding);
    collect(finding.consequences, into);
  }
}

Mask bit(std::size_t place) { return Mask{1} << place; }

}  // namespace

Causes::Causes(const Model& model, const Shapes& shapes, const profiles::OpenInputs& inputs, profiles::Sizes sizes,
               CheckOptions options)
    : model_(&model), shapes_(&shapes), inputs_(&inputs), sizes_(std::move(sizes)), options_(std::move(options)) {
  options_.target.profile.clear();
  options_.target.require_profile = false;
  fill_masks();
  const Report open = report(all(), options_);
  std::vector<const Finding*> found;
  collect(open.findings, found);
  const Keys still = [&] {
    Keys keys;
    const Report closed = report(0, options_);
    std::vector<const Finding*> left;
    collect(closed.findings, left);
    for (const Finding* finding : left) {
      if (finding->severity != Severity::info) ++remaining_;
      Severity& worst = keys.try_emplace(key_of(*finding), finding->severity).first->second;
      worst = std::max(worst, finding->severity);
    }
    return keys;
  }();
  for (const Finding* finding : found) {
    const auto known = still.find(key_of(*finding));
    if (is_about_profiles(*finding) || (known != still.end() && known->second >= finding->severity)) continue;
    Finding alone = *finding;
    alone.consequences.clear();
    codes_.emplace(finding->rule->code);
    reach_.push_back(reaching(alone));
    causes_.push_back({std::move(alone), {}});
  }
  known_.emplace(Mask{0}, still);
  if (causes_.empty()) return;
  try_alone();
  for (std::size_t c = 0; c < causes_.size(); ++c) find_sets(causes_[c], reach_[c]);
  choose_pins();
}

Mask Causes::all() const noexcept {
  const std::size_t count = sizes_.size();
  return count >= kMostAxes ? ~Mask{0} : bit(count) - 1;
}

Model Causes::pinned(Mask dynamic) const {
  std::vector<DimTable::Binding> bindings;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    if ((dynamic & bit(i)) == 0) bindings.push_back({inputs_->dims()[i].name, sizes_[i]});
  }
  DimTable& table = shapes_->dims();
  std::vector<edit::Edit> edits;
  for (std::uint32_t v = 0; v < model_->value_count(); ++v) {
    const Value& value = model_->value(ValueId{v});
    const Type& type = model_->type(value.declared);
    if (type.kind != Type::Kind::tensor || !type.has_shape) continue;
    // What a function says, it says for all calls.
    if (!is_of_main_graph(*model_, value.graph)) continue;
    edit::TypeValue made{.type = type.element, .dims = std::vector<edit::DimValue>{}};
    bool is_changed = false;
    const bool is_input = value.is_input && value.graph == GraphId{0};
    for (std::size_t i = 0; i < type.dims.size(); ++i) {
      const DeclaredDim& dim = type.dims[i];
      edit::DimValue& written = made.dims->emplace_back(edit::as_declared(dim));
      std::optional<std::int64_t> number;
      if (dim.kind == DeclaredDim::Kind::param) number = table.evaluate(table.parse(dim.param), bindings);
      const bool has_own = is_input && dim.kind == DeclaredDim::Kind::unknown;
      if (has_own && (*shapes_)[ValueId{v}].rank() == type.dims.size()) {
        number = table.evaluate((*shapes_)[ValueId{v}].dims[i], bindings);
      }
      if (!number) continue;
      written = *number;
      is_changed = true;
    }
    if (is_changed) {
      edits.emplace_back(edit::DeclareType{edit::place_of(*model_, value.graph), std::string(value.name), made});
    }
  }
  const edit::Pieces pieces = edit::edited(*model_, edits);
  Readable old = readable(model_->bytes());
  old.path = model_->path();
  return read_model(edit::readable(pieces, old), model_->base_dir(), options_.limits);
}

Report Causes::report(Mask dynamic, const CheckOptions& options) {
  ++checks_;
  if (dynamic == all()) return check(*model_, options);
  return check(pinned(dynamic), options);
}

const Causes::Keys& Causes::probe(Mask dynamic) {
  const auto [at, is_new] = known_.try_emplace(dynamic);
  if (!is_new) return at->second;
  CheckOptions options = options_;
  options.select.assign(codes_.begin(), codes_.end());
  const Report made = report(dynamic, options);
  std::vector<const Finding*> found;
  collect(made.findings, found);
  for (const Finding* finding : found) {
    Severity& worst = at->second.try_emplace(key_of(*finding), finding->severity).first->second;
    worst = std::max(worst, finding->severity);
  }
  return at->second;
}

bool Causes::is_there(const Finding& finding, Mask dynamic) {
  const Keys& keys = probe(dynamic);
  const auto found = keys.find(key_of(finding));
  return found != keys.end() && found->second >= finding.severity;
}

// Symbols of dims that are known exactly; where something is not known, all that reaches it.
void Causes::fill_masks() {
  const DimTable& table = shapes_->dims();
  masks_.assign(model_->value_count(), 0);
  const auto symbols_in = [&](Dim dim) {
    Mask mask = 0;
    for (const std::string_view symbol : table.symbols(dim)) {
      if (const auto place = inputs_->place_of(symbol)) mask |= bit(*place);
    }
    return mask;
  };
  const auto fill = [&](ValueId id, Mask before) {
    if (!id) return;
    const ValueShape& shape = (*shapes_)[id];
    Mask mask = 0;
    bool is_exact = shape.has_rank && !shape.assumed;
    for (const Dim dim : shape.dims) {
      is_exact = is_exact && table.is_exact(dim);
      if (!dim.is_literal()) mask |= symbols_in(dim);
    }
    for (const Dim dim : shape.known) mask |= dim.is_literal() ? 0 : symbols_in(dim);
    // Numbers that may become sizes.
    const bool is_size = shape.type == DataType::int64 || shape.type == DataType::int32;
    masks_[id.index] |= mask | (is_exact && (shape.is_known || !is_size) ? 0 : before);
  };
  for (std::uint32_t g = 0; g < model_->graph_count(); ++g) {
    for (const ValueId input : model_->graph(GraphId{g}).inputs) {
      const NodeId parent = model_->graph(GraphId{g}).parent;
      Mask before = 0;
      for (const ValueId outer : parent ? model_->node(parent).inputs : std::span<const ValueId>{}) {
        if (outer) before |= masks_[outer.index];
      }
      fill(input, before);
    }
    for (const NodeId id : model_->graph(GraphId{g}).order) {
      Mask before = 0;
      for (const ValueId input : model_->node(id).inputs) before |= input ? masks_[input.index] : 0;
      for (const ValueId output : model_->node(id).outputs) fill(output, before);
    }
  }
}

Mask Causes::reaching(const Finding& finding) const {
  if (!finding.node_id) return all();
  const Node& node = model_->node(finding.node_id);
  Mask mask = 0;
  for (const ValueId input : node.inputs) mask |= input ? masks_[input.index] : 0;
  for (const ValueId output : node.outputs) mask |= output ? masks_[output.index] : 0;
  const bool has_bodies =
      std::ranges::any_of(node.attributes(), [](const Attribute& a) { return static_cast<bool>(a.g()); });
  return mask == 0 || has_bodies || node.graph != GraphId{0} ? all() : mask;
}

/// What one axis alone causes. Axes of which no finding sees two are tried in one check.
void Causes::try_alone() {
  std::vector<Mask> together;
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    const bool is_seen = std::ranges::any_of(reach_, [&](Mask mask) { return (mask & bit(i)) != 0; });
    if (!is_seen) continue;
    const auto fits = [&](Mask group) {
      return std::ranges::none_of(reach_, [&](Mask mask) { return (mask & bit(i)) != 0 && (mask & group) != 0; });
    };
    const auto found = std::ranges::find_if(together, fits);
    if (found == together.end()) {
      together.push_back(bit(i));
    } else {
      *found |= bit(i);
    }
  }
  for (std::size_t c = 0; c < causes_.size(); ++c) {
    // Nothing else reaches it.
    if (std::has_single_bit(reach_[c])) causes_[c].sets.push_back(reach_[c]);
  }
  const bool is_open = std::ranges::any_of(causes_, [](const Cause& cause) { return cause.sets.empty(); });
  if (!is_open) return;
  for (const Mask group : together) {
    for (std::size_t c = 0; c < causes_.size(); ++c) {
      const Mask seen = reach_[c] & group;
      if (seen == 0 || std::has_single_bit(reach_[c])) continue;
      if (is_there(causes_[c].finding, group)) causes_[c].sets.push_back(seen);
    }
  }
}

bool Causes::has_checks() const noexcept { return checks_ < 2 + kChecksPerAxis * sizes_.size(); }

/// A part of `set` of which no axis can be left out.
Mask Causes::narrowed(const Finding& finding, Mask set) {
  for (std::size_t i = 0; i < sizes_.size() && has_checks(); ++i) {
    const Mask smaller = set & ~bit(i);
    if (smaller != set && smaller != 0 && is_there(finding, smaller)) set = smaller;
  }
  return set;
}

/// All sets of more than one axis: those that are known are broken by pinning an axis of each, in all ways, and what is
/// there nevertheless has another set (Reiter, "A theory of diagnosis from first principles", 1987).
void Causes::find_sets(Cause& cause, Mask reach) {
  Mask alone = 0;
  for (const Mask set : cause.sets) alone |= set;
  if (std::popcount(reach & ~alone) < 2) return;
  std::vector<Mask> pinned{alone};
  for (std::size_t at = 0; at < pinned.size(); ++at) {
    const Mask away = pinned[at];
    const auto known = std::ranges::find_if(cause.sets, [&](Mask set) { return (set & away) == 0; });
    Mask set = known == cause.sets.end() ? 0 : *known;
    if (set == 0 && std::popcount(reach & ~away) < 2) continue;
    if (set == 0) {
      // The first is there: with all axes dynamic.
      if (at != 0 && !has_checks()) {
        cause.has_all_sets = false;
        return;
      }
      if (away != 0 && !is_there(cause.finding, all() & ~away)) continue;
      set = narrowed(cause.finding, all() & ~away);
      cause.sets.push_back(set);
    }
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      const Mask more = away | bit(i);
      if ((set & bit(i)) != 0 && std::ranges::find(pinned, more) == pinned.end()) pinned.push_back(more);
    }
    if (pinned.size() > kMostPinned) {
      cause.has_all_sets = false;
      return;
    }
  }
}

void Causes::choose_pins() {
  std::vector<Mask> sets;
  Mask used = 0;
  for (const Cause& cause : causes_) {
    if (cause.finding.severity == Severity::info) continue;
    for (const Mask set : cause.sets) {
      if (std::ranges::find(sets, set) == sets.end()) sets.push_back(set);
      used |= set;
    }
  }
  if (sets.empty()) return;
  const auto hits = [&](Mask pins) { return std::ranges::all_of(sets, [&](Mask set) { return (set & pins) != 0; }); };
  pins_ = used;
  if (std::popcount(used) <= kMostTried) {
    for (Mask pins = used; pins != 0; pins = (pins - 1) & used) {
      if (std::popcount(pins) < std::popcount(pins_) && hits(pins)) pins_ = pins;
    }
  } else {
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (hits(pins_ & ~bit(i))) pins_ &= ~bit(i);
    }
  }
  const Mask left = all() & ~pins_;
  const auto is_gone = [&](const Cause& cause) {
    return cause.finding.severity == Severity::info || !is_there(cause.finding, left);
  };
  suffice_ = std::ranges::all_of(causes_, is_gone);
}

}  // namespace trtcheck::axis
