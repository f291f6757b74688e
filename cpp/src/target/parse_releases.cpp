// Several releases in one text.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <trtcheck/error.hpp>
#include <trtcheck/target.hpp>

#include "target/releases.hpp"
#include "text/suggest.hpp"

namespace trtcheck {
namespace {

std::vector<TrtVersion> all_releases() {
  std::vector<TrtVersion> all(known_releases().begin(), known_releases().end());
  all.insert(all.end(), known_rtx_releases().begin(), known_rtx_releases().end());
  return all;
}

[[noreturn]] void refuse(const std::string& cause) { throw Error("target", cause); }

std::string with_hint(const std::string& cause, const std::string& nearest) {
  return fmt::format("{}, did you mean `{}`?", cause, nearest);
}

bool names_rtx(std::string_view word) { return word.starts_with("rtx"); }

/// What an end of a range may have meant: nothing where no number is.
std::optional<TrtVersion> nearest_end(std::string_view word, TrtVersion of_rtx) {
  const std::size_t digit = word.find_first_of("0123456789");
  if (digit == std::string_view::npos) return std::nullopt;
  try {
    return parse_release(word);
  } catch (const Error&) {
    return names_rtx(word) ? of_rtx : nearest_release_of(word.substr(digit));
  }
}

/// "8.6..9.0" for what stands before and behind the dots; an end that nobody understands is left out.
std::string nearest_range(std::string_view first, std::string_view last) {
  std::optional<TrtVersion> from = nearest_end(first, known_rtx_releases().front());
  std::optional<TrtVersion> to = nearest_end(last, known_rtx_releases().back());
  if (!from && !to) return std::string(kAll);
  if (from && to && from->product != to->product) to.reset();
  if (from && to && *to < *from) std::swap(from, to);
  return fmt::format("{}..{}", from ? to_string(*from) : "", to ? to_string(*to) : "");
}

std::vector<TrtVersion> releases_between(std::string_view text, TrtVersion from, TrtVersion to) {
  if (from.product != to.product) {
    refuse(fmt::format("`{}`: a range is of TensorRT or of TensorRT-RTX, not of both: `{}..` or `{}..`", text,
                       to_string(from), to_string(to)));
  }
  if (to < from) {
    refuse(with_hint(fmt::format("`{}` runs backwards", text), fmt::format("{}..{}", to_string(to), to_string(from))));
  }
  std::vector<TrtVersion> found;
  for (const TrtVersion release : all_releases()) {
    if (release.product == from.product && from <= release && release <= to) found.push_back(release);
  }
  return found;
}

std::vector<TrtVersion> parse_range(std::string_view text, std::size_t dots) {
  const std::string_view first = text.substr(0, dots);
  const std::string_view last = text.substr(std::min(text.find_first_not_of('.', dots), text.size()));
  const bool is_range = last.size() + dots + kDots.size() == text.size() && last.find(kDots) == std::string_view::npos;
  const bool has_end = (!first.empty() || !last.empty()) && first != kAll && last != kAll;
  if (!is_range || !has_end) {
    refuse(with_hint(fmt::format("`{}` is no range of releases such as 8.6..10.13", text), nearest_range(first, last)));
  }
  const auto end_of = [&](std::string_view word) {
    try {
      return parse_release(word);
    } catch (const Error& error) {
      refuse(with_hint(fmt::format("`{}`: {}", text, error.cause()), nearest_range(first, last)));
    }
  };
  std::optional<TrtVersion> from, to;
  if (!first.empty()) from = end_of(first);
  if (!last.empty()) to = end_of(last);
  const Product product = (from ? *from : *to).product;
  const auto known = product == Product::rtx ? known_rtx_releases() : known_releases();
  return releases_between(text, from.value_or(known.front()), to.value_or(known.back()));
}

}  // namespace

std::vector<TrtVersion> parse_releases(std::string_view text) {
  if (text == kAll) return all_releases();
  if (text.empty()) {
    refuse("no release is named; there are releases such as 10.13, ranges such as 8.6..10.13, and `all`");
  }
  if (const std::size_t dots = text.find(kDots); dots != std::string_view::npos) return parse_range(text, dots);
  constexpr std::array<std::string_view, 2> kWords{kAll, "latest"};
  const bool is_word = text.find_first_of("0123456789") == std::string_view::npos;
  if (const auto near = nearest_word(text, kWords); is_word && near && *near != text) {
    refuse(with_hint(fmt::format("`{}` is no release, no range and not all", text), std::string(*near)));
  }
  return {parse_release(text)};
}

}  // namespace trtcheck
