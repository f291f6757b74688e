#include "cure/verify.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <variant>

#include <fmt/format.h>

#include "cure/cure.hpp"

namespace trtcheck::cure {
namespace {

/// How bad each thing is that is known of a model.
std::unordered_map<std::string, Severity> severities(const State& state) {
  std::unordered_map<std::string, Severity> found;
  for (const Finding* finding : state.findings()) {
    const Key key = state.key(*finding);
    const auto [at, is_new] = found.emplace(key.text, key.severity);
    if (!is_new) at->second = std::max(at->second, key.severity);
  }
  return found;
}

bool has_cure(const Finding& finding) { return !cures_of(finding).empty(); }

std::optional<std::string> worse_finding(const State& before, const State& after, Severity cured) {
  const std::unordered_map<std::string, Severity> known = severities(before);
  for (const Finding* finding : after.findings()) {
    if (finding->severity < cured) continue;
    const Key key = after.key(*finding);
    if (const auto old = known.find(key.text); old != known.end() && old->second >= finding->severity) continue;
    // What comes out of one repair is what the next round is for.
    if (finding->severity == cured && has_cure(*finding)) continue;
    return fmt::format("it brings a new finding: {} {}", finding->rule->code, finding->message);
  }
  return std::nullopt;
}

/// Symbols that the caller decides about, with the sizes of the inputs.
std::set<std::string_view> fed_symbols(const State& state) {
  std::set<std::string_view> symbols;
  for (const ValueId input : state.model().graph().inputs) {
    for (const Dim dim : state.shapes()[input].dims) {
      for (const std::string_view symbol : state.shapes().dims().symbols(dim)) symbols.insert(symbol);
    }
  }
  return symbols;
}

/// Two shapes are as good as the same: equal, or the old one was not known.
class Agreement {
 public:
  Agreement(const State& before, const State& after)
      : before_(&before.shapes()), after_(&after.shapes()), fed_(fed_symbols(before)) {}

  [[nodiscard]] bool agrees(const ValueShape& old, const ValueShape& now) const {
    if (old.kind == ValueShape::Kind::unknown) return true;
    if (old.kind != now.kind) return false;
    if (old.type != DataType::undefined && old.type != now.type) return false;
    if (!old.has_rank) return true;
    if (!now.has_rank || old.rank() != now.rank()) return false;
    for (std::size_t i = 0; i < old.rank(); ++i) {
      if (!agrees(old.dims[i], now.dims[i])) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] bool agrees(Dim old, Dim now) const {
    if (old.is_literal()) return now.is_literal() && old.value() == now.value();
    if (!before_->dims().is_exact(old)) return true;
    if (before_->dims().text(old) == after_->dims().text(now)) return true;
    // What the file calls by a name that no input has, it does not know.
    const auto symbols = before_->dims().symbols(old);
    return std::ranges::none_of(symbols, [&](std::string_view symbol) { return fed_.contains(symbol); });
  }

  const Shapes* before_;
  const Shapes* after_;
  std::set<std::string_view> fed_;
};

/// Where types were mixed, inference had to guess; what the file says of the value counts as well.
bool is_as_declared(const Model& model, const Value& value, const ValueShape& now) {
  const DataType declared = model.type(value.declared).element;
  return now.kind == ValueShape::Kind::tensor && declared != DataType::undefined && declared == now.type;
}

std::optional<std::string> other_value(const State& before, const State& after) {
  const Graph& main = before.model().graph();
  const Agreement agreement(before, after);
  for (std::uint32_t i = 0; i < before.model().value_count(); ++i) {
    const Value& value = before.model().value(ValueId{i});
    if (value.graph != GraphId{0} || !value.is_defined) continue;
    const ValueId now = after.value(value.name);
    if (!now || !after.model().value(now).is_defined) continue;
    ValueShape old = before.shapes()[ValueId{i}];
    const ValueShape& made = after.shapes()[now];
    if (is_as_declared(before.model(), value, made)) old.type = made.type;
    if (agreement.agrees(old, made)) continue;
    return fmt::format("`{}` would be {} instead of {}", value.name, after.shapes().text(made),
                       before.shapes().text(old));
  }
  const Graph& mended = after.model().graph();
  const auto is_same = [&](ValueId a, ValueId b) {
    return before.model().value(a).name == after.model().value(b).name;
  };
  if (!std::ranges::equal(main.outputs, mended.outputs, is_same)) return "the model would have other outputs";
  std::vector<std::string_view> fed;
  std::vector<std::string_view> now_fed;
  for (const ValueId input : main.inputs) {
    if (before.model().is_network_input(input)) fed.push_back(before.model().value(input).name);
  }
  for (const ValueId input : mended.inputs) {
    if (after.model().is_network_input(input)) now_fed.push_back(after.model().value(input).name);
  }
  if (fed != now_fed) return "the model would have other inputs";
  return std::nullopt;
}

/// A choice may declare other types as well.
bool may_change_interface(const Attempt& attempt) {
  if (attempt.kind == CureClass::interface) return true;
  const auto declares = [](const edit::Edit& edit) { return std::holds_alternative<edit::DeclareType>(edit); };
  return attempt.kind == CureClass::choice && std::ranges::any_of(attempt.edits, declares);
}

}  // namespace

std::optional<std::string> why_not(const State& before, const State& after, std::span<const Attempt> attempts) {
  const std::unordered_map<std::string, Severity> left = severities(after);
  Severity cured = Severity::error;
  bool keeps_interface = true;
  for (const Attempt& attempt : attempts) {
    const auto still = left.find(attempt.key.text);
    if (still != left.end() && still->second >= attempt.key.severity) return "the finding would still be there";
    cured = std::min(cured, attempt.key.severity);
    keeps_interface = keeps_interface && !may_change_interface(attempt);
  }
  if (auto worse = worse_finding(before, after, cured)) return worse;
  return keeps_interface ? other_value(before, after) : std::nullopt;
}

}  // namespace trtcheck::cure
