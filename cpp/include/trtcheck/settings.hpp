// What a project asks for: `trtcheck.toml`, or `[tool.trtcheck]` in `pyproject.toml`, with the command line over it.
//
//     const trtcheck::SettingsResolver resolver;   // looks for a file, upward from each model
//     const trtcheck::Settings settings = resolver.for_model("models/a.onnx");
//     const trtcheck::Report report = trtcheck::check("models/a.onnx", settings.check);
//     return trtcheck::fails(report, settings.fail_on) ? 1 : 0;
//
// `check` itself reads no configuration.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <trtcheck/export.hpp>
#include <trtcheck/trtcheck.hpp>

namespace trtcheck {

/// Lowest severity that makes a check fail.
enum class FailOn : std::uint8_t { info, warning, error, never };
TRTCHECK_API std::string_view to_string(FailOn fail_on) noexcept;
/// @throws Error  unknown word, with a suggestion
TRTCHECK_API FailOn parse_fail_on(std::string_view text);
/// Whether the report has a finding, consequences among them, that is at least so severe.
TRTCHECK_API bool fails(const Report& report, FailOn fail_on) noexcept;

/// A pattern over files as `.gitignore` writes them, and the folder that it is relative to.
struct PathPattern {
  std::string pattern;  ///< "build/", "legacy/**/*.onnx", "*_int8.onnx"
  std::string folder;   ///< absolute
};

/// Rules that are left out for some models.
struct FileIgnore {
  PathPattern models;              ///< pattern over paths, relative to the folder of the file
  std::vector<std::string> rules;  ///< codes, prefixes or names; never empty
};

/// Where one effective setting comes from.
struct SettingOrigin {
  /// Where a value comes from.
  enum class From : std::uint8_t { defaults, file, caller };
  std::string key;             ///< "target", "severity"
  std::string entry;           ///< of a table: "QDQ104"; else ""
  std::string value;           ///< as TOML writes it: "\"10.13\""; "" = not set
  From from = From::defaults;  ///< caller: command line or Python arguments
  bool extended = false;       ///< the caller added to what the file says
  std::string file;            ///< absolute; "" unless from == file
  int line = 0;                ///< in that file, counted from 1
  /// "default", "trtcheck.toml:3", "trtcheck.toml:3 and command line"; files below the working folder are named
  /// relative to it.
  [[nodiscard]] TRTCHECK_API std::string place() const;
};

/// What one model is checked with.
struct Settings {
  CheckOptions check;                    ///< the per-file-ignores of the model are among `check.ignore`
  FailOn fail_on = FailOn::error;        ///< what makes the check fail
  std::vector<PathPattern> exclude;      ///< models that are not looked for in folders
  bool respect_gitignore = true;         ///< for `DiscoverOptions`
  std::string baseline;                  ///< absolute path, "" = none
  std::string ranges;                    ///< absolute path, "" = none; read by `load_ranges`
  std::string shape_functions;           ///< absolute path, "" = none; what is in it is in `check.target`
  std::vector<FileIgnore> file_ignores;  ///< all of the file, also those that do not concern this model
  std::string file;                      ///< absolute path of the configuration file, "" = none
  std::vector<SettingOrigin> origins;    ///< of every key, in the order of the reference
  std::vector<std::string> unmatched;    ///< as `Report::unmatched`, about the per-file-ignores
};

/// Reads what `ranges` names into `check.ranges`.
/// @throws Error  the file cannot be read, or holds no ranges
TRTCHECK_API void load_ranges(Settings& settings);

/// What a file of [[shape]] tables says of operators.
/// @throws Error  the file cannot be read or makes no sense: "shapes.toml:3: ..."
TRTCHECK_API std::vector<ShapeFunction> read_shape_functions(const std::string& path);

/// Whether a model that was found in a folder is to be passed over.
/// @param path  of the model, absolute or from the working folder
TRTCHECK_API bool is_excluded(const Settings& settings, const std::string& path);

/// Those of a folder, made fit for one model: its per-file-ignores are added.
/// @pre `common` comes from `SettingsResolver::for_folder`
TRTCHECK_API Settings with_file_ignores(const Settings& common, const std::string& model);

/// What the caller says over the file. What has a value replaces the file's; the last two are added to it.
struct SettingsOverrides {
  std::optional<TrtVersion> release;                    ///< nothing = not given
  std::optional<std::vector<Precision>> precisions;     ///< nothing = not given
  std::optional<ComputeCapability> compute_capability;  ///< nothing = not given
  std::optional<bool> dla;                              ///< nothing = not given
  std::optional<bool> strongly_typed;                   ///< nothing = not given
  std::optional<bool> require_profile;                  ///< nothing = not given
  std::optional<std::vector<std::string>> plugins;      ///< nothing = not given
  std::optional<std::vector<ProfileInput>> profile;     ///< its inputs must be inputs of the model
  std::optional<std::vector<std::string>> select;       ///< replaces the file's extend-select, too
  std::optional<std::vector<std::string>> ignore;       ///< replaces that of the file
  std::optional<FailOn> fail_on;                        ///< nothing = not given
  std::optional<std::vector<std::string>> exclude;      ///< relative to the working folder
  std::optional<bool> respect_gitignore;                ///< nothing = not given
  std::optional<std::vector<FileIgnore>> file_ignores;  ///< their folders are the working folder
  std::optional<std::vector<NodeIgnore>> node_ignores;  ///< nothing = not given
  std::optional<std::string> baseline;                  ///< relative to the working folder; "" = none
  std::optional<std::string> ranges;                    ///< relative to the working folder; "" = none
  std::optional<std::string> shape_functions;           ///< relative to the working folder; "" = none
  std::optional<bool> read_weights;                     ///< nothing = not given
  std::vector<std::string> extend_select;               ///< added to select
  std::vector<SeverityOverride> severities;             ///< over those of the file
};

/// Which configuration file counts.
struct ConfigChoice {
  std::string file;    ///< this one for all models; "" = see `search`
  bool search = true;  ///< the closest one, upward from each model's folder; false = none
};

/// Finds and reads configuration files; each folder and each file is looked at once.
/// Any number of threads may ask at once.
class TRTCHECK_API SettingsResolver {
 public:
  /// @throws Error  an override names a rule or a pattern that does not exist; `choice.file` is read at once
  explicit SettingsResolver(ConfigChoice choice = {}, SettingsOverrides overrides = {});
  SettingsResolver(SettingsResolver&&) noexcept;             ///< moved from: only to be destroyed or assigned to
  SettingsResolver& operator=(SettingsResolver&&) noexcept;  ///< moved from: only to be destroyed or assigned to
  ~SettingsResolver();

