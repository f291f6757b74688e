// A profile for inputs whose extents are known at run time only: sizes that people use, moved to those that meet the
// conditions of shape inference, and inferred once more.
#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include <trtcheck/error.hpp>
#include <trtcheck/profile.hpp>

#include "profile/axes.hpp"
#include "profile/commands.hpp"
#include "profile/reasons.hpp"
#include "profile/search.hpp"
#include "rules/profile/shape_inputs.hpp"
#include "text/suggest.hpp"
#include "view/inference_options.hpp"

namespace trtcheck {
namespace {

using profiles::OpenDim;
using profiles::OpenInputs;
using profiles::SizeChooser;
using profiles::Sizes;

/// Extents by what an axis is for; one for each kind.
using Usual = std::array<std::int64_t, 4>;

constexpr std::array kOpt = {Usual{1, 224, 64, 64},   Usual{1, 256, 32, 128}, Usual{1, 64, 16, 16},
                             Usual{1, 512, 128, 256}, Usual{1, 32, 8, 8},     Usual{1, 640, 96, 512}};
constexpr Usual kMin = {1, 32, 8, 1};
constexpr Usual kMax = {8, 1024, 128, 1024};

/// Smallest, best and largest sizes of all open dims.
struct Points {
  Sizes min, opt, max;
};

class Proposer {
 public:
  Proposer(const Model& model, const Shapes& shapes, const OpenInputs& inputs)
      : model_(&model), inputs_(&inputs), chooser_(shapes, inputs), unavoidable_(shapes.conflicts().size()) {}

  [[nodiscard]] const SizeChooser& chooser() const noexcept { return chooser_; }

  [[nodiscard]] Points points() {
    Points made;
    made.opt = best();
    made.min = moved(made.opt, SizeChooser::Order::upwards);
    made.max = moved(made.opt, SizeChooser::Order::downwards);
    return made;
  }

  [[nodiscard]] Sizes best() {
    std::vector<Interval> within;
    for (const OpenDim& dim : inputs_->dims()) {
      within.push_back(dim.wanted_opt > 0 ? Interval{dim.wanted_opt, dim.wanted_opt} : dim.allowed);
    }
    std::optional<Sizes> first;
    for (const Usual& sizes : kOpt) {
      std::optional<Sizes> chosen = chooser_.choose(usual(sizes), SizeChooser::Order::nearest, within);
      if (chosen && is_inferred(*chosen)) return *chosen;
      if (!first) first = std::move(chosen);
    }
    return first ? *first : usual(kOpt.front());
  }

 private:
  /// The usual sizes, as far as the caller allows them.
  [[nodiscard]] Sizes usual(const Usual& sizes) const {
    Sizes made;
    for (const OpenDim& dim : inputs_->dims()) {
      const std::int64_t size = dim.wanted_opt > 0 ? dim.wanted_opt : sizes.at(static_cast<std::size_t>(dim.kind));
      made.push_back(std::clamp(size, dim.allowed.low, dim.allowed.high));
    }
    return made;
  }
  [[nodiscard]] bool is_inferred(const Sizes& sizes) const {
    Target target;
    target.profile = inputs_->with(sizes, sizes, sizes, {});
    return infer(*model_, inference_options(*model_, target)).conflicts().size() <= unavoidable_;
  }
  /// The smallest or largest sizes: the usual ones, then ever closer to `opt`.
  [[nodiscard]] Sizes moved(const Sizes& opt, SizeChooser::Order order) {
    const bool is_up = order == SizeChooser::Order::upwards;
    std::vector<Interval> within;
    Sizes wanted;
    for (std::size_t i = 0; i < opt.size(); ++i) {
      const OpenDim& dim = inputs_->dims()[i];
      within.push_back(is_up ? Interval{dim.allowed.low, opt[i]} : Interval{opt[i], dim.allowed.high});
      const std::int64_t end = is_up ? dim.allowed.low : dim.allowed.high;
      const std::int64_t size = (is_up ? kMin : kMax).at(static_cast<std::size_t>(dim.kind));
      wanted.push_back(dim.given_by.empty() ? std::clamp(size, within.back().low, within.back().high) : end);
      // What the caller gave stays as it was given.
      if (!dim.given_by.empty()) within.back() = {end, end};
    }
    while (wanted != opt) {
      const auto chosen = chooser_.choose(wanted, order, within);
      if (chosen && is_inferred(*chosen)) return *chosen;
      const Sizes before = wanted;
      for (std::size_t i = 0; i < opt.size(); ++i) {
        if (!inputs_->dims()[i].given_by.empty()) continue;
        wanted[i] = is_up ? std::min(wanted[i] * 2, opt[i]) : std::max(wanted[i] / 2, opt[i]);
      }
      if (wanted == before) break;
    }
    Sizes last = opt;
    for (std::size_t i = 0; i < opt.size(); ++i) {
      const OpenDim& dim = inputs_->dims()[i];
      if (!dim.given_by.empty()) last[i] = is_up ? dim.allowed.low : dim.allowed.high;
    }
    return last;
  }

