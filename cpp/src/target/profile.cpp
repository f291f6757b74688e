// Optimization profiles, also as trtexec writes shapes.
#include <charconv>

#include <fmt/core.h>

#include <trtcheck/error.hpp>
#include <trtcheck/target.hpp>

namespace trtcheck {
namespace {

// TensorRT's Dims hold 32-bit numbers up to 9.x and 64-bit numbers from 10.0, but no tensor is that long.
constexpr std::int64_t kLongestAxis = 0x7fffffff;

[[noreturn]] void refuse(std::string_view text, const std::string& cause) {
  throw Error("profile", fmt::format("`{}`: {}", text, cause));
}

/// "1x3x224x224"; the empty text is a scalar's shape.
std::vector<std::int64_t> parse_shape(std::string_view text, std::string_view shape) {
  std::vector<std::int64_t> dims;
  while (!shape.empty()) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(shape.data(), shape.data() + shape.size(), value);
    if (error != std::errc{} || value < 0 || value > kLongestAxis) {
      refuse(text, "a shape is written as dims with x between, such as 1x3x224x224");
    }
    dims.push_back(value);
    shape.remove_prefix(static_cast<std::size_t>(end - shape.data()));
    if (shape.empty()) break;
    if (shape.front() != 'x' || shape.size() == 1) refuse(text, "dims are separated by x, such as 1x3x224x224");
    shape.remove_prefix(1);
  }
  return dims;
}

void check_order(std::string_view text, const ProfileInput& input) {
  if (input.min.size() != input.opt.size() || input.opt.size() != input.max.size()) {
    refuse(text, fmt::format("the ranks of min, opt and max differ: {}, {}, {}", input.min.size(), input.opt.size(),
                             input.max.size()));
  }
  for (std::size_t axis = 0; axis < input.min.size(); ++axis) {
    if (input.min[axis] <= input.opt[axis] && input.opt[axis] <= input.max[axis]) continue;
    refuse(text, fmt::format("axis {} needs min <= opt <= max, it has {}, {}, {}", axis, input.min[axis],
                             input.opt[axis], input.max[axis]));
  }
}

[[noreturn]] void refuse_form(std::string_view text) {
  refuse(text, "a profile is written NAME=MIN:OPT:MAX, such as x=1x3:4x3:8x3, or NAME:SHAPE");
}

/// "x:1x3:4x3" of "x:1x3:4x3:8x3", which is a mixture of both forms.
bool ends_in_shape(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view last = name.substr(colon + 1);
  return last.find('x') > 0 && last.find('x') != std::string_view::npos &&
         last.find_first_not_of("0123456789x") == std::string_view::npos;
}

/// "x:1x3", as for `trtexec --shapes`: all before the last colon is the name, or what stands in single quotes.
ProfileInput parse_one_shape(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) refuse_form(text);
  std::string_view name = text.substr(0, colon);
  if (name.size() > 2 && name.front() == '\'' && name.back() == '\'') name = name.substr(1, name.size() - 2);
  if (ends_in_shape(name)) refuse_form(text);
  const std::vector<std::int64_t> shape = parse_shape(text, text.substr(colon + 1));
  return {std::string(name), shape, shape, shape};
}

}  // namespace

ProfileInput parse_profile(std::string_view text) {
  // Tensor names may hold "=" and ":"; shapes hold neither "=" nor anything before the last one.
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos) return parse_one_shape(text);
  if (equals == 0) refuse_form(text);
  std::vector<std::vector<std::int64_t>> shapes;
  std::string_view rest = text.substr(equals + 1);
  while (true) {
    const std::size_t colon = rest.find(':');
    shapes.push_back(parse_shape(text, rest.substr(0, colon)));
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  if (shapes.size() != 1 && shapes.size() != 3) {
    refuse(text, fmt::format("one shape, or three for min, opt and max; there are {}", shapes.size()));
  }
  ProfileInput input{std::string(text.substr(0, equals)), shapes.front(), shapes[shapes.size() / 2], shapes.back()};
  check_order(text, input);
  return input;
}

InferOptions infer_options(const Target& target) {
  InferOptions options;
  options.shape_functions = target.shape_functions;
  for (const ProfileInput& input : target.profile) {
    InputRange range{input.name, {}};
    for (std::size_t axis = 0; axis < input.min.size(); ++axis)
      range.dims.push_back({input.min[axis], input.max[axis]});
    options.ranges.push_back(std::move(range));
  }
  return options;
}

}  // namespace trtcheck