  /// @param path  of a model; it need not exist
  /// @throws Error  the configuration file cannot be read or makes no sense: `what()` is
  ///                "trtcheck.toml:3: unknown key `taget`, did you mean `target`?"
  [[nodiscard]] Settings for_model(const std::string& path) const;
  /// Without the per-file-ignores of any model. "" = the working folder, which is right for standard input.
  [[nodiscard]] Settings for_folder(const std::string& folder) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Options of configuration files that had nothing to do in any model of a run.
class TRTCHECK_API UnmatchedSettings {
 public:
  void add(const Settings& settings, const Report& report);  ///< what had something to do in this model
  /// "trtcheck.toml:7: per-file-ignores `legacy/*` matched nothing"
  [[nodiscard]] std::vector<std::string> lines() const;

 private:
  struct Left {
    std::set<std::string> options;  // that every model so far has left over
    std::vector<SettingOrigin> origins;
  };
  std::map<std::string, Left> by_file_;
};

/// Every key with its value and, as a comment, where that comes from. It is TOML and may serve as a file of its own.
TRTCHECK_API std::string settings_toml(const Settings& settings);
/// The same as one JSON document.
/// @param path  that was asked about
TRTCHECK_API std::string settings_json(const Settings& settings, const std::string& path);

/// The JSON schema (2020-12) of a `trtcheck.toml`, which is also that of `[tool.trtcheck]`.
TRTCHECK_API std::string settings_schema();

}  // namespace trtcheck
