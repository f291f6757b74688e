#include "axes/export_text.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text/python_text.hpp"

namespace trtcheck::axis {
namespace {

/// As a name of Python.
std::string word_of(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool fits = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    out += fits ? c : '_';
  }
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0])) != 0) out.insert(0, "d");
  return out;
}

class Names {
 public:
  explicit Names(const AxesReport& report) : report_(&report) {}

  /// nullptr: it is pinned, or a number.
  [[nodiscard]] const DynamicAxis* axis(std::string_view name) const {
    const auto found = std::ranges::find(report_->axes, name, &DynamicAxis::name);
    if (found == report_->axes.end() || found->state == AxisState::fixed || found->state == AxisState::none)
      return nullptr;
    const bool is_pinned = std::ranges::find(report_->pins, name, &PinnedAxis::name) != report_->pins.end();
    return is_pinned ? nullptr : &*found;
  }
  /// Axes that must be equal are one, whose name is that of the first.
  [[nodiscard]] const DynamicAxis& first_of(const DynamicAxis& axis) const {
    for (const DynamicAxis& before : report_->axes) {
      if (&before == &axis) return axis;
      const bool is_equal = std::ranges::any_of(axis.conditions, [&](const AxisCondition& condition) {
        return condition.state == AxisState::equal && condition.other == before.name;
      });
      if (is_equal) return first_of(before);
    }
    return axis;
  }

 private:
  const AxesReport* report_;
};

/// The axes of each input that stay dynamic: their place, and their name where they are one symbol.
struct DynamicInput {
  std::string_view name;
  std::vector<std::pair<std::size_t, const DynamicAxis*>> axes;  ///< nullptr: an expression
};

std::vector<DynamicInput> dynamic_inputs(const Model& model, const Shapes& shapes, const Names& names) {
  std::vector<DynamicInput> made;
  for (const ValueId id : model.graph().inputs) {
    if (!model.is_network_input(id)) continue;
    DynamicInput input{model.value(id).name, {}};
    for (std::size_t i = 0; i < shapes[id].rank(); ++i) {
      const Dim dim = shapes[id].dims[i];
      if (dim.is_literal()) continue;
      const std::string text = shapes.dims().text(dim);
      const std::vector<std::string_view> symbols = shapes.dims().symbols(dim);
      const bool is_left = std::ranges::any_of(symbols, [&](auto name) { return names.axis(name) != nullptr; });
      if (is_left) input.axes.emplace_back(i, symbols.size() == 1 && symbols[0] == text ? names.axis(text) : nullptr);
    }
    if (!input.axes.empty()) made.push_back(std::move(input));
  }
  return made;
}

/// `height = 32 * Dim("height_by_32")`.
std::string dim_text(const DynamicAxis& axis) {
  const std::string word = word_of(axis.name);
  std::string bounds;
  std::int64_t multiple = 1;
  for (const AxisCondition& condition : axis.conditions) {
    if (condition.state == AxisState::multiples) multiple = std::max(multiple, condition.number);
    if (condition.state == AxisState::at_least) bounds += fmt::format(", min={}", condition.number);
    if (condition.state == AxisState::at_most) bounds += fmt::format(", max={}", condition.number);
  }
  if (multiple == 1) return fmt::format("{} = Dim(\"{}\"{})\n", word, word, bounds);
  return fmt::format("{} = {} * Dim(\"{}_by_{}\")\n", word, multiple, word, multiple);
}

}  // namespace

std::string dynamic_shapes_text(const Model& model, const Shapes& shapes, const AxesReport& report) {
  const Names names(report);
  const std::vector<DynamicInput> inputs = dynamic_inputs(model, shapes, names);
  if (inputs.empty()) return {};
  std::vector<const DynamicAxis*> used;
  std::vector<std::string> entries;
  for (const DynamicInput& input : inputs) {
    std::vector<std::string> axes;
    for (const auto& [place, axis] : input.axes) {
      if (axis == nullptr) {
        axes.push_back(fmt::format("{}: Dim.AUTO", place));
        continue;
      }
      const DynamicAxis& first = names.first_of(*axis);
      if (std::ranges::find(used, &first) == used.end()) used.push_back(&first);
      axes.push_back(fmt::format("{}: {}", place, word_of(first.name)));
    }
    entries.push_back(fmt::format("{}: {{{}}}", python_text(input.name), fmt::join(axes, ", ")));
  }
  std::string out = "from torch.export import Dim\n";
  for (const DynamicAxis* axis : used) out += dim_text(*axis);
  return out + fmt::format("dynamic_shapes = {{{}}}\n", fmt::join(entries, ", "));
}

std::string dynamic_axes_text(const Model& model, const Shapes& shapes, const AxesReport& report) {
  const Names names(report);
  std::vector<std::string> entries;
  for (const DynamicInput& input : dynamic_inputs(model, shapes, names)) {
    std::vector<std::string> axes;
    for (const auto& [place, axis] : input.axes) {
      const std::string name =
          axis == nullptr ? fmt::format("{}_dim{}", input.name, place) : names.first_of(*axis).name;
      axes.push_back(fmt::format("{}: {}", place, python_text(name)));
    }
    entries.push_back(fmt::format("{}: {{{}}}", python_text(input.name), fmt::join(axes, ", ")));
  }
  return entries.empty() ? std::string() : fmt::format("dynamic_axes = {{{}}}\n", fmt::join(entries, ", "));
}

}  // namespace trtcheck::axis
