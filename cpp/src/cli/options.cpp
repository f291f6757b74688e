#include "cli/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "rules/run_selection.hpp"
#include "target/suggest.hpp"

namespace trtcheck::cli {
namespace {

using Words = std::vector<std::string>;

constexpr std::array<std::string_view, 4> kCommands{"check", "explain", "rules", "shapes"};

constexpr std::string_view kExamples =
    "Examples:\n"
    "  trtcheck model.onnx\n"
    "  trtcheck check --target 8.6 --precision int8 a.onnx b.onnx\n"
    "  trtcheck check --profile x=1x3x224x224:4x3x224x224:8x3x224x224 model.onnx\n"
    "  trtcheck check --output-format json --output report.json model.onnx\n"
    "  trtcheck explain op-unsupported\n\n"
    "Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 could not run";

[[noreturn]] void fail(std::string cause) { throw Error("", std::move(cause)); }

/// The index of the word among the choices.
std::size_t choose(std::string_view option, std::string_view word, std::span<const std::string_view> choices) {
  const auto found = std::find(choices.begin(), choices.end(), word);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  fail(fmt::format("{}: unknown value `{}`{}; it takes {}", option, word, did_you_mean(word, choices),
                   fmt::join(choices, ", ")));
}

/// `parse` with the option as it is written on the command line in front of the cause.
template <class Parse>
auto parsed(std::string_view option, const std::string& word, Parse parse) {
  try {
    return parse(word);
  } catch (const Error& error) {
    fail(fmt::format("{}: {}", option, error.cause()));
  }
}

/// Words as CLI11 collects them, before they mean anything.
struct RawOutput {
  std::string format = "full";
  std::string file;
  bool no_color = false;

  void add_to(CLI::App& app) {
    app.add_option("--output-format", format, "full (default), concise or json")->type_name("FORMAT");
    app.add_option("--output", file, "write here, not to standard output")->type_name("FILE");
    app.add_flag("--no-color", no_color, "no colours (as NO_COLOR=1 does)");
  }
  [[nodiscard]] OutputRequest request() const {
    constexpr std::array<std::string_view, 3> kFormats{"full", "concise", "json"};
    return {static_cast<Format>(choose("--output-format", format, kFormats)), file, no_color};
  }
};

/// One value for each time the option is given, so that it never swallows the paths behind it.
CLI::Option* add_list(CLI::App& app, const std::string& name, Words& words, const std::string& help) {
  return app.add_option(name, words, help)->allow_extra_args(false)->delimiter(',');
}

struct RawCheck {
  Words paths;
  std::string target = "latest";
  std::string compute_capability;
  std::string fail_on = "error";
  Words precisions;
  Words plugins;
  Words profiles;
  Words select;
  Words ignore;
  RawOutput output;

  void add_to(CLI::App& app) {
    app.add_option("PATH", paths, "ONNX files")->required()->type_name("");
    app.add_option("--target", target, "such as 8.6 (default: the newest known)")->type_name("RELEASE");
    add_list(app, "--precision", precisions, "fp16, bf16, int8, fp8, ...; repeatable")->type_name("NAME");
    app.add_option("--compute-capability", compute_capability, "of the GPU, such as 8.6")->type_name("X.Y");
    add_list(app, "--plugin", plugins, "operator of your plugin; repeatable")->type_name("NAME");
    add_list(app, "--profile", profiles, "size range of an input; repeatable")->type_name("NAME=MIN:OPT:MAX");
    add_list(app, "--select", select, "only these codes, prefixes or names")->type_name("RULES");
    add_list(app, "--ignore", ignore, "not these; wins over --select")->type_name("RULES");
    app.add_option("--fail-on", fail_on, "error (default), warning, info, never")->type_name("SEVERITY");
    output.add_to(app);
  }
  [[nodiscard]] CheckRequest request() const;
};

Target make_target(const RawCheck& raw) {
  Target target;
  target.release = parsed("--target", raw.target, parse_release);
  for (const std::string& word : raw.precisions) {
    target.precisions.push_back(parsed("--precision", word, parse_precision));
  }
  if (!raw.compute_capability.empty()) {
    target.compute_capability = parsed("--compute-capability", raw.compute_capability, parse_compute_capability);
  }
  target.plugins = raw.plugins;
  for (const std::string& word : raw.profiles) target.profile.push_back(parsed("--profile", word, parse_profile));
  return target;
}

CheckRequest RawCheck::request() const {
  constexpr std::array<std::string_view, 4> kSeverities{"info", "warning", "error", "never"};
  CheckRequest request;
  request.paths = paths;
  request.options.target = make_target(*this);
  request.options.select = select;
  request.options.ignore = ignore;
  // Said once and before any model is read.
  static_cast<void>(parsed("--select", "", [this](const std::string&) { return rules::Selection(select, {}); }));
  static_cast<void>(parsed("--ignore", "", [this](const std::string&) { return rules::Selection({}, ignore); }));
  request.fail_on = static_cast<FailOn>(choose("--fail-on", fail_on, kSeverities));
  request.output = output.request();
  return request;
}

struct RawShapes {
  std::string path;
  Words profiles;
  RawOutput output;

