#include "settings/keys.hpp"

#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "settings/read_values.hpp"

namespace trtcheck::settings {
namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json show_precisions(const Settings& settings) {
  Json made = Json::array();
  for (const Precision precision : settings.check.target.precisions) made.push_back(to_string(precision));
  return made;
}

Json show_capability(const Settings& settings) {
  const auto capability = settings.check.target.compute_capability;
  if (!capability) return nullptr;
  return fmt::format("{}.{}", capability->major_version, capability->minor_version);
}

Json show_profile(const Settings& settings) {
  Json made = Json::object();
  for (const ProfileInput& input : settings.check.target.profile) {
    const std::string min = fmt::format("{}", fmt::join(input.min, "x"));
    const bool fixed = input.min == input.max;
    made[input.name] = fixed ? min : fmt::format("{}:{}:{}", min, fmt::join(input.opt, "x"), fmt::join(input.max, "x"));
  }
  return made;
}

Json show_severities(const Settings& settings) {
  Json made = Json::object();
  for (const SeverityOverride& entry : settings.check.severities) made[entry.rule] = to_string(entry.severity);
  return made;
}

Json show_file_ignores(const Settings& settings) {
  Json made = Json::object();
  for (const FileIgnore& ignore : settings.file_ignores) made[ignore.models.pattern] = ignore.rules;
  return made;
}

Json show_node_ignores(const Settings& settings) {
  Json made = Json::object();
  for (const NodeIgnore& ignore : settings.check.node_ignores) {
    Json entry = Json::object();
    if (!ignore.rules.empty()) entry["rules"] = ignore.rules;
    entry["reason"] = ignore.reason;
    made[ignore.node] = std::move(entry);
  }
  return made;
}

Json show_exclude(const Settings& settings) {
  Json made = Json::array();
  for (const PathPattern& pattern : settings.exclude) made.push_back(pattern.pattern);
  return made;
}

constexpr std::array kKeys{
    Key{.name = "target",
        .type = Type::release,
        .fallback = "the newest known release",
        .option = "--target",
        .help =
            "The TensorRT release to check for. A string, because 10.1 and 10.10 are the same number; patch numbers "
            "are accepted and dropped.",
        .example = "target = \"10.13\"",
        .read =
            [](const Source& source, const Key& key, const TomlValue& value, ConfigFile& into) {
              const std::string text = read_string(source, key, value);
              into.given.release = checked(source, key, value.line, [&] { return parse_release(text); });
            },
        .show = [](const Settings& settings) { return Json(to_string(settings.check.target.release)); }},
    Key{.name = "precision",
        .type = Type::precisions,
        .fallback = "[]",
        .option = "--precision",
        .help = "Precisions beyond FP32 that the build will allow: `fp16`, `bf16`, `int8`, `fp8`, ... From 11.0 on no "
                "flag asks for them, the types in the file decide (STY201).",
        .example = "precision = [\"fp16\", \"int8\"]",
        .read = [](const Source& source, const Key& key, const TomlValue& value,
                   ConfigFile& into) { into.given.precisions = read_precisions(source, key, value); },
        .show = show_precisions},
    Key{.name = "compute-capability",
        .type = Type::capability,
        .fallback = "not stated",
        .option = "--compute-capability",
        .help = "Of the GPU that the engine is built for.",
        .example = "compute-capability = \"8.6\"",
        .read =
            [](const Source& source, const Key& key, const TomlValue& value, ConfigFile& into) {
              const std::string text = read_string(source, key, value);
              into.given.compute_capability =
                  checked(source, key, value.line, [&] { return parse_compute_capability(text); });
            },
        .show = show_capability},
    Key{.name = "profile",
        .type = Type::profile,
        .fallback = "{}",
        .option = "--profile",
        .help =
            "Sizes of the inputs: the smallest, the best and the largest shape, or one shape. A table by input, or a "
            "list of `\"NAME=MIN:OPT:MAX\"` (or `\"NAME:SHAPE\"`, as for `trtexec --shapes`). An input that a model "
            "lacks is passed over.",
        .example = "[profile]\nimage = \"1x3x224x224:4x3x224x224:8x3x224x224\"\nmask = \"1x224x224\"",
        .read = [](const Source& source, const Key& key, const TomlValue& value,
                   ConfigFile& into) { into.given.profile = read_profile(source, key, value); },
        .show = show_profile},
    Key{.name = "plugins",
        .type = Type::words,
        .fallback = "[]",
        .option = "--plugin",
        .help = "Names of operators that your own plugins serve.",
        .example = "plugins = [\"MyAttention\"]",
        .read =
            [](const Source& source, const Key& key, const TomlValue& value, ConfigFile& into) {
              into.given.plugins.emplace();
              for (Word& word : read_words(source, key, value)) into.given.plugins->push_back(std::move(word.text));
            },
        .show = [](const Settings& settings) { return Json(settings.check.target.plugins); }},
    Key{.name = "select",
        .type = Type::rules,
        .fallback = "[], which means all rules",
        .option = "--select",
        .help = "Only these rules: codes (`QDQ104`), prefixes of codes (`QDQ`) or names (`scale-length`).",
        .example = "select = [\"QDQ\", \"WGT\"]",
        .read = [](const Source& source, const Key& key, const TomlValue& value,
                   ConfigFile& into) { into.given.select = read_rules(source, key, value); },
        .show = [](const Settings& settings) { return Json(settings.check.select); }},
    Key{.name = "extend-select",
        .type = Type::rules,
        .fallback = "[]",
        .option = "--extend-select",
        .help = "Rules in addition to `select`. Without `select` all rules are on already, and this changes nothing.",
        .example = "select = [\"QDQ\"]\nextend-select = [\"conv-bias-length\"]",
        .read = [](const Source& source, const Key& key, const TomlValue& value,
                   ConfigFile& into) { into.given.extend_select = read_rules(source, key, value); },
        .show = nullptr},
    Key{.name = "ignore",
        .type = Type::rules,
        .fallback = "[]",
        .option = "--ignore",
        .help = "Not these rules, also when they are selected.",
        .example = "ignore = [\"duplicate-node-name\"]",
        .read = [](const Source& source, const Key& key, const TomlValue& value,
                   ConfigFile& into) { into.given.ignore = read_rules(source, key, value); },
        .show = [](const Settings& settings) { return Json(settings.check.ignore); }},
    Key{.name = "per-file-ignores",
        .type = Type::rules_by_pattern,
        .fallback = "{}",
        .option = "",
        .help = "Rules that are left out for some models, by pattern over their paths. They are added to `ignore`.",
        .example = "[per-file-ignores]\n\"legacy/**\" = [\"QDQ\", \"opset-too-old\"]\n\"*_fp32.onnx\" = [\"QDQ\"]",
        .read = [](const Source& source, const Key& key, const TomlValue& value,
                   ConfigFile& into) { into.file_ignores = read_file_ignores(source, key, value); },
        .show = show_file_ignores},
    Key{.name = "per-node-ignores",
        .type = Type::node_ignores,
        .fallback = "{}",
        .option = "",
        .help = "Findings that are suppressed at some nodes, by pattern over node names, in which `*` also stands for "
                "slashes. A `reason` is required; without `rules` all rules are meant.",
        .example =
            "[per-node-ignores]\n\"/decoder/*\" = { rules = [\"WGT101\"], reason = \"runs on the CPU, see #42\" }",
        .read = [](const Source& source, const Key& key, const TomlValue& value,
                   ConfigFile& into) { into.node_ignores = read_node_ignores(source, key, value); },
        .show = show_node_ignores},
    Key{.name = "severity",
        .type = Type::severities,
        .fallback = "{}",
        .option = "",
        .help =
            "Rules that report as `error`, `warning` or `info` instead of their own severity, by code, prefix or name; "
            "the most specific one counts. The verdict and the exit code follow.",
        .example = "[severity]\nHWD = \"info\"\n\"int8-group-split\" = \"error\"",
        .read = [](const Source& source, const Key& key, const TomlValue& value,
                   ConfigFile& into) { into.given.severities = read_severities(source, key, value); },
        .show = show_severities},
    Key{.name = "fail-on",
        .type = Type::fail_on,
        .fallback = "\"error\"",
        .option = "--fail-on",
        .help = "The lowest severity that makes the check fail: `error`, `warning`, `info` or `never`.",
        .example = "fail-on = \"warning\"",
        .read =
            [](const Source& source, const Key& key, const TomlValue& value, ConfigFile& into) {
              const std::string text = read_string(source, key, value);
              into.given.fail_on = checked(source, key, value.line, [&] { return parse_fail_on(text); });
            },
        .show = [](const Settings& settings) { return Json(to_string(settings.fail_on)); }},
    Key{.name = "exclude",
        .type = Type::patterns,
        .fallback = "[]",
        .option = "",
        .help = "Models that are passed over when folders are searched, by pattern as in `.gitignore`. A model that is "
                "named "
                "on the command line is always checked.",
        .example = "exclude = [\"build/\", \"third_party/**/*.onnx\", \"!third_party/ours/**\"]",
        .read = [](const Source& source, const Key& key, const TomlValue& value,
                   ConfigFile& into) { into.given.exclude = read_patterns(source, key, value); },
        .show = show_exclude},
    Key{.name = "baseline",
        .type = Type::path,
        .fallback = "none",
        .option = "--baseline",
        .help = "A file of findings that are known already.",
        .example = "baseline = \"trtcheck-baseline.json\"",
        .read =
            [](const Source& source, const Key& key, const TomlValue& value, ConfigFile& into) {
              into.given.baseline = read_string(source, key, value);
              if (into.given.baseline->empty()) source.fail(value.line, "baseline: the path is empty");
            },
        .show = [](const Settings& settings) { return text_or_null(settings.baseline); }},
};

}  // namespace

std::span<const Key> all_keys() noexcept { return kKeys; }

std::string_view expected(Type type) noexcept {
  switch (type) {
    case Type::release:
      return "a string such as \"10.13\"";
    case Type::capability:
      return "a string such as \"8.6\"";
    case Type::fail_on:
      return "a string: \"error\", \"warning\", \"info\" or \"never\"";
    case Type::path:
      return "a string";
    case Type::words:
    case Type::precisions:
    case Type::rules:
    case Type::patterns:
      return "a string or an array of strings";
    case Type::profile:
      return "a table such as { x = \"1x3:4x3:8x3\" } or an array of strings such as [\"x=1x3:4x3:8x3\"]";
    case Type::severities:
      return "a table such as { QDQ = \"info\" }";
    case Type::rules_by_pattern:
      return "a table such as { \"legacy/**\" = [\"QDQ\"] }";
    case Type::node_ignores:
      return "a table such as { \"/decoder/*\" = { rules = [\"QDQ\"], reason = \"...\" } }";
  }
  return "?";
}

bool is_table(Type type) noexcept {
  return type == Type::profile || type == Type::severities || type == Type::rules_by_pattern ||
         type == Type::node_ignores;
}

}  // namespace trtcheck::settings
