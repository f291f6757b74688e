// The keys of a configuration file, one row each. This table is the only source of the reader, the merge, the
// suggestions, `trtcheck settings`, the JSON schema, the reference, the options of the command line and the keywords of
// Python.
#pragma once

#include <tuple>

#include <trtcheck/settings.hpp>

#include "settings/keys.hpp"

namespace trtcheck::settings {

/// A key: what somebody gives for it, and where it ends up in `Settings`.
template <auto Given, auto... At>
struct Row {
  KeyText text;

  [[nodiscard]] static auto& given(auto& overrides) { return overrides.*Given; }
  [[nodiscard]] static auto& at(auto& settings) { return (settings.*....*At); }
};

/// In the order of the reference, and in that order laid over what is there.
inline constexpr std::tuple kRows{
    Row<&SettingsOverrides::release, &Settings::check, &CheckOptions::target, &Target::release>{
        {.name = "target",
         .type = Type::release,
         .fallback = "the newest known release",
         .help = "The TensorRT release to check for, or one of TensorRT-RTX, `rtx-1.7`. A string, because 10.1 and "
                 "10.10 are the "
                 "same number; patch numbers are accepted and dropped.",
         .example = "target = \"10.13\"",
         .option = {"--target", "RELEASE", "such as 8.6 or rtx-1.7 (default: the newest known TensorRT)",
                    Heading::target}}},
    Row<&SettingsOverrides::precisions, &Settings::check, &CheckOptions::target, &Target::precisions>{
        {.name = "precision",
         .type = Type::precisions,
         .fallback = "[]",
         .help = "Precisions beyond FP32 that the build will allow: `fp16`, `bf16`, `int8`, `fp8`, ... From 11.0 on no "
                 "flag asks for them, the types in the file decide (STY201).",
         .example = "precision = [\"fp16\", \"int8\"]",
         .option = {"--precision", "PRECISION", "fp16, bf16, int8, fp8, ...; repeatable", Heading::target}}},
    Row<&SettingsOverrides::compute_capability, &Settings::check, &CheckOptions::target, &Target::compute_capability>{
        {.name = "compute-capability",
         .type = Type::capability,
         .fallback = "not stated",
         .help = "Of the GPU that the engine is built for, or its name: `RTX 4090`, `h100`, `orin`.",
         .example = "compute-capability = \"8.6\"",
         .option = {"--gpu", "GPU", "compute capability (8.6) or name (h100) of the GPU", Heading::target,
                    "--compute-capability"}}},
    Row<&SettingsOverrides::dla, &Settings::check, &CheckOptions::target, &Target::dla>{
        {.name = "dla",
         .type = Type::boolean,
         .fallback = "false",
         .help = "The engine is meant for NVIDIA's Deep Learning Accelerator (DLA) of Xavier and Orin, with fallback "
                 "to the GPU: what DLA does not run is reported.",
         .example = "dla = true",
         .option = {"--dla", "", "layers are to run on DLA, with GPU fallback", Heading::target}}},
    Row<&SettingsOverrides::strongly_typed, &Settings::check, &CheckOptions::target, &Target::strongly_typed>{
        {.name = "strongly-typed",
         .type = Type::boolean,
         .fallback = "false",
         .help = "The network is made strongly typed (`trtexec --stronglyTyped`): the types in the file are those of "
                 "the engine, and no cast is inserted. A choice from 9.0 to 10.16; from 11.0 on every network is.",
         .example = "strongly-typed = true",
         .option = {"--strongly-typed", "", "as trtexec --stronglyTyped; from 11.0 on always", Heading::target}}},
    Row<&SettingsOverrides::profile, &Settings::check, &CheckOptions::target, &Target::profile>{
        {.name = "profile",
         .type = Type::profile,
         .fallback = "{}",
         .help =
             "Sizes of the inputs: the smallest, the best and the largest shape, or one shape. A table by input, or a "
             "list of `\"NAME=MIN:OPT:MAX\"` (or `\"NAME:SHAPE\"`, as for `trtexec --shapes`). An input that a model "
             "lacks is passed over.",
         .example = "[profile]\nimage = \"1x3x224x224:4x3x224x224:8x3x224x224\"\nmask = \"1x224x224\"",
         .option = {"--profile", "NAME=MIN:OPT:MAX", "size range of an input; repeatable", Heading::target}}},
    Row<&SettingsOverrides::require_profile, &Settings::check, &CheckOptions::target, &Target::require_profile>{
        {.name = "require-profile",
         .type = Type::boolean,
         .fallback = "false",
         .help = "The builder gets sizes only from a profile, as scripts use it; `trtexec` would use 1 for every "
                 "dynamic axis. Dynamic inputs without any profile are then reported (PRF105).",
         .example = "require-profile = true",
         .option = {"--require-profile", "", "report dynamic inputs that have no profile", Heading::target}}},
    Row<&SettingsOverrides::plugins, &Settings::check, &CheckOptions::target, &Target::plugins>{
        {.name = "plugins",
         .type = Type::words,
         .fallback = "[]",
         .help = "Names of operators that your own plugins serve.",
         .example = "plugins = [\"MyAttention\"]",
         .option = {"--plugin", "NAME", "operator of your plugin; repeatable", Heading::target}}},
    Row<&SettingsOverrides::shape_functions, &Settings::shape_functions>{
        {.name = "shape-functions",
         .type = Type::path,
         .fallback = "none",
         .help = "A file that says which shapes come out of operators that trtcheck does not know, plugins of your own "
                 "among them: see [Shape functions](shape-functions.md).",
         .example = "shape-functions = \"shapes.toml\"",
         .option = {"--shape-functions", "FILE", "what comes out of operators of your own, in TOML", Heading::target}}},
    Row<&SettingsOverrides::select, &Settings::check, &CheckOptions::select>{
        {.name = "select",
         .type = Type::rules,
         .fallback = "[], which means all rules",
         .help = "Only these rules: codes (`QDQ104`), prefixes of codes (`QDQ`) or names (`scale-length`).",
         .example = "select = [\"QDQ\", \"WGT\"]",
         .option = {"--select", "RULES", "only these codes, prefixes or names", Heading::rules}}},
    Row<&SettingsOverrides::extend_select, &Settings::check, &CheckOptions::select>{
        {.name = "extend-select",
         .type = Type::rules,
         .fallback = "[]",
         .help = "Rules in addition to `select`. Without `select` all rules are on already, and this changes nothing.",
         .example = "select = [\"QDQ\"]\nextend-select = [\"conv-bias-length\"]",
         .option = {"--extend-select", "RULES", "these, too", Heading::rules},
         .shown_with = "select"}},
    Row<&SettingsOverrides::ignore, &Settings::check, &CheckOptions::ignore>{
        {.name = "ignore",
         .type = Type::rules,
         .fallback = "[]",
         .help = "Not these rules, also when they are selected.",
         .example = "ignore = [\"duplicate-node-name\"]",
         .option = {"--ignore", "RULES", "not these; wins over --select", Heading::rules}}},
    Row<&SettingsOverrides::file_ignores, &Settings::file_ignores>{
        {.name = "per-file-ignores",
         .type = Type::rules_by_pattern,
         .fallback = "{}",
         .help = "Rules that are left out for some models, by pattern over their paths. They are added to `ignore`.",
         .example = "[per-file-ignores]\n\"legacy/**\" = [\"QDQ\", \"opset-too-old\"]\n\"*_fp32.onnx\" = [\"QDQ\"]"}},
    Row<&SettingsOverrides::node_ignores, &Settings::check, &CheckOptions::node_ignores>{
        {.name = "per-node-ignores",
         .type = Type::node_ignores,
         .fallback = "{}",
         .help = "Findings that are suppressed at some nodes, by pattern over node names, in which `*` also matches "
                 "slashes. A `reason` is required; without `rules` all rules are meant.",
         .example =
             "[per-node-ignores]\n\"/decoder/*\" = { rules = [\"WGT101\"], reason = \"runs on the CPU, see #42\" }"}},
    Row<&SettingsOverrides::severities, &Settings::check, &CheckOptions::severities>{
        {.name = "severity",
         .type = Type::severities,
         .fallback = "{}",
         .help = "Rules that report as `error`, `warning` or `info` instead of their own severity, by code, prefix or "
                 "name; the most specific one counts. The verdict and the exit code follow.",
         .example = "[severity]\nHWD = \"info\"\n\"int8-group-split\" = \"error\""}},
    Row<&SettingsOverrides::fail_on, &Settings::fail_on>{
        {.name = "fail-on",
         .type = Type::fail_on,
         .fallback = "\"error\"",
         .help = "The lowest severity that makes the check fail: `error`, `warning`, `info` or `never`.",
         .example = "fail-on = \"warning\"",
         .option = {"--fail-on", "SEVERITY", "error (default), warning, info, never", Heading::rules}}},
    Row<&SettingsOverrides::exclude, &Settings::exclude>{
        {.name = "exclude",
         .type = Type::patterns,
         .fallback = "[]",
         .help =
             "Models that are passed over when folders are searched, by pattern as in `.gitignore`. A model that is "
             "named on the command line is always checked.",
         .example = "exclude = [\"build/\", \"third_party/**/*.onnx\", \"!third_party/ours/**\"]",
         .option = {"--exclude", "PATTERN", "pass these over in folders", Heading::models}}},
    Row<&SettingsOverrides::respect_gitignore, &Settings::respect_gitignore>{
        {.name = "respect-gitignore",
         .type = Type::boolean,
         .fallback = "true",
         .help = "When folders of a Git repository are searched, models that Git ignores are passed over. What the "
                 "configuration of the working folder says counts for all folders of a run.",
         .example = "respect-gitignore = false",
         .option = {"--no-respect-gitignore", "", "check what Git ignores, too", Heading::models}}},
    Row<&SettingsOverrides::ranges, &Settings::ranges>{
        {.name = "ranges",
         .type = Type::path,
         .fallback = "none",
         .help =
             "A file that `trtcheck ranges --save` wrote: what the tensors of a model reached on samples. It belongs "
             "to one model, another one is refused: for the command line, or for the folder of one model.",
         .example = "ranges = \"ranges.json\"",
         .option = {"--ranges", "FILE", "what the tensors reached on samples, see `trtcheck ranges`", Heading::data}}},
    Row<&SettingsOverrides::read_weights, &Settings::check, &CheckOptions::read_weights>{
        {.name = "read-weights",
         .type = Type::boolean,
         .fallback = "false",
         .help =
             "All weights are looked at, those in other files too, for numbers that are infinite, NaN or beyond their "
             "use. Without it they are only with precision FP16.",
         .example = "read-weights = true",
         .option = {"--read-weights", "", "look at all weights, those in other files too", Heading::data}}},
    Row<&SettingsOverrides::baseline, &Settings::baseline>{{.name = "baseline",
                                                            .type = Type::path,
                                                            .fallback = "none",
                                                            .help = "A file of findings that are known already.",
                                                            .example = "baseline = \"trtcheck-baseline.json\"",
                                                            .option = {.name = "--baseline"}}},
};

}  // namespace trtcheck::settings
