// Releases, precisions and compute capabilities as the user writes them.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include <trtcheck/error.hpp>
#include <trtcheck/target.hpp>

#include "target/gpu_names.hpp"
#include "target/releases.hpp"
#include "text/suggest.hpp"

namespace trtcheck {
namespace {

constexpr std::array<std::pair<std::string_view, Precision>, 8> kPrecisions{{
    {"fp32", Precision::fp32},
    {"tf32", Precision::tf32},
    {"fp16", Precision::fp16},
    {"bf16", Precision::bf16},
    {"int8", Precision::int8},
    {"fp8", Precision::fp8},
    {"int4", Precision::int4},
    {"fp4", Precision::fp4},
}};

/// Takes a number off the front; nothing when there is none, or more than four digits.
std::optional<std::int32_t> take_number(std::string_view& text) {
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (error != std::errc{} || text.front() == '-' || digits > 4) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

/// "10.13", "10.13.2", "10.13.2.6"
std::optional<TrtVersion> parse_version(std::string_view text) {
  std::vector<std::int32_t> parts;
  while (!text.empty()) {
    const auto part = take_number(text);
    if (!part) return std::nullopt;
    parts.push_back(*part);
    if (text.empty()) break;
    if (text.front() != '.' || text.size() == 1) return std::nullopt;
    text.remove_prefix(1);
  }
  if (parts.size() < 2 || parts.size() > 4) return std::nullopt;
  return TrtVersion{parts[0], parts[1]};
}

TrtVersion nearest_release(TrtVersion wanted) {
  const auto distance = [&](TrtVersion v) {
    return 1000 * std::abs(v.major_version - wanted.major_version) + std::abs(v.minor_version - wanted.minor_version);
  };
  return *std::ranges::min_element(known_releases(), {}, distance);
}

/// "rtx-1.7", "rtx-1.7.1". @pre it begins with "rtx"
TrtVersion parse_rtx_release(std::string_view text) {
  constexpr std::string_view kPrefix = "rtx-";
  const auto version = parse_version(text.substr(std::min(kPrefix.size(), text.size())));
  const std::string wanted = version && text.starts_with(kPrefix) ? std::string(kPrefix) + to_string(*version) : "";
  std::vector<std::string_view> names;
  for (const TrtVersion release : known_rtx_releases()) {
    names.push_back(rtx_name(release));
    if (names.back() == wanted) return release;
  }
  throw Error("target", fmt::format("no facts about TensorRT-RTX `{}` are known, of it there are {}", text,
                                    fmt::join(names, ", ")));
}

}  // namespace

std::optional<TrtVersion> nearest_release_of(std::string_view text) noexcept {
  const auto major = text.empty() ? std::nullopt : take_number(text);
  if (!major) return std::nullopt;
  if (text.starts_with('.')) text.remove_prefix(1);
  return nearest_release({*major, text.empty() ? 0 : take_number(text).value_or(0)});
}

std::string_view to_string(Product product) noexcept { return product == Product::rtx ? "TensorRT-RTX" : "TensorRT"; }

std::string to_string(TrtVersion version) {
  if (version.product == Product::rtx) return std::string(rtx_name(version));
  return fmt::format("{}.{}", version.major_version, version.minor_version);
}

std::string full_name(TrtVersion release) {
  const std::string word = to_string(release);
  return fmt::format("{} {}", to_string(release.product),
                     release.product == Product::rtx ? word.substr(word.find('-') + 1) : word);
}

TrtVersion parse_release(std::string_view text) {
  if (text == kAll || text.find(kDots) != std::string_view::npos) {
    // What is wrong with them is told first.
    const std::size_t count = parse_releases(text).size();
    throw Error("target",
                fmt::format("`{}` is {} releases, a check is for one; `trtcheck matrix` accepts several", text, count));
  }
  if (text == "latest") return known_releases().back();
  if (text.starts_with("rtx")) return parse_rtx_release(text);
  const auto version = parse_version(text);
  const std::string option = "target";
  if (!version) {
    const std::array<std::string_view, 1> kLatest{"latest"};
    throw Error(option, fmt::format("`{}` is no TensorRT release such as 10.13 or rtx-1.7, or latest{}", text,
                                    did_you_mean(text, kLatest)));
  }
  if (std::ranges::find(known_releases(), *version) == known_releases().end()) {
    throw Error(option,
                fmt::format("no facts about TensorRT {} are known, the nearest known release is {} (of {} to {})",
                            to_string(*version), to_string(nearest_release(*version)),
                            to_string(known_releases().front()), to_string(known_releases().back())));
  }
  return *version;
}

Precision parse_precision(std::string_view text) {
  std::vector<std::string_view> words;
  for (const auto& [word, precision] : kPrecisions) {
    if (edit_distance(word, text) == 0) return precision;
    words.push_back(word);
  }
  throw Error("precision",
              fmt::format("`{}` is none of {}{}", text, fmt::join(words, ", "), did_you_mean(text, words)));
}

std::string_view to_string(Precision precision) noexcept {
  const auto it = std::ranges::find(kPrecisions, precision, &std::pair<std::string_view, Precision>::second);
  return it == kPrecisions.end() ? std::string_view{} : it->first;
}

namespace {

/// @throws Error  NVIDIA makes no such GPU
ComputeCapability known_capability(ComputeCapability wanted) {
  const std::span<const ComputeCapability> known = known_capabilities();
  if (std::ranges::find(known, wanted) != known.end()) return wanted;
  std::vector<std::string> names;
  for (const ComputeCapability c : known) names.push_back(fmt::format("{}.{}", c.major_version, c.minor_version));
  throw Error("compute capability", fmt::format("no GPU has {}.{}; there are {}", wanted.major_version,
                                                wanted.minor_version, fmt::join(names, ", ")));
}

}  // namespace

ComputeCapability parse_compute_capability(std::string_view text) {
  if (const auto of_name = capability_of_gpu(text)) return *of_name;
  const Error error("compute capability",
                    fmt::format("`{}` is not of the form 8.6, 86 or sm_86, and no GPU that is known{}", text,
                                did_you_mean(text, gpu_names())));
  std::string_view rest = text;
  if (rest.starts_with("sm_")) rest.remove_prefix(3);
  const bool dotted = rest.find('.') != std::string_view::npos;
  const auto first = rest.empty() ? std::nullopt : take_number(rest);
  if (!first) throw error;
  if (!dotted) {
    if (!rest.empty() || *first < 10 || *first > 999) throw error;
    return known_capability({*first / 10, *first % 10});  // the last digit is the minor number: sm_120 is 12.0
  }
  if (!rest.starts_with('.')) throw error;
  rest.remove_prefix(1);
  const auto second = rest.empty() ? std::nullopt : take_number(rest);
  if (!second || !rest.empty() || *second > 9 || *first < 1) throw error;
  return known_capability({*first, *second});
}

}  // namespace trtcheck