  void add_to(CLI::App& app) {
    app.add_option("MODEL", path, "ONNX file")->required()->type_name("");
    add_list(app, "--profile", profiles, "size range of an input; repeatable")->type_name("NAME=MIN:OPT:MAX");
    output.add_to(app);
  }
  [[nodiscard]] ShapesRequest request() const {
    ShapesRequest request{path, {}, output.request()};
    for (const std::string& word : profiles) {
      request.target.profile.push_back(parsed("--profile", word, parse_profile));
    }
    return request;
  }
};

struct RawExplain {
  Words words;
  RawOutput output;

  void add_to(CLI::App& app) {
    app.add_option("RULE", words, "code such as QDQ104, or name")->required()->type_name("");
    output.add_to(app);
  }
  [[nodiscard]] ExplainRequest request() const {
    ExplainRequest request{{}, output.request()};
    for (const std::string& word : words) {
      const Rule* rule = find_rule(word);
      if (rule == nullptr) fail(fmt::format("there is no rule `{}`{}", word, suggestion(word)));
      request.rules.push_back(rule);
    }
    return request;
  }

 private:
  static std::string suggestion(const std::string& word) {
    std::vector<std::string_view> names;
    for (const Rule* rule : all_rules()) {
      names.push_back(rule->code);
      names.push_back(rule->name);
    }
    const std::string text = did_you_mean(word, names);
    return text.empty() ? "; `trtcheck rules` lists them" : text;
  }
};

/// "--tagret" -> ", did you mean `--target`?"
std::string option_suggestion(const CLI::App& app, std::string_view word) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  return did_you_mean(word.substr(0, word.find('=')), views);
}

void refuse_extras(const CLI::App& app) {
  const Words extras = app.remaining();
  if (extras.empty()) return;
  const std::string& word = extras.front();
  if (!word.starts_with('-')) fail(fmt::format("unexpected argument `{}`", word));
  fail(fmt::format("unknown option `{}`{}", word, option_suggestion(app, word)));
}

/// `trtcheck PATH` is short for `trtcheck check PATH`; a misspelt command is no path.
Words with_command(Words words) {
  if (words.empty()) fail("no model given; `trtcheck --help` shows how");
  if (words.front() == "help") words.front() = "--help";
  const std::string& first = words.front();
  if (std::find(kCommands.begin(), kCommands.end(), first) != kCommands.end()) return words;
  constexpr std::array<std::string_view, 4> kGlobal{"-h", "--help", "--version", "-V"};
  if (std::find(kGlobal.begin(), kGlobal.end(), first) != kGlobal.end()) return words;
  std::error_code ignored;
  const bool is_word = first.find_first_of("./-") == std::string::npos;
  if (is_word && !std::filesystem::exists(first, ignored)) {
    if (const auto near = nearest_word(first, kCommands)) {
      fail(fmt::format("unknown command `{}`, did you mean `{}`?", first, *near));
    }
  }
  words.insert(words.begin(), "check");
  return words;
}

std::unique_ptr<CLI::App> make_app(bool& wants_version) {
  auto app = std::make_unique<CLI::App>("Tells whether an ONNX model will convert to a TensorRT engine, and why not.");
  app->name("trtcheck");
  app->get_formatter()->column_width(36);
  app->get_formatter()->label("SUBCOMMAND", "COMMAND");
  app->get_formatter()->label("Subcommands", "Commands");
  app->get_formatter()->label("REQUIRED", "");
  app->get_formatter()->label("Positionals", "Arguments");
  app->footer(std::string(kExamples));
  app->set_help_flag("-h,--help", "print this and exit");
  app->add_flag("-V,--version", wants_version, "print the version");
  return app;
}

/// Help of a command shows its options; every command lets strangers through, so that we can name the nearest one.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& help) {
  CLI::App* command = app.add_subcommand(name, help);
  command->allow_extras();
  if (name != "check") command->footer("");
  return command;
}

}  // namespace

Request parse_command_line(int argc, const char* const* argv) {
  const Words words = with_command(Words(argv + std::min(argc, 1), argv + argc));
  bool wants_version = false;
  const std::unique_ptr<CLI::App> app = make_app(wants_version);
  RawCheck raw_check;
  RawExplain raw_explain;
  RawOutput raw_rules;
  RawShapes raw_shapes;
  CLI::App* check = add_command(*app, "check", "check models (also: `trtcheck PATH...`)");
  CLI::App* explain = add_command(*app, "explain", "print what a rule is about");
  CLI::App* rules = add_command(*app, "rules", "list all rules");
  CLI::App* shapes = add_command(*app, "shapes", "print element type and dims of every value");
  raw_check.add_to(*check);
  raw_explain.add_to(*explain);
  raw_rules.add_to(*rules);
  raw_shapes.add_to(*shapes);
  try {
    app->parse(Words(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    return PrintRequest{app->help()};
  } catch (const CLI::ParseError& error) {
    for (const CLI::App* command : app->get_subcommands()) refuse_extras(*command);
    fail(error.what());
  }
  if (wants_version) return PrintRequest{fmt::format("trtcheck {}\n", version())};
  for (const CLI::App* command : app->get_subcommands()) refuse_extras(*command);
  refuse_extras(*app);
  if (app->got_subcommand(check)) return raw_check.request();
  if (app->got_subcommand(explain)) return raw_explain.request();
  if (app->got_subcommand(rules)) return RulesRequest{raw_rules.request()};
  if (app->got_subcommand(shapes)) return raw_shapes.request();
  return PrintRequest{app->help()};
}

}  // namespace trtcheck::cli
