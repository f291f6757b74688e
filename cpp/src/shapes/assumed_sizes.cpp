#include "shapes/assumed_sizes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <trtcheck/error.hpp>

#include "dims/checked.hpp"
#include "text/printable.hpp"

namespace trtcheck::shapes {
namespace {

class Sizes {
 public:
  explicit Sizes(const InferOptions& options) {
    for (const InputRange& range : options.ranges) ranges_.try_emplace(range.input, &range);
  }

  void add_input(const Value& value, const Type& type) {
    const auto given = ranges_.find(value.name);
    for (std::size_t axis = 0; axis < type.dims.size(); ++axis) {
      const DeclaredDim& dim = type.dims[axis];
      const bool has_range = given != ranges_.end() && axis < given->second->dims.size();
      const Interval range = has_range ? given->second->dims[axis] : Interval{1, Interval::kMax};
      if (dim.kind == DeclaredDim::Kind::param) {
        add_names(dim.param, {1, Interval::kMax});
        const auto size = has_range ? size_of_axis(scratch_, dim.param, range) : std::nullopt;
        if (size && size->is_derived) derived_.push_back(*size);
        if (size && !size->is_derived) bound(*size);
      } else if (dim.kind == DeclaredDim::Kind::unknown) {
        add(fmt::format("{}.dim{}", value.name, axis), range);
      }
    }
  }

  /// Unlike the axes of a graph input, a computed size may be zero.
  void add_others(const Type& type) {
    for (const DeclaredDim& dim : type.dims) {
      if (dim.kind == DeclaredDim::Kind::param) add_names(dim.param, {0, Interval::kMax});
    }
  }

  std::vector<NamedSize> take() {
    for (const SizeRange& size : derived_) bound(size);
    return std::move(found_);
  }

 private:
  void add_names(std::string_view param, Interval range) {
    for (const std::string_view name : scratch_.symbols(scratch_.parse(param))) add(std::string(name), range);
  }
  void add(std::string name, Interval range) {
    if (places_.try_emplace(name, found_.size()).second) found_.push_back({std::move(name), range, {}, {}});
  }
  /// What contradicts is passed over: of names that stand alone it was refused before, and they come first.
  void bound(const SizeRange& size) {
    const auto place = places_.find(size.name);
    if (place == places_.end()) return;
    Interval& known = found_[place->second].range;
    const Interval both{std::max(known.low, size.range.low), std::min(known.high, size.range.high)};
    if (both.low <= both.high) known = both;
  }

  std::map<std::string_view, const InputRange*> ranges_;
  DimTable scratch_;
  std::vector<NamedSize> found_;
  std::vector<SizeRange> derived_;
  std::map<std::string, std::size_t, std::less<>> places_;
};

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(' ') - begin + 1));
}

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

struct Sign {
  std::string_view text;
  Relation::Kind kind;
  bool is_turned = false;  ///< the right side is the smaller one
};
constexpr std::array kSigns{Sign{"==", Relation::Kind::equal},
                            Sign{"<=", Relation::Kind::less_equal},
                            Sign{">=", Relation::Kind::less_equal, true},
                            Sign{"=", Relation::Kind::equal},
                            Sign{"<", Relation::Kind::less},
                            Sign{">", Relation::Kind::less, true}};

const Sign* sign_at(std::string_view text) {
  const auto found = std::ranges::find_if(kSigns, [&](const Sign& sign) { return text.starts_with(sign.text); });
  return found == kSigns.end() ? nullptr : &*found;
}

/// "S % 8" equal to 0.
std::optional<Relation> multiple(const std::string& text, const std::string& left, const std::string& right) {
  const std::size_t percent = left.rfind('%');
  const auto rest = number_of(right);
  if (percent == std::string::npos || !rest) return std::nullopt;
  const auto factor = number_of(trimmed(std::string_view(left).substr(percent + 1)));
  if (!factor) return std::nullopt;
  if (*factor < 1) refuse_assumed(text, fmt::format("nothing is divided by {}", *factor));
  if (*rest != 0) {
    refuse_assumed(text, fmt::format("a rest of 0 is the only one that can be assumed, not {}", *rest));
  }
  Relation made{.text = text, .kind = Relation::Kind::multiple, .factor = *factor};
  made.left = trimmed(std::string_view(left).substr(0, percent));
  return made;
}