  const Model* model_;
  const OpenInputs* inputs_;
  SizeChooser chooser_;
  std::size_t unavoidable_;
};

/// Shapes without any profile; `given` has to fit the model all the same.
Shapes open_shapes(const Model& model, std::span<const ProfileInput> given, Target target = {}) {
  target.profile.assign(given.begin(), given.end());
  if (!given.empty()) (void)infer(model, inference_options(model, target));
  target.profile.clear();
  return infer(model, inference_options(model, target));
}

std::string given_text(const OpenDim& dim) {
  const Interval range = dim.allowed;
  if (range.low == range.high) return std::to_string(range.low);
  const std::string opt = dim.wanted_opt > 0 ? fmt::format("{}:", dim.wanted_opt) : "";
  return fmt::format("{}{}{}{}", range.low, opt.empty() ? ".." : ":", opt, range.high);
}

/// What is given twice has to be the same.
void refuse_another_size(const OpenDim& before, const OpenDim& dim) {
  const bool is_same_opt = before.wanted_opt == dim.wanted_opt || dim.wanted_opt <= 0;
  if (before.allowed.low == dim.allowed.low && before.allowed.high == dim.allowed.high && is_same_opt) return;
  throw Error("", fmt::format("`{}` is given two sizes: {} by {}, {} by {}", dim.name, given_text(before),
                              before.given_by, given_text(dim), dim.given_by));
}

void take_dims(OpenInputs& inputs, std::span<const SizeRange> dims) {
  for (const SizeRange& wanted : dims) {
    OpenDim* dim = inputs.find(wanted.name);
    if (dim == nullptr) {
      std::vector<std::string_view> names;
      for (const OpenDim& open : inputs.dims()) names.push_back(open.name);
      throw Error("", fmt::format("no input has a dynamic axis `{}`{}", wanted.name, did_you_mean(wanted.name, names)));
    }
    const OpenDim before = *dim;
    dim->allowed = {wanted.min, wanted.max};
    dim->wanted_opt = wanted.opt > 0 ? wanted.opt : Interval::kMin;
    dim->given_by = "--dim";
    if (!before.given_by.empty()) refuse_another_size(before, *dim);
  }
}

[[noreturn]] void refuse(std::string_view text, std::string_view cause) {
  throw Error("dim", fmt::format("`{}`: {}", text, cause));
}

std::int64_t parse_size(std::string_view text, std::string_view word) {
  std::int64_t size = 0;
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), size);
  if (failed != std::errc{} || end != word.data() + word.size() || size < 1 || size > 0x7fffffff) {
    refuse(text, "sizes are numbers from 1 to 2147483647, such as batch=4, batch=1..8 or batch=1:4:8");
  }
  return size;
}

bool is_about_profile(const Finding& finding) {
  return finding.rule->code.starts_with("SHP") || finding.rule->code.starts_with("PRF");
}

}  // namespace

profiles::Sizes profiles::best_sizes(const Model& model, const Shapes& shapes, const OpenInputs& inputs) {
  return Proposer(model, shapes, inputs).best();
}

SizeRange parse_size_range(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0) {
    refuse(text, "a dim is written as NAME=SIZE, NAME=MIN..MAX or NAME=MIN:OPT:MAX");
  }
  const std::string_view sizes = text.substr(equals + 1);
  SizeRange range{.name = std::string(text.substr(0, equals))};
  const std::size_t dots = sizes.find("..");
  const std::size_t first = sizes.find(':');
  const std::size_t last = sizes.rfind(':');
  if (dots != std::string_view::npos) {
    range.min = parse_size(text, sizes.substr(0, dots));
    range.max = parse_size(text, sizes.substr(dots + 2));
  } else if (first != last) {
    range.min = parse_size(text, sizes.substr(0, first));
    range.opt = parse_size(text, sizes.substr(first + 1, last - first - 1));
    range.max = parse_size(text, sizes.substr(last + 1));
  } else {
    range.min = range.opt = range.max = parse_size(text, sizes);
  }
  const std::int64_t opt = range.opt > 0 ? range.opt : range.min;
  if (range.min > opt || opt > range.max) refuse(text, "it needs min <= opt <= max");
  return range;
}

bool ProfileProposal::fits() const noexcept {
  return std::ranges::none_of(findings, [](const Finding& f) { return f.severity == Severity::error; });
}

ProfileProposal propose(const Model& model, const ProposeOptions& options) {
  const Shapes shapes = open_shapes(model, options.given, options.target);
  OpenInputs inputs(model, shapes);
  for (const ProfileInput& given : options.given) inputs.take(given);
  take_dims(inputs, options.dims);
  Proposer proposer(model, shapes, inputs);
  const Points points = proposer.points();

  ProfileProposal made;
  made.path = model.path();
  made.shapeless = inputs.shapeless();
  for (const rules::ShapeInput& input : rules::shape_inputs(model, shapes)) {
    made.valued.emplace_back(model.value(input.input).name);
  }
  made.inputs = options.given;
  std::ranges::move(inputs.with(points.min, points.opt, points.max, options.given), std::back_inserter(made.inputs));
  for (std::size_t i = 0; i < inputs.dims().size(); ++i) {
    const OpenDim& dim = inputs.dims()[i];
    made.choices.push_back({dim.name, dim.axes, points.min[i], points.opt[i], points.max[i],
                            profiles::reason_of(model, shapes, inputs, proposer.chooser(), i)});
  }
  if (made.inputs.empty() && !(made.shapeless.empty() && made.valued.empty())) return made;
  CheckOptions check_options;
  check_options.target = options.target;
  check_options.target.profile = made.inputs;
  for (Finding& finding : check(model, check_options).findings) {
    if (is_about_profile(finding)) made.findings.push_back(std::move(finding));
  }
  if (!made.fits() && !made.inputs.empty()) return made;
  made.commands = profiles::commands_for(made, profiles::build_flags(model, shapes, options.target));
  return made;
}

std::vector<ProfileInput> propose_profile(const Model& model, std::span<const ProfileInput> given) {
  const Shapes shapes = open_shapes(model, given);
  OpenInputs inputs(model, shapes);
  for (const ProfileInput& input : given) inputs.take(input);
  const Points points = Proposer(model, shapes, inputs).points();
  return inputs.with(points.min, points.opt, points.max, given);
}

}  // namespace trtcheck
