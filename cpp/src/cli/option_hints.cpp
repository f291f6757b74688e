#include "cli/option_hints.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/core.h>

#include <trtcheck/error.hpp>
#include <trtcheck/report.hpp>
#include <trtcheck/target.hpp>

#include "text/suggest.hpp"

namespace trtcheck::cli {
namespace {

/// As other programs call it, and what it is here. Upper case: what stands for the user's own value.
struct Alias {
  std::string_view word;
  std::string_view option;      ///< the one that the command has to have
  std::string_view value = {};  ///< behind it
};
constexpr std::array kAliases{
    Alias{"--format", "--output-format"},
    Alias{"-f", "--output-format"},
    Alias{"--out", "--output"},
    Alias{"--output-file", "--output"},
    Alias{"--out-file", "--output"},
    Alias{"--report", "--output"},
    Alias{"--trt", "--target"},
    Alias{"--trt-version", "--target"},
    Alias{"--tensorrt", "--target"},
    Alias{"--tensorrt-version", "--target"},
    Alias{"--release", "--target"},
    Alias{"--sm", "--gpu"},
    Alias{"--arch", "--gpu"},
    Alias{"--no-colour", "--no-color"},
    Alias{"--disable", "--ignore"},
    Alias{"--exit-zero", "--fail-on", "never"},
    Alias{"--no-fail", "--fail-on", "never"},
    // trtexec's
    Alias{"--shapes", "--profile", "NAME:SHAPE"},
    Alias{"--minShapes", "--profile", "NAME=MIN:OPT:MAX"},
    Alias{"--optShapes", "--profile", "NAME=MIN:OPT:MAX"},
    Alias{"--maxShapes", "--profile", "NAME=MIN:OPT:MAX"},
    Alias{"--useDLACore", "--dla"},
    Alias{"--allowGPUFallback", "--dla"},
    Alias{"--stronglyTyped", "--strongly-typed"},
    Alias{"--staticPlugins", "--plugin", "NAME"},
    Alias{"--dynamicPlugins", "--plugin", "NAME"},
};

/// "--json", "--fp16".
std::optional<std::string> hint_by_value(const Options& options, std::string_view word) {
  const std::string value(word.substr(std::min(word.find_first_not_of('-'), word.size())));
  const auto of = [&](std::string_view option) {
    return options.has(std::string(option)) ? std::optional(fmt::format("{} {}", option, value)) : std::nullopt;
  };
  if (std::ranges::find(formats(), value, &FormatName::name) != formats().end()) return of("--output-format");
  try {
    static_cast<void>(parse_precision(value));
    return of("--precision");
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

std::string option_hint(const Options& options, std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  if ((name == "--color" || name == "--colour") && options.has("--no-color")) {
    return "; a terminal gets colours, FORCE_COLOR=1 asks for them elsewhere, and --no-color turns them off";
  }
  if (name == "--onnx") return "; models are named without an option";
  if (const auto hint = hint_by_value(options, name)) return fmt::format(", did you mean `{}`?", *hint);
  const auto alias = std::ranges::find(kAliases, name, &Alias::word);
  if (alias != kAliases.end() && options.has(std::string(alias->option))) {
    return fmt::format(", did you mean `{}{}{}`?", alias->option, alias->value.empty() ? "" : " ", alias->value);
  }
  const Words names = options.long_names();
  const std::vector<std::string_view> views(names.begin(), names.end());
  return did_you_mean(name, views);
}

bool lacks_a_dash(const Options& options, std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  return name.size() > 2 && name[0] == '-' && name[1] != '-' && options.has("-" + std::string(name));
}

}  // namespace trtcheck::cli
