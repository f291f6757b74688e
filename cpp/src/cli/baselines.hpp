// The baselines of one run: models with different configuration files may have different ones.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <trtcheck/baseline.hpp>
#include <trtcheck/settings.hpp>

namespace trtcheck::cli {

class Baselines {
 public:
  enum class Mode : std::uint8_t { apply, update, prune };
  explicit Baselines(Mode mode) noexcept : mode_(mode) {}

  /// For models that are yet to be checked.
  /// @throws Error  there is no baseline to write for any of them
  void require(const SettingsResolver& resolver, std::span<const std::string> models) const;

  /// Reads the file, unless it was read before or there is none. Any thread.
  /// @throws Error  it cannot be read; without a path, because it is not the fault of a model
  void open(const Settings& settings);

  /// Takes out of the report what is known. Any thread.
  /// @throws Error  as `open`
  void apply(Report& report, const Settings& settings);

  /// Writes the files anew, or says on standard error what is gone. To be called once, when everything went well.
  /// @param models  the files that were read; a baseline is never written over one of them
  /// @throws Error  cannot write
  void finish(std::span<const std::string> models);

 private:
  struct Used {
    Baseline baseline;
    bool exists = true;
    std::vector<BaselineMatch> matches;
  };
  Used& used(const std::string& path);
  void write(const Used& used, std::span<const std::string> models) const;

  Mode mode_;
  std::mutex mutex_;  ///< of what follows; a baseline itself never changes
  std::map<std::string, Used> by_path_;
};

}  // namespace trtcheck::cli
