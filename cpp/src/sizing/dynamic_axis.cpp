// The words of `--dynamic`.
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <trtcheck/error.hpp>
#include <trtcheck/sizes.hpp>

namespace trtcheck {
namespace {

std::optional<std::size_t> axis_number(std::string_view word) {
  std::size_t number = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || stop != word.data() + word.size()) return std::nullopt;
  return number;
}

}  // namespace

NamedAxis parse_dynamic_axis(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  const std::size_t colon = equals == std::string_view::npos ? equals : text.rfind(':', equals);
  const bool is_complete = colon != std::string_view::npos && colon > 0 && equals + 1 < text.size();
  const auto axis = is_complete ? axis_number(text.substr(colon + 1, equals - colon - 1)) : std::nullopt;
  if (!axis) {
    throw Error("dynamic axis", fmt::format("`{}`: INPUT:AXIS=NAME is required, as in x:0=batch", text));
  }
  return {.input = std::string(text.substr(0, colon)), .axis = *axis, .symbol = std::string(text.substr(equals + 1))};
}

}  // namespace trtcheck
