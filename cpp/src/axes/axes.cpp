// The axes of a model: conditions, causes, and what to do.
#include <trtcheck/axes.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <trtcheck/error.hpp>

#include "axes/causes.hpp"
#include "axes/conditions.hpp"
#include "axes/export_text.hpp"
#include "profile/commands.hpp"
#include "profile/search.hpp"
#include "text/suggest.hpp"
#include "view/inference_options.hpp"

namespace trtcheck {
namespace {

using profiles::OpenInputs;

/// An axis that somebody named: "x.dim2".
struct AskedAxis {
  ValueId input;
  std::size_t axis = 0;
};

[[noreturn]] void refuse(std::string cause) { throw Error("", std::move(cause)); }

AskedAxis asked_axis(const Model& model, const Shapes& shapes, const std::string& word) {
  const std::size_t dot = word.rfind(".dim");
  std::size_t axis = 0;
  const char* const begin = dot == std::string::npos ? nullptr : word.data() + dot + 4;
  const char* const end = word.data() + word.size();
  if (begin == nullptr || begin == end || std::from_chars(begin, end, axis).ptr != end) {
    refuse(fmt::format("`{}`: an axis is written as NAME.dimN, such as x.dim0", word));
  }
  std::vector<std::string_view> names;
  for (const ValueId id : model.graph().inputs) {
    const Value& value = model.value(id);
    names.push_back(value.name);
    if (value.name != std::string_view(word).substr(0, dot)) continue;
    if (shapes[id].has_rank && axis >= shapes[id].rank()) {
      refuse(fmt::format("`{}`: `{}` has {} dims", word, value.name, shapes[id].rank()));
    }
    return {id, axis};
  }
  const std::string name = word.substr(0, dot);
  refuse(fmt::format("there is no input `{}`{}", name, did_you_mean(name, names)));
}

FixedAxis fixed_axis(const Model& model, AskedAxis at, std::int64_t number, bool is_asked) {
  FixedAxis made{.place = fmt::format("axis {} of `{}`", at.axis, model.value(at.input).name),
                 .number = number,
                 .is_asked = is_asked};
  if (number == 0 || number == 1) {
    made.why = fmt::format(
        "torch.export writes a size as a number when the example has {} there: export with an example of "
        "2 or more",
        number);
  } else {
    made.why = "the program computes with it as a number, or the export did not name the axis";
  }
  return made;
}

/// What was asked for, and axes 0 of size 0 or 1 beside others that are dynamic.
std::vector<FixedAxis> fixed_axes(const Model& model, const Shapes& shapes, const std::vector<std::string>& asked) {
  std::vector<FixedAxis> made;
  const auto add = [&](AskedAxis at, bool is_asked) {
    const ValueShape& shape = shapes[at.input];
    if (!shape.has_rank || !shape.dims[at.axis].is_literal()) return;
    FixedAxis one = fixed_axis(model, at, shape.dims[at.axis].value(), is_asked);
    if (std::ranges::find(made, one.place, &FixedAxis::place) == made.end()) made.push_back(std::move(one));
  };
  for (const std::string& word : asked) add(asked_axis(model, shapes, word), true);
  const auto is_batch = [&](ValueId id) {
    return model.is_network_input(id) && shapes[id].rank() > 0 && !shapes[id].dims[0].is_literal();
  };
  const std::span<const ValueId> inputs = model.graph().inputs;
  if (std::ranges::none_of(inputs, is_batch)) return made;
  for (const ValueId id : inputs) {
    if (!model.is_network_input(id) || shapes[id].rank() == 0) continue;
    const Dim dim = shapes[id].dims[0];
    if (dim.is(0) || dim.is(1)) add({id, 0}, false);
  }
  return made;
}

/// Inputs all of whose dynamic axes are pinned are written as a whole where an axis has no name.
std::string fix_command(const Model& model, const Shapes& shapes, const OpenInputs& inputs, const AxesReport& report) {
  std::vector<DimTable::Binding> bindings;
  for (const PinnedAxis& pin : report.pins) bindings.push_back({pin.name, pin.size});
  std::vector<std::string> words;
  const auto add = [&](const std::string& word) {
    const std::string option = "--static " + profiles::shell_word(word);
    if (std::ranges::find(words, option) == words.end()) words.push_back(option);
  };
  for (const ValueId id : model.graph().inputs) {
    if (!model.is_network_input(id)) continue;
    const std::span<const DeclaredDim> declared = model.type(model.value(id).declared).dims;
    std::vector<std::string> sizes;
    bool needs_whole = false;
    for (std::size_t i = 0; i < shapes[id].rank(); ++i) {
      const Dim dim = shapes[id].dims[i];
      const auto number = shapes.dims().evaluate(dim, bindings);
      if (number) sizes.push_back(std::to_string(*number));
      const bool is_open = !dim.is_literal() && number;
      const bool is_named = i < declared.size() && declared[i].kind == DeclaredDim::Kind::param;
      needs_whole = needs_whole || (is_open && !is_named);
      if (is_open && is_named && inputs.place_of(declared[i].param)) {
        add(fmt::format("{}={}", declared[i].param, *number));
      }
    }
    if (needs_whole && sizes.size() == shapes[id].rank()) {
      add(fmt::format("{}={}", model.value(id).name, fmt::join(sizes, "x")));
    }
  }
  if (words.empty()) return {};
  const std::string path = model.path().empty() ? "model.onnx" : model.path();
  return fmt::format("trtcheck fix {} {}", fmt::join(words, " "), profiles::shell_word(path));
}

void add_causes(const axis::Causes& causes, const OpenInputs& inputs, const profiles::Sizes& sizes,
                AxesReport& report) {
  const auto names = [&](axis::Mask mask) {
    std::vector<std::string> made;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if ((mask >> i & 1) != 0) made.push_back(inputs.dims()[i].name);
    }
    return made;
  };
  for (const axis::Causes::Cause& cause : causes.causes()) {
    AxisCause& made = report.caused.emplace_back();
    made.finding = cause.finding;
    for (const axis::Mask set : cause.sets) made.sets.push_back(names(set));
    std::ranges::stable_sort(made.sets, {}, &std::vector<std::string>::size);
    made.has_all_sets = cause.has_all_sets;
  }
  std::ranges::stable_sort(report.caused, std::ranges::greater{},
                           [](const AxisCause& cause) { return cause.finding.severity; });
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if ((causes.pins() >> i & 1) != 0) report.pins.push_back({inputs.dims()[i].name, sizes[i]});
  }
  report.remaining = causes.remaining();
  report.pins_suffice = causes.pins_suffice();
  report.checks = causes.checks();
}

}  // namespace

AxesReport axes(const Model& model, const AxesOptions& options) {
  const Shapes shapes = infer(model, symbolic_options(options.check.target));
  const OpenInputs inputs(model, shapes);
  AxesReport report;
  report.path = model.path();
  report.fixed = fixed_axes(model, shapes, options.asked);
  report.axes = axis::axes_of_inputs(model, shapes, inputs);
  report.outputs = axis::axes_of_outputs(model, shapes, inputs);
  if (inputs.dims().size() > axis::kMostAxes) {
    refuse(fmt::format("the model has {} dynamic axes, at most {} can be told apart", inputs.dims().size(),
                       axis::kMostAxes));
  }
  const profiles::Sizes sizes = profiles::best_sizes(model, shapes, inputs);
  for (std::size_t i = 0; i < sizes.size(); ++i) report.axes[i].size = sizes[i];
  if (!sizes.empty()) add_causes(axis::Causes(model, shapes, inputs, sizes, options.check), inputs, sizes, report);
  report.dynamic_shapes = axis::dynamic_shapes_text(model, shapes, report);
  report.dynamic_axes = axis::dynamic_axes_text(model, shapes, report);
  report.fix_command = fix_command(model, shapes, inputs, report);
  return report;
}

}  // namespace trtcheck