Relation relation(const std::string& text, const Sign& sign, const std::string& left, const std::string& right) {
  if (left.empty() || right.empty()) refuse_assumed(text, fmt::format("`{}` has nothing on one side", sign.text));
  if (sign.kind == Relation::Kind::equal) {
    if (auto made = multiple(text, left, right)) return *std::move(made);
    if (auto made = multiple(text, right, left)) return *std::move(made);
  }
  Relation made{.text = text, .kind = sign.kind, .left = left, .right = right};
  if (sign.is_turned) std::swap(made.left, made.right);
  return made;
}

}  // namespace

void refuse_assumed(std::string_view text, std::string cause) {
  throw Error(fmt::format("assumption `{}`", printable(text, kMaxName)), std::move(cause));
}

std::optional<SizeRange> size_of_axis(DimTable& scratch, std::string_view param, Interval axis) {
  const auto linear = scratch.linear(scratch.parse(param));
  if (!linear) return std::nullopt;
  const auto solved = [&](std::int64_t bound, auto divide) -> std::optional<std::int64_t> {
    const auto rest = checked_sub(bound, linear->constant);
    return rest ? std::optional(divide(*rest, linear->factor)) : std::nullopt;
  };
  const bool is_growing = linear->factor > 0;
  const std::int64_t lowest = is_growing ? axis.low : axis.high;
  const std::int64_t highest = is_growing ? axis.high : axis.low;
  SizeRange made{.name = std::string(linear->name), .range = {0, Interval::kMax}};
  made.is_derived = linear->factor != 1 || linear->constant != 0;
  if (lowest != Interval::kMax) {
    const auto low = solved(lowest, int_ceil_div);
    if (!low) return std::nullopt;
    made.range.low = std::max<std::int64_t>(*low, 0);
  }
  if (highest != Interval::kMax) {
    const auto high = solved(highest, int_floor_div);
    if (!high) return std::nullopt;
    made.range.high = *high;
  }
  return made.range.low <= made.range.high ? std::optional(made) : std::nullopt;
}

std::vector<NamedSize> named_sizes(const Model& model, const InferOptions& options) {
  Sizes sizes(options);
  for (const ValueId id : model.graph().inputs) {
    const Value& value = model.value(id);
    const Type& type = model.type(value.declared);
    if (!value.initializer && value.declared && type.has_shape) sizes.add_input(value, type);
  }
  for (std::uint32_t v = 0; v < model.value_count(); ++v) {
    const Value& value = model.value(ValueId{v});
    if (value.declared && model.type(value.declared).has_shape) sizes.add_others(model.type(value.declared));
  }
  return sizes.take();
}

std::vector<Relation> read_relations(const std::string& text) {
  std::vector<std::string> sides{""};
  std::vector<const Sign*> signs;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    if (rest.starts_with("!=")) refuse_assumed(text, "`!=` says too little to infer from: use ==, <=, >=, < or >");
    const Sign* const sign = sign_at(rest);
    if (sign == nullptr) {
      sides.back() += text[at++];
      continue;
    }
    signs.push_back(sign);
    sides.emplace_back();
    at += sign->text.size();
  }
  if (signs.empty()) {
    refuse_assumed(text,
                   "it must compare sizes, as `N == 4`, `1 <= N <= 512`, `S % 8 == 0` or `past + seq == total` do");
  }
  std::vector<Relation> made;
  for (std::size_t i = 0; i < signs.size(); ++i) {
    made.push_back(relation(text, *signs[i], trimmed(sides[i]), trimmed(sides[i + 1])));
  }
  return made;
}

}  // namespace trtcheck::shapes
